import ArgumentParser
import Control
import FoundationEssentials
import Journal
import Multitasking
import Processes
import Windows

struct CtlState: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "state", abstract: "Print the whole state as JSON.")
    @OptionGroup var shell: ShellChoice
    @Flag(help: "Indented, for people.") var pretty = false

    func run() throws { print(try shell.connect().ask(.get(.state)).text(pretty: pretty)) }
}

struct CtlWindows: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "windows", abstract: "Show the windows as a table.")
    @OptionGroup var shell: ShellChoice

    func run() throws { print(WindowTable(try shell.connect().state().windows).text) }
}

struct CtlScreenshot: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screenshot", abstract: "Take a picture of the screen or of one window, as PNG.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "The file to write; - for standard output.", completion: .file(extensions: ["png"])) var file: String
    @Option(help: "One window alone, also if it is not shown.") var window: WindowID?

    func run() throws {
        let client = try shell.connect()
        guard file == "-" else {
            let path = file.hasPrefix("/") ? file : FileManager.default.currentDirectoryPath + "/" + file
            try client.ask(.screenshot(ScreenshotRequest(window: window, path: path)))
            return
        }
        let report = try client.ask(.screenshot(ScreenshotRequest(window: window)), for: ScreenshotReport.self)
        guard let data = report.png.flatMap({ Data(base64Encoded: $0) }) else { throw Failure("the shell sent no picture") }
        try StandardOutput.write([UInt8](data))
    }
}

struct CtlFollow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Print what happens, a JSON object a line, until interrupted.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: ArgumentHelp("state: the whole state each time it changed; events: what the shell handles.", valueName: "topic"))
    var topics: [ControlRequest.Topic] = [.state]

    func run() throws {
        let client = try shell.connect()
        try client.ask(.follow(topics))
        while true {
            if let event = try client.event(within: 3600) { try StandardOutput.write(event.bytes + [UInt8(ascii: "\n")]) }
        }
    }
}

extension ControlRequest.Topic: ExpressibleByArgument {}

struct CtlLog: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show what a window was told: one configure a line, oldest first.")
    @OptionGroup var shell: ShellChoice
    @Argument var window: WindowID

    func run() throws {
        for line in try shell.connect().configureLog(of: window) { print(line) }
    }
}

struct CtlKeys: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "keys", abstract: "Show the keys and what they do.")
    @OptionGroup var shell: ShellChoice

    func run() throws {
        let keys = try shell.connect().ask(.get(.keys), for: [KeyBinding].self)
        let width = keys.map { $0.chord.description.count }.max() ?? 0
        for key in keys {
            let chord = key.chord.description
            print(chord + String(repeating: " ", count: width - chord.count + 2) + (try JSON(encoding: key.action).text()))
        }
    }
}

struct CtlVersion: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Print what the running shell is made of, as JSON.")
    @OptionGroup var shell: ShellChoice

    func run() throws { print(try shell.connect().ask(.get(.version)).text(pretty: true)) }
}

struct CtlStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Print the time, the battery and the connections of the device, as JSON.")
    @OptionGroup var shell: ShellChoice

    func run() throws { print(try shell.connect().ask(.get(.status)).text(pretty: true)) }
}

struct CtlStatistics: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statistics", abstract: "Print counters since the start, as JSON.")
    @OptionGroup var shell: ShellChoice

    func run() throws { print(try shell.connect().ask(.get(.statistics)).text(pretty: true)) }
}

struct CtlDescriptors: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "descriptors", abstract: "Print what the shell has open, and who owns it, as JSON.")
    @OptionGroup var shell: ShellChoice

    func run() throws { print(try shell.connect().ask(.get(.descriptors)).text(pretty: true)) }
}

struct CtlConfiguration: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configuration",
        abstract: "Print which configuration holds, what is wrong in it, and whether changes are noticed, as JSON.")
    @OptionGroup var shell: ShellChoice

    func run() throws { print(try shell.connect().ask(.get(.configuration)).text(pretty: true)) }
}

struct CtlExplain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Print the shell's rooms, and the order in which they follow an event.")
    @OptionGroup var shell: ShellChoice

    func run() throws {
        let order = try shell.connect().ask(.get(.order), for: OrderReport.self)
        for (title, names) in [
            ("Rooms, as another idiom begins:", order.rooms), ("After each event:", order.afterEvent),
            ("To settle a change:", order.settling),
        ] {
            print(title)
            for (index, name) in names.enumerated() { print("  \(index + 1). \(name)") }
        }
    }
}

/// Formats windows as aligned columns.
struct WindowTable {
    private var rows: [[String]] = [["ID", "PLACE", "FRAME", "APP", "TITLE", "NOTES"]]

    init(_ windows: [WindowReport]) {
        for window in windows {
            var notes: [String] = []
            if window.active { notes.append("active") }
            if !window.shown, window.place != .unmapped, window.place != .waiting { notes.append("not shown") }
            if window.late { notes.append("late") }
            if window.isX11 { notes.append("X11") }
            if let parent = window.parent { notes.append("of \(parent.raw)") }
            let frame = window.frame.map {
                "\(Int(clamping: $0.x)),\(Int(clamping: $0.y)) \(Int(clamping: $0.width))x\(Int(clamping: $0.height))"
            }
            rows.append([
                "\(window.id.raw)", window.place.rawValue, frame ?? "", window.appID.onOneLine, WindowTable.short(window.title.onOneLine),
                notes.joined(separator: ", "),
            ])
        }
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count + 2) }.joined()
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    private static func short(_ text: String) -> String { text.count > 40 ? text.prefix(39) + "…" : text }
}
