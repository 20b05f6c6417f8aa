/// The claims of a sender about its notification, as the specification's hints have them, and the shell's reading of them.
public struct NoticeClaims: Hashable, Sendable {
    /// 0 low, 1 normal, 2 critical.
    public var urgency: Int?
    public var category: String
    /// In milliseconds; -1: the server's choice, 0: never.
    public var timeout: Int
    /// The level that the app names itself (`x-mullion-level`).
    public var level: String?
    /// A person started the job that has ended, and the app marked it as important (S-07).
    public var isImportantEnd: Bool
    /// The sender is a browser: it marks everything as critical that a page wants to stay.
    public var isBrowser: Bool

    public init(
        urgency: Int? = nil, category: String = "", timeout: Int = -1, level: String? = nil, isImportantEnd: Bool = false,
        isBrowser: Bool = false
    ) {
        self.urgency = urgency
        self.category = category
        self.timeout = timeout
        self.level = level
        self.isImportantEnd = isImportantEnd
        self.isBrowser = isBrowser
    }

    /// S-07: of a job that ended, only an important one that a person started disturbs. A program's own word counts up to
    /// time-sensitive; critical is for what endangers the device, its data or its people.
    public var resultingLevel: NoticeLevel {
        if let level, let named = NoticeLevel(name: level), named != .critical || isDanger {
            // A program may always say less.
            return named == .timeSensitive && isRoutineEnd ? .active : named
        }
        if isImportantEnd { return .timeSensitive }
        if isRoutineEnd { return .passive }
        if isCall || isAlarm { return .timeSensitive }
        switch urgency ?? 1 {
        case ...0: return .passive
        case 1: return .active
        default: return isBrowser ? .active : isDanger ? .critical : .timeSensitive
        }
    }

    /// The end of a download, a copy or a build.
    private var isRoutineEnd: Bool { !isImportantEnd && Self.ends.contains { category == $0 || category.hasPrefix($0 + ".") } }
    private var isDanger: Bool { Self.dangers.contains { category == $0 || category.hasPrefix($0 + ".") } }
    public var isCall: Bool { category == "call" || category.hasPrefix("call.") }
    private var isAlarm: Bool { category == "alarm" || category.hasPrefix("alarm.") }

    /// A call that rings and an alarm stay on the screen.
    public var stays: Bool { category == "call.incoming" || category == "alarm.ringing" || resultingLevel == .critical }

    private static let ends = ["transfer.complete", "transfer", "x-mullion.task"]
    private static let dangers = ["battery", "device.error", "cellbroadcast", "x-gnome.battery", "os.battery"]
}
