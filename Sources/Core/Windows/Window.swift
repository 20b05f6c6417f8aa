import Geometry

/// A client's description of its window, by which users and rules identify it.
public struct WindowFacts: Hashable, Codable, Sendable {
    /// The xdg app id, or the WM_CLASS of an X11 window.
    public var appID: String
    public var title: String
    /// The client's process and its ancestors, nearest first.
    public var lineage: [Int32]
    /// The Wayland connection. All X11 windows share one.
    public var client: UInt64
    public var parent: WindowID?
    public var isX11: Bool
    /// Whether it is modal to its parent (xdg-dialog, gtk_shell1, X11, or a parent in another app's window). nil: its
    /// client has no way to say so.
    public var isModal: Bool?
    /// Whether its client draws no title and no way to close it, because the shell may (xdg-decoration, X11).
    public var isBare: Bool
    /// The hints of its app by mullion-windows; nil if it gave none.
    public var hints: WindowHints?
    /// Whether it has the Picture in Picture role (xx-pip), independent of its name.
    public var isPip: Bool
    /// Whether its client declares that it is shown only until another one comes (X11).
    public var isSplash: Bool
    /// The size that its client gave it before the shell placed it (X11). nil: the client is asked, or was not heard.
    public var ownSize: Size?
    /// The id by which its app finds it again (xdg-session-management); empty if it has none.
    public var session: String
    /// The client's identity, if it is in a sandbox. Then `appID` is only a claim; nil: outside any sandbox.
    public var sandbox: Identity?

    public init(
        appID: String = "", title: String = "", lineage: [Int32] = [], client: UInt64 = 0, parent: WindowID? = nil,
        isX11: Bool = false, isModal: Bool? = nil, isPip: Bool = false, session: String = "", isBare: Bool = false,
        hints: WindowHints? = nil,
        isSplash: Bool = false, ownSize: Size? = nil, sandbox: Identity? = nil
    ) {
        self.appID = appID
        self.title = title
        self.lineage = lineage
        self.client = client
        self.parent = parent
        self.isX11 = isX11
        self.isModal = isModal
        self.isPip = isPip
        self.isBare = isBare
        self.hints = hints
        self.session = session
        self.isSplash = isSplash
        self.ownSize = ownSize
        self.sandbox = sandbox
    }

    private enum CodingKeys: String, CodingKey {
        case appID, title, lineage, client, parent, isX11, isModal, isPip, session, isBare, hints, isSplash, ownSize, sandbox
    }

    /// The session of the toolkit, without the window's name in it.
    var sessionID: Substring? { session.firstIndex(of: "/").map { session[..<$0] } }

    /// Leaves out rare fields with their default value.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(appID, forKey: .appID)
        try fields.encode(title, forKey: .title)
        try fields.encode(lineage, forKey: .lineage)
        try fields.encode(client, forKey: .client)
        try fields.encodeIfPresent(parent, forKey: .parent)
        try fields.encode(isX11, forKey: .isX11)
        try fields.encodeIfPresent(isModal, forKey: .isModal)
        try fields.encodeIfPresent(hints, forKey: .hints)
        if isBare { try fields.encode(isBare, forKey: .isBare) }
        if isPip { try fields.encode(isPip, forKey: .isPip) }
        if isSplash { try fields.encode(isSplash, forKey: .isSplash) }
        if !session.isEmpty { try fields.encode(session, forKey: .session) }
        try fields.encodeIfPresent(ownSize, forKey: .ownSize)
        try fields.encodeIfPresent(sandbox, forKey: .sandbox)
    }

    /// Rare fields are left out if they have their default value.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        appID = try fields.decode(String.self, forKey: .appID)
        title = try fields.decode(String.self, forKey: .title)
        lineage = try fields.decode([Int32].self, forKey: .lineage)
        client = try fields.decode(UInt64.self, forKey: .client)
        parent = try fields.decodeIfPresent(WindowID.self, forKey: .parent)
        isX11 = try fields.decode(Bool.self, forKey: .isX11)
        isModal = try fields.decodeIfPresent(Bool.self, forKey: .isModal)
        hints = try fields.decodeIfPresent(WindowHints.self, forKey: .hints)
        isBare = try fields.decodeIfPresent(Bool.self, forKey: .isBare) ?? false
        isPip = try fields.decodeIfPresent(Bool.self, forKey: .isPip) ?? false
        isSplash = try fields.decodeIfPresent(Bool.self, forKey: .isSplash) ?? false
        session = try fields.decodeIfPresent(String.self, forKey: .session) ?? ""
        ownSize = try fields.decodeIfPresent(Size.self, forKey: .ownSize)
        sandbox = try fields.decodeIfPresent(Identity.self, forKey: .sandbox)
    }
}

/// The state after a commit.
public struct WindowCommit: Hashable, Codable, Sendable {
    /// The window geometry, in points.
    public var size: Size
    /// The latest configure that the client acked; 0 = none.
    public var answered: UInt32
    /// 0 = no limit.
    public var minimum: Size
    public var maximum: Size
    /// The client's own request to be without its bars (xdg set_fullscreen).
    public var wantsFullscreen: Bool
    /// A bounding box of the input region, relative to the geometry. Shadows often take no input, and subsurfaces may
    /// extend beyond. nil for the geometry itself.
    public var input: Rect?
    /// For a client that never set a window geometry: the offset of its visible extents from the corner of its main
    /// surface. nil if there is none.
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

    /// The permitted size nearest to `size`.
    public func permitted(_ size: Size) -> Size {
        func permitted(_ length: Double, _ least: Double, _ most: Double) -> Double { max(least, most > 0 ? min(length, most) : length) }
        return Size(permitted(size.width, minimum.width, maximum.width), permitted(size.height, minimum.height, maximum.height))
    }
}

/// Everything that a window is ever sent (W-10). Nothing in it names an arrangement.
public struct Configure: Hashable, Codable, Sendable {
    /// Increases with every configure of the shell.
    public var sequence: UInt32
    /// Position and size in whole points. X11 clients need the position. Wayland clients get only the size.
    public var frame: Rect
    /// The client chooses its size (dialogs, and videos before their shape is known).
    public var chooses: Bool
    public var activated: Bool
    /// Not a dialog: it fills its place.
    public var arranged: Bool
    /// The client's own request, granted.
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

    /// Whether the client would see no difference.
    public func says(sameAs other: Configure) -> Bool {
        frame.size == other.frame.size && chooses == other.chooses && activated == other.activated
            && arranged == other.arranged && fullscreen == other.fullscreen
    }
}

public struct Window: Hashable, Codable, Sendable {
    public let id: WindowID
    @Indirect public var facts: WindowFacts
    /// Its app: the id of an installed app, else its own app id.
    public var app = ""
    public var isMapped = false
    /// Whether the user asked for it (W-19). Until then it waits.
    public var isAdmitted = false
    /// When it came and had to wait, as a service opened it (W-19); nil: a person asked for it.
    var unaskedSince: Moment?
    public var isUnasked: Bool { unaskedSince != nil }
    /// The launch of the activation token that it presented before it was mapped.
    public var launch: LaunchID?
    public var commit = WindowCommit(size: .zero)
    public var lastConfigure: Configure?
    /// The sequence number of the last configure that changed its size. Other configures change nothing visible.
    public var resized: UInt32 = 0
    /// It did not answer a configure in time. Nothing waits for it until it answers again.
    public var isLate = false
    /// Its app is frozen: it gets no configure, and nothing waits for it.
    public internal(set) var isSuspended = false
    /// The size of its picture while that is held.
    public var heldSize: Size?
    /// The place for which it drew its picture, while a finger drags the divider beside it and that place may be another; nil: its own.
    var drawnFor: Rect?
    /// The same of the picture that is held.
    var heldFor: Rect?
    /// The places of its popups and menus, in its own unscaled coordinates.
    public var popups: [Rect] = []
    public var popupGrab = false
    /// nil: it was not asked to close.
    public var closing: ClosingState?
    /// The size that it chose itself: a video's shape.
    public var naturalSize: Size?
    /// The size of the place for which it last got a size.
    var room: Size?
    /// The smallest size that it drew there although it was sent a smaller one. 0 if it drew no larger than it was sent.
    var overflow: Size?
    /// Whether it was resized since it was mapped.
    var wasResized = false
    /// The items in it that a person can pinch open (W-21).
    public internal(set) var pinchables: [Pinchable] = []
    /// The window over which its app opened it prominently (W-14).
    var raisedOver: WindowID?
    /// Set while it stands as a prompt (W-19).
    @Indirect public internal(set) var prompt: Prompt?
    /// When it last had the focus; larger is later.
    public var lastFocus: UInt64 = 0
    /// Set if no program runs for it.
    public internal(set) var placeholder: Placeholder?
    /// The command that the shell started its program with, if it did.
    public internal(set) var command: [String]?
    /// The placeholder that it filled, if its app may still bring a window that belongs there rather.
    @Indirect public internal(set) var restored: Restored?
    /// When an app that was started again brought it, if it filled no placeholder: its title may say later which one.
    var cameLoose: Moment?
    /// It is a dialog that came before its window, and stands on that one's placeholder.
    var standsBefore: Bool?
    /// The name of its program's file, once it is known.
    var program: String?
    /// The name of its last picture (W-20).
    public internal(set) var picture: String?
    /// The view of it that a person chose, if its place shows only a part (W-11).
    @Indirect public internal(set) var lens: Lens?
    /// When its place may show only a part of it.
    public internal(set) var lensRule = LensRule.whole

    public init(id: WindowID, facts: WindowFacts) {
        self.id = id
        self.facts = facts
        // A toolkit that makes its window a few points large means no size.
        naturalSize = facts.ownSize.flatMap { min($0.width, $0.height) >= Self.leastOwnSize ? $0 : nil }
    }

    private static let leastOwnSize = 40.0

    /// Whether it was resized, has not answered yet, and is still waited for.
    public var isAwaited: Bool { commit.answered < resized && !isLate && !isSuspended && placeholder == nil }

    /// The size of its displayed picture.
    public var contentSize: Size { heldSize ?? commit.size }

    public var content: WindowContent {
        let drawnFor = heldSize == nil ? drawnFor : heldFor
        return WindowContent(
            size: contentSize, isStretched: heldSize == nil && isAwaited && drawnFor == nil, drawnFor: drawnFor,
            lens: lens?.rule == lensRule ? lens : nil, lensRule: lensRule)
    }
}

/// The placeholder that a window filled.
public struct Restored: Hashable, Codable, Sendable {
    /// The title of the window that belongs there.
    public var title: String
    public var when: Moment
    /// The placeholder that stood there, as it would stand there again.
    public var placeholder: Placeholder
    /// Its picture.
    public var picture: String?
    /// Whether the window was asked for. Otherwise it filled the placeholder because its turn came.
    public var wasAsked = false
    /// Whether a person asked for it, after the app had brought the windows that it brings by itself.
    var wasAskedByPerson = false
    /// The title with which the window came; nil once its app was asked to close it.
    public var firstTitle: String?
    /// The app of the placeholder.
    public var app: String?
    var appID: String?
    /// Whether it had the title of the window that belongs there.
    var isSettled = false
    /// The placeholder that was put behind, because this window does not belong there.
    var leftOver: WindowID?

    public var origin: KeptProcess? { placeholder.origin }
}

extension Placeholder {
    /// The same, as if nothing was done for it yet.
    var untouched: Placeholder { Placeholder(command: command, directory: directory, origin: origin) }
}

/// The state of a window that determines where its own picture is drawn.
public struct WindowContent: Hashable, Sendable {
    /// Of the displayed picture; empty if there is none.
    public var size: Size
    /// Whether the picture is older than the window's size. It is stretched over the moving frame.
    public var isStretched: Bool
    /// The place for which it was drawn, if that is not the window's own.
    public var drawnFor: Rect?
    /// The view of it that a person chose.
    public var lens: Lens?
    /// When its place may show only a part of it.
    public var lensRule = LensRule.whole
}
