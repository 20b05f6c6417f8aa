import ArgumentParser
import Clocks
import Glibc
import MullionKit

struct NotifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify", abstract: "Notify a person at a time, from a script.",
        discussion: """
            The shell delivers the notification at its time, whether the app runs or not. If the machine was off then, it \
            comes at the next start and says that it is late.

            A time is a time of the day, a date with a time, +30m from now (s, m, h, d), or @ with seconds since 1970:

                mullion notify --at 18:30 "Leave for the station"
                mullion notify --at 2027-03-01T08:00 --repeat weekly "Water the plants" --name plants
                mullion notify --list
                mullion notify --cancel plants
            """)

    @Option(help: ArgumentHelp("When; now if left out.", valueName: "time")) var at: String?
    @Option(name: .customLong("repeat"), help: ArgumentHelp("daily, weekly, or after so many seconds.", valueName: "how")) var repeats:
        ScheduledNotice.Repetition?
    @Option(help: ArgumentHelp("Its name, to replace or cancel it; one of its own if left out.", valueName: "name")) var name: String?
    @Option(help: ArgumentHelp("The app that it belongs to, and that a tap opens.", valueName: "app")) var app = ""
    @Option(help: ArgumentHelp("passive, active or time-sensitive.", valueName: "level")) var level = ScheduledNotice.Level.active
    @Option(help: ArgumentHelp("What the app gets back when a person taps it.", valueName: "text")) var payload = ""
    @Flag(help: "What is scheduled.") var list = false
    @Option(help: ArgumentHelp("Cancel the one of this name.", valueName: "name")) var cancel: String?
    @Argument(help: "The title.") var title: String?
    @Argument(help: "More words.") var body = ""

    func validate() throws {
        if list || cancel != nil { return }
        guard let title, !title.isEmpty else { throw ValidationError("The title is missing.") }
        if let at, Self.time(at) == nil {
            throw ValidationError("\"\(at)\" is no time: such as 18:30, 2027-03-01T08:00, +30m or @1800000000.")
        }
    }

    func run() throws {
        do throws(MullionError) {
            let notices = try ScheduledNotices(app: app)
            // Longer than the shell's own time for an answer: its error says more.
            let patience = 30.0
            if list {
                for one in try notices.list().wait(seconds: patience) {
                    print("\(Self.words(one.time))  \(one.name.onOneLine)  \(one.title.onOneLine)")
                }
            } else if let cancel {
                guard try notices.cancel(cancel).wait(seconds: patience) else {
                    throw MullionError(.unknown, "nothing of the name \(cancel) is scheduled")
                }
            } else {
                let now = Clocks.secondsSince1970, time = at.flatMap { Self.time($0) } ?? now
                let own = "notify-\(now)-\(getpid())"
                try notices.schedule(
                    ScheduledNotice(
                        name: name ?? own, time: time, repeats: repeats, title: title ?? "", body: body, level: level, payload: payload
                    )
                ).wait(seconds: patience)
            }
        } catch {
            throw Failure(error.text)
        }
    }

    // MARK: Times

    /// Seconds since 1970; nil: the text names no time.
    static func time(_ text: String, now: Int64 = Clocks.secondsSince1970) -> Int64? {
        if text.hasPrefix("@") { return Int64(text.dropFirst()) }
        if text.hasPrefix("+") {
            guard let unit = text.last.flatMap({ ["s": 1, "m": 60, "h": 3600, "d": 86_400][$0] }),
                let count = Int64(text.dropFirst().dropLast()), count >= 0
            else { return nil }
            let (seconds, overflows) = count.multipliedReportingOverflow(by: Int64(unit))
            return overflows || seconds > 1 << 40 ? nil : now + seconds
        }
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "T" })
        guard let last = parts.last, parts.count <= 2 else { return nil }
        let clock = last.split(separator: ":").map { Int32($0) }
        guard (2...3).contains(clock.count), let hour = clock[0], let minute = clock[1], let second = clock.count == 3 ? clock[2] : 0,
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        var here = time_t(now), day = tm()
        localtime_r(&here, &day)
        if parts.count == 2 {
            let date = parts[0].split(separator: "-").map { Int32($0) }
            guard date.count == 3, let year = date[0], let month = date[1], let number = date[2], (1970...9999).contains(year),
                (1...12).contains(month),
                (1...31).contains(number)
            else { return nil }
            (day.tm_year, day.tm_mon, day.tm_mday) = (year - 1900, month - 1, number)
        }
        (day.tm_hour, day.tm_min, day.tm_sec, day.tm_isdst) = (hour, minute, second, -1)
        let asked = (day.tm_mon, day.tm_mday), time = Int64(mktime(&day))
        // There is no 30 February.
        guard parts.count == 1 || asked == (day.tm_mon, day.tm_mday) else { return nil }
        // A time of the day that has passed is tomorrow's.
        guard parts.count == 1, time <= now else { return time }
        day.tm_mday += 1
        day.tm_isdst = -1
        return Int64(mktime(&day))
    }

    private static func words(_ time: Int64) -> String {
        var seconds = time_t(time), parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) \(two(parts.tm_hour)):\(two(parts.tm_min))"
    }
}

extension ScheduledNotice.Repetition: ExpressibleByArgument {
    public init?(argument: String) {
        switch argument {
        case "daily": self = .daily
        case "weekly": self = .weekly
        default:
            guard let seconds = Int64(argument) else { return nil }
            self = .every(seconds: seconds)
        }
    }
}

extension ScheduledNotice.Level: ExpressibleByArgument {}
