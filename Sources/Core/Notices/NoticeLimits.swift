import Callers

/// The maximum size of the list, and how often it may disturb.
public enum NoticeLimits {
    /// Notifications, and bytes of their texts. Those of nameless sandboxes come on top (`Quota`).
    public static let all = Quota.notices.share.all, bytes = Quota.noticeBytes.share.all
    /// Banners of one owner in a row, and seconds until it gets the next one. Nothing but the banner is dropped.
    static let burst = 4.0, pause = 5.0
    /// The same for new values of what a script shows at each key.
    static let steps = 16.0, stepPause = 1.0
    /// Sounds in a row, and seconds until the next one: notifications of many apps at once are one thing to hear.
    static let sounds = 2.0, soundPause = 3.0
    /// Owners whose allowance is remembered.
    static let allowances = 64
    /// Bars that a person swept away, of which the next step comes back without a banner.
    static let swept = 64
    /// Names of senders that a focus offers.
    public static let people = 100
    /// The shortest time between two deliveries of a schedule, in seconds.
    public static let shortestRepeat: Int64 = 60
    /// A delivery that is this much late, in seconds, says so.
    static let late: Int64 = 60
    /// The last time that a schedule may name: the end of the year 9999.
    public static let latestTime: Int64 = 253_402_300_799
    /// A sender that leaves this soon, in seconds, only told of a job, as `notify-send` does: another one may renew its bar, for so long.
    static let brief: Int64 = 2, renewal: Int64 = 10
    /// Seconds for which a person puts one off.
    public static let snooze: Int64 = 3600
}
