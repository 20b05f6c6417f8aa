import Callers
import MessageBus
import Notices

/// A program's call for a notification, within the shell's limits. The host makes a `NoticeContent` of it.
public struct NoticeCall: Equatable, Sendable {
    /// The name that the program gives itself.
    public var name = ""
    public var replaces: UInt32 = 0
    /// The name or path of an icon.
    public var icon = ""
    public var title = ""
    public var body = ""
    public var buttons: [NoticeButton] = []
    public var hasDefault = false
    /// Its desktop entry, as it claims.
    public var entry = ""
    public var urgency: Int?
    public var category = ""
    /// In milliseconds; -1: the shell's choice.
    public var timeout = -1
    public var level: String?
    public var isImportantEnd = false
    public var thread = ""
    /// The web site or the account within the app that it comes from.
    public var site = ""
    public var key = ""
    public var progress: Int?
    public var isTransient = false
    public var isResident = false
    public var isFeedback = false
    public var isSilent = false
    public var sound: String?
    public var hidesOnLock = false
    public var image: NoticeImage?
    /// How its app names it, if it came by another service than `org.freedesktop.Notifications`.
    public var origin: NoticeOrigin?
    public var waitsInList = false
    public var hidesContentOnLock = false
    /// It means nothing after the machine has started anew.
    public var isOfThisBoot = false
    /// The process that sent it, or that owns the app's name on the bus if a portal sent it; nil: not known.
    public var process: Int32?

    public init() {}
}

/// The picture of a notification.
public enum NoticeImage: Equatable, Sendable {
    /// A file, by its path. It may be gone in a moment.
    case file(String)
    /// A small picture: BGRA with premultiplied alpha, four bytes for each pixel.
    case pixels([UInt8], width: Int, height: Int)
    /// The bytes of a file.
    case encoded([UInt8])
}

/// The limits of one notification.
enum NoticeCallLimits {
    static let title = 256, body = 2048, name = 128, key = 256, label = 64, path = 1024
    static let buttons = 8
    /// Bytes of a picture that a message brings as a file.
    static let picture = 4 << 20
    /// Pixels of each side of the picture that is kept.
    static let side = 96
    /// The longest side of a picture in a message.
    static let longestSide = 16_384
}

extension NoticeCall {
    /// Reads the arguments of `org.freedesktop.Notifications.Notify`; nil: they are none.
    ///
    /// - Parameter takesPixels: whether pixels of the message are read. They cost the most.
    init?(freedesktop call: Incoming, takesPixels: Bool) {
        guard let name = call.string(), let replaces = call.uint32(), let icon = call.string(), let title = call.string(),
            let body = call.string(),
            let actions = call.wholeArray(of: "s", limit: 2 * NoticeCallLimits.buttons + 2, { call.string() })
        else { return nil }
        var image: NoticeImage?, rank = 0
        let hints = call.hints(.init(text: 4096, entries: 64)) { key, pixels in
            // `icon_data` is the oldest name, and the weakest.
            let here = key == "icon_data" ? 1 : key == "image_data" || key == "image-data" ? 4 : 0
            guard takesPixels, here > rank, let small = NoticePixels.small(pixels) else { return }
            (image, rank) = (small, here)
        }
        guard let hints else { return nil }
        self.name = NoticeText.line(name, NoticeCallLimits.name)
        self.replaces = replaces
        self.icon = NoticeText.path(icon)
        self.title = NoticeText.line(title, NoticeCallLimits.title)
        self.body = NoticeText.plain(body, NoticeCallLimits.body)
        for pair in stride(from: 0, to: actions.count - 1, by: 2) {
            let key = String(actions[pair].prefix(NoticeCallLimits.key)), label = NoticeText.line(actions[pair + 1], NoticeCallLimits.label)
            if key == "default" {
                hasDefault = true
            } else if key == "inline-reply", !buttons.contains(where: { $0.reply != nil }) {
                buttons.append(NoticeButton(key: key, label: label, reply: NoticeReply()))
            } else if buttons.count < NoticeCallLimits.buttons, !label.isEmpty, !buttons.contains(where: { $0.key == key }) {
                buttons.append(NoticeButton(key: key, label: label))
            }
        }
        timeout = call.int32().map(Int.init) ?? -1
        read(hints)
        if rank < 4, let path = hints["image-path"]?.text ?? hints["image_path"]?.text {
            self.image = NoticeText.file(path).map(NoticeImage.file) ?? image
            if self.image == nil, self.icon.isEmpty { self.icon = NoticeText.path(path) }
        } else {
            self.image = image
        }
        if self.image == nil, let file = NoticeText.file(self.icon) { self.image = .file(file) }
    }

    private mutating func read(_ hints: [String: BusValue]) {
        func text(_ key: String, _ limit: Int = NoticeCallLimits.key) -> String { NoticeText.line(hints[key]?.text ?? "", limit) }
        func flag(_ key: String) -> Bool { hints[key]?.flag ?? hints[key]?.integer.map { $0 != 0 } ?? false }
        entry = text("desktop-entry")
        urgency = hints["urgency"]?.integer.map { Int(clamping: $0) }
        category = text("category")
        level = hints["x-mullion-level"]?.text
        isImportantEnd = flag("x-mullion-important")
        thread = text("x-mullion-thread")
        site = text("x-kde-origin-name", NoticeCallLimits.name)
        key = text("x-canonical-private-synchronous")
        if key.isEmpty { key = text("x-dunst-stack-tag") }
        progress = hints["value"]?.integer.map { Int(clamping: max(0, min(100, $0))) }
        isTransient = flag("transient")
        isResident = flag("resident")
        isFeedback = flag("x-kde-user-action-feedback")
        isSilent = flag("suppress-sound")
        sound = hints["sound-name"]?.text
        hidesOnLock = hints["x-mullion-hide-on-lock"]?.flag ?? false
        isOfThisBoot = flag("x-mullion-this-boot")
        if name.isEmpty { name = text("x-kde-appname", NoticeCallLimits.name) }
        if let place = buttons.firstIndex(where: { $0.reply != nil }) {
            buttons[place].reply = NoticeReply(
                placeholder: text("x-kde-reply-placeholder-text", NoticeCallLimits.label),
                submit: text("x-kde-reply-submit-button-text", NoticeCallLimits.label))
        }
    }

    /// Whether the sender is a browser, which marks notifications as critical if a page wants them to stay.
    public var isBrowser: Bool {
        guard category != "browser.web-notification" else { return true }
        let words = (entry + " " + name).lowercased()
        return ["chrom", "firefox", "brave", "vivaldi", "opera", "microsoft-edge", "epiphany"].contains { words.contains($0) }
    }

    public var claims: NoticeClaims {
        NoticeClaims(
            urgency: urgency, category: category, timeout: timeout, level: level, isImportantEnd: isImportantEnd, isBrowser: isBrowser)
    }

    /// - Parameters:
    ///   - app: the app that it is, as far as the shell knows.
    ///   - owner: the owner of the sender. `NoticeContent.confined` decides which of its claims count.
    public func content(app: String, owner: Owner) -> NoticeContent {
        var content = NoticeContent(app: app, name: name, title: title, body: body, level: claims.resultingLevel)
        content.owner = owner
        content.icon = icon.isEmpty ? nil : icon
        content.buttons = buttons
        content.hasDefault = hasDefault
        content.category = category
        // Notifications of one site stand together.
        content.thread = thread.isEmpty ? site : thread
        content.site = site.isEmpty ? nil : site
        content.key = key
        content.progress = progress
        content.isTransient = isTransient
        content.isResident = isResident
        content.isFeedback = isFeedback
        content.isSilent = isSilent
        content.sound = sound
        content.hidesOnLock = hidesOnLock
        content.stays = claims.stays
        content.origin = origin
        if waitsInList { content.waitsInList = true }
        if hidesContentOnLock { content.hidesContentOnLock = true }
        if isOfThisBoot { content.isOfThisBoot = true }
        content.process = process
        if replaces != 0 { content.claimed = replaces }
        if timeout > 0 { content.timeout = (timeout + 999) / 1000 }
        return content.confined
    }

    /// The picture that the shell keeps; nil if a confined program names a file, because it may not be allowed to read that file.
    public func image(owner: Owner) -> NoticeImage? {
        if case .file = image, owner.isConfined { return nil }
        return image
    }
}

/// Pixels of a message as a small picture.
enum NoticePixels {
    /// Returns nil for sizes that no picture has, and for a message that has fewer bytes than it says.
    static func small(_ image: BusPixels) -> NoticeImage? {
        let sides = 1...NoticeCallLimits.longestSide
        guard sides.contains(image.width), sides.contains(image.height), image.bitsPerSample == 8,
            image.channels == (image.hasAlpha ? 4 : 3),
            image.stride >= image.width * image.channels, image.stride <= 4 * NoticeCallLimits.longestSide + 64,
            image.bytes.count >= (image.height - 1) * image.stride + image.width * image.channels
        else { return nil }
        // As much work for a huge picture as for a small one: each pixel is the mean of at most sixteen.
        let scale = min(1, Double(NoticeCallLimits.side) / Double(max(image.width, image.height)))
        let width = max(1, Int(clamping: Double(image.width) * scale)), height = max(1, Int(clamping: Double(image.height) * scale))
        var out = [UInt8](repeating: 0, count: width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let left = x * image.width / width, right = max(left + 1, (x + 1) * image.width / width)
                let top = y * image.height / height, bottom = max(top + 1, (y + 1) * image.height / height)
                let across = max(1, (right - left + 3) / 4), down = max(1, (bottom - top + 3) / 4)
                var sum = (0, 0, 0, 0), count = 0
                for row in stride(from: top, to: bottom, by: down) {
                    for column in stride(from: left, to: right, by: across) {
                        let place = row * image.stride + column * image.channels
                        let alpha = image.hasAlpha ? Int(image.bytes[place + 3]) : 255
                        sum.0 += Int(image.bytes[place]) * alpha
                        sum.1 += Int(image.bytes[place + 1]) * alpha
                        sum.2 += Int(image.bytes[place + 2]) * alpha
                        sum.3 += alpha
                        count += 1
                    }
                }
                let place = (y * width + x) * 4
                out[place] = UInt8(clamping: sum.2 / count / 255)
                out[place + 1] = UInt8(clamping: sum.1 / count / 255)
                out[place + 2] = UInt8(clamping: sum.0 / count / 255)
                out[place + 3] = UInt8(clamping: sum.3 / count)
            }
        }
        return .pixels(out, width: width, height: height)
    }
}
