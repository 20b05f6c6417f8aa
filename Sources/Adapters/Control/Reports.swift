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
    /// The Xauthority file with the cookie for that display; nil if there is none (yet).
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
    /// Frames with new content.
    public var framesDrawn: UInt64 = 0
    /// The number of those frames that scanned out an app's buffer directly, without painting.
    public var framesScannedOut: UInt64 = 0
    /// Frame events from the output.
    public var frameEvents: UInt64 = 0
    /// Frame callbacks sent to clients.
    public var frameCallbacks: UInt64 = 0
    /// CPU time of the last frame painted.
    public var lastDrawNanoseconds: UInt64 = 0
    /// Pixels painted in that frame.
    public var damagePixels: UInt64 = 0
    public var clients: UInt64 = 0
    public var surfaces: UInt64 = 0
    /// Events that the core has handled.
    public var events: UInt64 = 0
    /// CPU time of the shell's process.
    public var cpuNanoseconds: UInt64 = 0
    /// Resident memory.
    public var memoryBytes: UInt64 = 0
    /// Whether everything that outlives a crash has reached the disk, or nothing is kept.
    public var isKept = true
    /// Bytes of the shell's own pictures: icons, texts, the wallpaper.
    public var pictureBytes: UInt64 = 0
    /// The use of memory.
    public var memory = MemoryReport()
    /// CPU time of the last frames that were painted, 600 at most, oldest first: listing, painting and committing.
    public var recentFrames: [UInt64] = []
    /// The ends of the gamma ramps of a virtual output, red, green and blue, up to 65535; empty for others.
    public var colours: [UInt16] = []

    public init() {}
}

/// The use of the shell's memory, in bytes.
public struct MemoryReport: Hashable, Codable, Sendable {
    /// Private memory of the process without a file behind it, which the kernel cannot take back.
    public var anonymous: UInt64 = 0
    /// Parts of the heap that are in use, those that are free, and those that were mapped by themselves.
    public var heapUsed: UInt64 = 0, heapFree: UInt64 = 0, heapMapped: UInt64 = 0
    /// The shell's own pictures.
    public var wallpaper: UInt64 = 0, glass: UInt64 = 0, icons: UInt64 = 0, placeholders: UInt64 = 0, texts: UInt64 = 0,
        otherPictures: UInt64 = 0
    /// The bytes of those pictures whose pages are in a file.
    public var picturesInFile: UInt64 = 0
    /// Pictures of windows that are shown small, of held windows, and masks of corners and shadows.
    public var smallWindows: UInt64 = 0, heldWindows: UInt64 = 0, masks: UInt64 = 0
    /// Copied content that the shell keeps for the time after its app ends.
    public var copied: UInt64 = 0
    /// Protocol objects of all clients: a number, no bytes.
    public var clientObjects: UInt64 = 0

    public init() {}
}

/// Answer to `get violations`: sentences that name a law and its violation. All empty in a correct shell.
public struct ViolationReport: Hashable, Codable, Sendable {
    /// Faults of events that clients got (P-05): since the start, and ends that are missing now.
    public var wire: [String]
    /// Broken invariants of the core.
    public var system: [String]
    /// Broken laws that a person notices (P-01 to P-04). Empty while something moves.
    public var person: [String]

    public init(wire: [String] = [], system: [String] = [], person: [String] = []) {
        self.wire = wire
        self.system = system
        self.person = person
    }

    public var all: [String] { system + wire + person }
}

/// Answer to `get descriptors`, for comparison with `/proc/PID/fd`.
public struct DescriptorReport: Hashable, Codable, Sendable {
    public struct Entry: Hashable, Codable, Sendable {
        public var number: Int32
        /// The kernel's name for it: a path, `socket:[4711]`, `anon_inode:[timerfd]`. nil if it is closed.
        public var file: String?
        /// nil for a descriptor of a library.
        public var owner: String?

        public init(number: Int32, file: String?, owner: String?) {
            self.number = number
            self.file = file
            self.owner = owner
        }
    }

    /// All open descriptors, by number.
    public var open: [Entry]
    /// Descriptors that the shell believes it owns, but that are closed or refer to another file. Always empty.
    public var lost: [Entry]
    /// How often a part of the shell tried to close a descriptor that it no longer owned. Always 0.
    public var refusals: Int

    public init(open: [Entry], lost: [Entry], refusals: Int) {
        self.open = open
        self.lost = lost
        self.refusals = refusals
    }
}

/// Answer to `get configuration`.
public struct ConfigurationReport: Hashable, Codable, Sendable {
    public struct Fault: Hashable, Codable, Sendable {
        public var file: String
        /// From 1; 0: the whole file.
        public var line: Int
        public var column: Int
        public var message: String
        /// `last-good`, `rest` or `standard` (`FileTrouble.InEffect`).
        public var inEffect: String

        public init(file: String, line: Int, column: Int, message: String, inEffect: String) {
            (self.file, self.line, self.column, self.message, self.inEffect) = (file, line, column, message, inEffect)
        }
    }

    /// The configuration file. It need not exist.
    public var file: String
    /// False: the machine has no file watches left, and changes may go unnoticed until `reload`.
    public var isWatched: Bool
    /// The errors in it and in the data files of idioms.
    public var faults: [Fault]

    public init(file: String, isWatched: Bool, faults: [Fault] = []) {
        (self.file, self.isWatched, self.faults) = (file, isWatched, faults)
    }
}

/// Answer to `screenshot`.
public struct ScreenshotReport: Hashable, Codable, Sendable {
    /// The size of the picture in pixels: the output's own for the screen, one per point for a single window.
    public var width: Int
    public var height: Int
    /// The file that was written.
    public var path: String?
    /// The PNG in base64, if the request named no file.
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
    /// Whether the manual clock is active.
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
