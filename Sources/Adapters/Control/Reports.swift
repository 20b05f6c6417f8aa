import Geometry

/// Answer to `get version`.
public struct VersionReport: Hashable, Codable, Sendable {
    public var mullion = Mullion.version
    public var control = Mullion.controlVersion
    public var wlroots: String
    /// "headless", "wayland", "x11" or "drm".
    public var backend: String
    /// "pixman", "gles2" or "vulkan".
    public var renderer: String
    /// Name of the Wayland socket.
    public var socket: String
    /// Display of Xwayland; nil if there is none (yet).
    public var x11Display: String?
    /// The file with the cookie that X11 programs need there (XAUTHORITY); nil if there is none (yet).
    public var x11Authority: String?
    public var idiom: String
    public var process: Int32

    public init(
        wlroots: String, backend: String, renderer: String, socket: String, x11Display: String? = nil, x11Authority: String? = nil,
        idiom: String,
        process: Int32
    ) {
        self.wlroots = wlroots
        self.backend = backend
        self.renderer = renderer
        self.socket = socket
        self.x11Display = x11Display
        self.x11Authority = x11Authority
        self.idiom = idiom
        self.process = process
    }
}

/// Answer to `get statistics`: counters since the start.
public struct StatisticsReport: Hashable, Codable, Sendable {
    /// Frames in which something was new.
    public var framesDrawn: UInt64 = 0
    /// Those of them in which nothing was painted: an app's buffer was the whole picture and went to the screen as it was.
    public var framesScannedOut: UInt64 = 0
    /// Times that the output asked for a frame.
    public var frameEvents: UInt64 = 0
    /// Frame callbacks that clients got.
    public var frameCallbacks: UInt64 = 0
    /// CPU time of the last frame painted.
    public var lastDrawNanoseconds: UInt64 = 0
    /// Pixels painted in it.
    public var damagePixels: UInt64 = 0
    public var clients: UInt64 = 0
    public var surfaces: UInt64 = 0
    /// Events that the core has handled.
    public var events: UInt64 = 0
    /// CPU time of the shell's process.
    public var cpuNanoseconds: UInt64 = 0
    /// Resident memory.
    public var memoryBytes: UInt64 = 0
    /// Pictures of the shell's own: icons, texts, the wallpaper.
    public var pictureBytes: UInt64 = 0
    /// CPU time of the frames painted last, 600 at most, oldest first: listing, painting and committing.
    public var recentFrames: [UInt64] = []

    public init() {}
}

/// Answer to `get descriptors`: to compare from outside with `/proc/PID/fd`.
public struct DescriptorReport: Hashable, Codable, Sendable {
    public struct Entry: Hashable, Codable, Sendable {
        public var number: Int32
        /// What the kernel calls it: a path, `socket:[4711]`, `anon_inode:[timerfd]`. nil: it is closed.
        public var file: String?
        /// nil: a library's.
        public var owner: String?

        public init(number: Int32, file: String?, owner: String?) {
            self.number = number
            self.file = file
            self.owner = owner
        }
    }

    /// All that are open, by number.
    public var open: [Entry]
    /// Those that the shell believes to own and that are closed, or another file by now. Always empty.
    public var lost: [Entry]
    /// How often a part of the shell was to close what was not its own any more. Always 0.
    public var refusals: Int

    public init(open: [Entry], lost: [Entry], refusals: Int) {
        self.open = open
        self.lost = lost
        self.refusals = refusals
    }
}

/// Answer to `screenshot`.
public struct ScreenshotReport: Hashable, Codable, Sendable {
    /// Of the picture: the output's own pixels; of a window by itself one for each of its points.
    public var width: Int
    public var height: Int
    /// The file that was written.
    public var path: String?
    /// The PNG in base64, if no file was named.
    public var png: String?

    public init(width: Int, height: Int, path: String? = nil, png: String? = nil) {
        self.width = width
        self.height = height
        self.path = path
        self.png = png
    }
}

/// Answer to `clock`.
public struct ClockReport: Hashable, Codable, Sendable {
    /// Set by hand.
    public var hand: Bool
    /// In nanoseconds.
    public var now: Moment

    public init(hand: Bool, now: Moment) {
        self.hand = hand
        self.now = now
    }
}

/// Answer to `get configureLog`.
public struct ConfigureLogReport: Hashable, Codable, Sendable {
    /// Oldest first.
    public var lines: [String]

    public init(lines: [String]) { self.lines = lines }
}
