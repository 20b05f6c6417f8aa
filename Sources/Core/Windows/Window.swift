import Geometry

/// What a client said of its window; the facts by which people and rules know it.
public struct WindowFacts: Hashable, Codable, Sendable {
    /// xdg app id, or WM_CLASS of an X11 window.
    public var appID: String
    public var title: String
    /// The client's process and its ancestors, nearest first.
    public var lineage: [Int32]
    /// One Wayland connection; all X11 windows share one.
    public var client: UInt64
    public var parent: WindowID?
    public var isX11: Bool
    /// It says that its parent waits for it (xdg-dialog).
    public var isModal: Bool
    /// It is Picture in Picture by what it is, not by its name (xx-pip).
    public var isPip: Bool

    public init(
        appID: String = "", title: String = "", lineage: [Int32] = [], client: UInt64 = 0, parent: WindowID? = nil,
        isX11: Bool = false, isModal: Bool = false, isPip: Bool = false
    ) {
        self.appID = appID
        self.title = title
        self.lineage = lineage
        self.client = client
        self.parent = parent
        self.isX11 = isX11
        self.isModal = isModal
        self.isPip = isPip
    }

    private enum CodingKeys: String, CodingKey { case appID, title, lineage, client, parent, isX11, isModal, isPip }

    /// What few windows say is left out.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(appID, forKey: .appID)
        try fields.encode(title, forKey: .title)
        try fields.encode(lineage, forKey: .lineage)
        try fields.encode(client, forKey: .client)
        try fields.encodeIfPresent(parent, forKey: .parent)
        try fields.encode(isX11, forKey: .isX11)
        if isModal { try fields.encode(isModal, forKey: .isModal) }
        if isPip { try fields.encode(isPip, forKey: .isPip) }
    }

    /// Recordings made before there was xdg-dialog or xx-pip say nothing of it.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        appID = try fields.decode(String.self, forKey: .appID)
        title = try fields.decode(String.self, forKey: .title)
        lineage = try fields.decode([Int32].self, forKey: .lineage)
        client = try fields.decode(UInt64.self, forKey: .client)
        parent = try fields.decodeIfPresent(WindowID.self, forKey: .parent)
        isX11 = try fields.decode(Bool.self, forKey: .isX11)
        isModal = try fields.decodeIfPresent(Bool.self, forKey: .isModal) ?? false
        isPip = try fields.decodeIfPresent(Bool.self, forKey: .isPip) ?? false
    }
}

/// What a commit left behind.
public struct WindowCommit: Hashable, Codable, Sendable {
    /// Window geometry, in points.
    public var size: Size
    /// The newest configure that the client has answered; 0 = none.
    public var answered: UInt32
    /// 0 = no limit.
    public var minimum: Size
    public var maximum: Size
    /// The client's own wish to be without its own bars (xdg set_fullscreen).
    public var wantsFullscreen: Bool
    /// What takes input at most, from the geometry's origin: shadows often do not, subsurfaces may stick out. nil: the
    /// geometry.
    public var input: Rect?
    /// Of a client that never said what its window is: its geometry is all that it shows, and begins so far from the
    /// corner of its main surface. nil: nowhere else.
    public var offset: Vector?

    public init(
        size: Size, answered: UInt32 = 0, minimum: Size = .zero, maximum: Size = .zero, wantsFullscreen: Bool = false,
        input: Rect? = nil, offset: Vector? = nil
    ) {
        self.input = input
        self.offset = offset
        self.size = size
        self.answered = answered
        self.minimum = minimum
        self.maximum = maximum
        self.wantsFullscreen = wantsFullscreen
    }

    /// The size next to `size` that the client says it can have.
    public func permitted(_ size: Size) -> Size {
        func permitted(_ length: Double, _ least: Double, _ most: Double) -> Double { max(least, most > 0 ? min(length, most) : length) }
        return Size(permitted(size.width, minimum.width, maximum.width), permitted(size.height, minimum.height, maximum.height))
    }
}

/// All that a window is ever told (W-10): nothing in it names a configuration.
public struct Configure: Hashable, Codable, Sendable {
    /// Grows with every configure of the shell.
    public var sequence: UInt32
    /// Where it is and how large, in whole points. X11 clients need the place; Wayland clients are told only the size.
    public var frame: Rect
    /// The client chooses its size (dialogs, and videos before their shape is known).
    public var chooses: Bool
    public var activated: Bool
    /// Not a dialog: it fills the place it is given.
    public var arranged: Bool
    /// The client's own wish, granted.
    public var fullscreen: Bool

    public init(
        sequence: UInt32, frame: Rect, chooses: Bool, activated: Bool, arranged: Bool, fullscreen: Bool
    ) {
        self.sequence = sequence
        self.frame = frame
        self.chooses = chooses
        self.activated = activated
        self.arranged = arranged
        self.fullscreen = fullscreen
    }

    /// The client would be told the same again.
    public func says(sameAs other: Configure) -> Bool {
        frame.size == other.frame.size && chooses == other.chooses && activated == other.activated
            && arranged == other.arranged && fullscreen == other.fullscreen
    }
}

public struct Window: Hashable, Codable, Sendable {
    public let id: WindowID
    public var facts: WindowFacts
    /// The app it belongs to: the id of an installed app, else its own app id.
    public var app = ""
    public var isMapped = false
    /// A person asked for it (W-19); until then it waits.
    public var isAdmitted = false
    /// The launch whose activation token it presented before it was mapped.
    public var launch: LaunchID?
    public var commit = WindowCommit(size: .zero)
    public var lastConfigure: Configure?
    /// The configure that last changed its size, by sequence. Others change nothing that is shown.
    public var resized: UInt32 = 0
    /// It did not answer a configure in time; nobody waits for it until it answers again.
    public var isLate = false
    /// While its picture is held still, the size that picture has.
    public var heldSize: Size?
    /// Popups and menus that stand out of the window, in its own unscaled coordinates; empty when it has none.
    public var popups = Rect.zero
    public var popupGrab = false
    /// The size it had when it could choose: a video's shape.
    public var naturalSize: Size?
    /// The size of the place for which it was told a size last.
    var room: Size?
    /// How large it was drawn there at least, though it was told less. 0: no larger.
    var overflow: Size?
    /// It was told another size since it was mapped.
    var wasResized: Bool { resizes ?? false }
    var resizes: Bool?
    /// Where its top left was put on the screen, if it stands free (W-25); that of its main surface, if only that is sure
    /// to stay (`WindowCommit.offset`). It comes back there.
    public var origin: Point?
    /// It stands free and fills the room for windows all the same, as its app asked by its own button.
    public var isZoomed: Bool {
        get { zoomed ?? false }
        set { zoomed = newValue ? true : nil }
    }

    /// Recordings made before say nothing of it.
    private var zoomed: Bool?
    /// When it last had focus; larger is later.
    public var lastFocus: UInt64 = 0

    public init(id: WindowID, facts: WindowFacts) {
        self.id = id
        self.facts = facts
    }

    /// It was told a size that it has not answered yet, and is still being waited for.
    public var isAwaited: Bool { !isLate && commit.answered < resized }

    /// The size of the picture that is shown of it.
    public var pictureSize: Size { heldSize ?? commit.size }
}
