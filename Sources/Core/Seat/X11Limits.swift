/// Limits for X11 programs and for Xwayland. They keep the shell responsive whatever these do. The guards between wlroots and
/// Xwayland apply them to each event, and decide nothing else. Times are in nanoseconds.
public enum X11Limits {
    // MARK: Events

    /// The time per turn of the event loop in which X11 events are handled, so that other clients get their turn.
    public static let slice: Int64 = 4_000_000
    /// Events about one program during one round trip to Xwayland: no program needs that many changes. Beyond this limit, it is
    /// disconnected.
    public static let events: UInt32 = 20_000
    /// Messages about one program in the same time. Their sender is unknown, so those beyond this limit are dropped.
    public static let messages: UInt32 = 500
    /// Windows that may be mapped before Xwayland is asked whether it has caught up. It makes a surface and a buffer for
    /// each, and exits if its socket to the shell overflows.
    public static let maps: UInt32 = 16
    /// Bytes that Xwayland sent as a Wayland client and that wait. Beyond this limit, X11 events wait for those: Xwayland exits if its
    /// own messages cannot be delivered.
    public static let unheardBytes: UInt32 = 8192

    // MARK: Selections

    /// Unanswered requests for a selection: of one program, and of all. Each has two descriptors. The count of a program starts
    /// again after it paused for `questionsForgotten`, that of all programs after ten times as long.
    public static let questions: UInt32 = 64, questionsOfAll: UInt32 = 1024
    public static let questionsForgotten: Int64 = 60_000_000_000
    /// Bytes of a selection in one property, as much as one request holds. Beyond this limit, the paste is refused; a longer selection
    /// has to come in parts.
    public static let pasteBytes: UInt32 = 16 << 20

    // MARK: Texts

    /// Properties of a window, in words of four bytes: a title of 2 KiB is long, and so are 512 protocols. Longer ones are cut off.
    public static let windowWords: UInt32 = 512
    /// The types of a selection: 256. The others are not offered.
    public static let typeWords: UInt32 = 256
    /// The name of a type, in bytes. A type with a longer name is not offered.
    public static let longestType: UInt32 = 255

    // MARK: Silence of Xwayland

    /// The longest single wait for a reply, after which Xwayland counts as silent. A missed reply comes late, and the window is placed
    /// without it. So this must not be shorter than what a busy machine takes for a new window.
    public static let patience: Int64 = 250_000_000
    /// The shell spends at most one part in this many of its time waiting for replies.
    public static let share: UInt32 = 5
    /// After this long without a reply, Xwayland is probed before much is sent to it.
    public static let attention: Int64 = 1_000_000_000
    /// Longer waits are logged, and an Xwayland that reads nothing for so long is killed.
    public static let longSilence: Int64 = 2_000_000_000
    /// How much of Xwayland's socket buffer is unread, in 1/32. From `doubtful` on, the shell asks whether Xwayland is there, and
    /// keeps long lists to itself; from `held` on, it keeps requests back in a buffer of its own. A silent Xwayland is killed at
    /// `stuck`, and after a long silence at `silent`. From a quarter on, libxcb would block, so at `full` it is killed
    /// unless it reads at once. A single write takes little more than one part.
    public enum Unread {
        public static let doubtful: Int32 = 3, held: Int32 = 4, silent: Int32 = 6, stuck: Int32 = 7, full: Int32 = 8
    }

    /// Late replies that are kept until wlroots asks again.
    public static let lateReplies: UInt32 = 4096
}
