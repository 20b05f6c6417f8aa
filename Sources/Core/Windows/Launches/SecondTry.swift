import Geometry

/// Apps that are opened while they end.
///
/// A program that runs only once (GApplication, Qt's single applications) hands a new start to the instance that owns its name on
/// the bus. While that instance ends, the new start fails: "No such interface org.gtk.Application". A person who closes the last
/// window and taps the icon at once has done nothing wrong, so such a launch is tried once more.
extension Launches {
    struct Closed: Hashable, Codable, Sendable {
        var app: String
        var when: Moment
    }

    /// Seconds after the last window closed in which the instance may still be ending.
    static let endingTime = 5.0
    /// Seconds within which a program that meets an ending instance fails.
    static let failingTime = 3.0

    /// A window of this app is gone.
    mutating func closed(_ app: String, at now: Moment) {
        lastClosed = Closed(app: app, when: now)
    }

    /// The launch that takes the place of this one, whose program exited with an error; nil if the failure is to be told.
    mutating func secondTry(of id: LaunchID, at now: Moment) -> Launch? {
        guard let launch = self[id], let app = launch.app, let closed = lastClosed, closed.app == app, !launch.isUsed,
            launch.holder == nil, launch.placeholder == nil, launch.isSecondTry != true, launch.command != nil,
            launch.when - closed.when < Launches.endingTime, now - launch.when < Launches.failingTime
        else { return nil }
        var again = launch
        again.id = takeNumber()
        again.process = nil
        again.when = now
        again.isSecondTry = true
        all.append(again)
        return again
    }
}
