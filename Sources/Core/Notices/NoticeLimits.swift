/// What the list holds at most, and how often it may disturb.
public enum NoticeLimits {
    /// Notifications, and bytes of their texts. The oldest one goes of the app that has the most.
    public static let all = 10_000, bytes = 16 << 20
    /// Banners of one app in a row, and seconds until it gets the next one. Nothing but the banner is dropped.
    static let burst = 4.0, pause = 5.0
    /// Apps whose allowance is remembered.
    static let allowances = 64
    /// Banners that wait for their turn. More are in the list only.
    public static let banners = 8
    /// Schedules of one app, and of all.
    public static let schedulesOfApp = 64, schedules = 512
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
