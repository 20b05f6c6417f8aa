import Control
import Foundation
import Geometry
import MullionKit
import MullionTesting
import Testing
import Windows

extension RunningShell {
    /// MullionKit's views at a real shell, by touch: this process is the program that asks (M-05, W-18).
    @Suite(.serialized) struct KitViewTests {
        private func with(_ body: (ShellUnderTest, String) throws -> Void) throws {
            try ShellUnderTest.with(environment: ["DBUS_SESSION_BUS_ADDRESS": ""], files: ["files/Note.txt": "Words.\n"]) { shell in
                let bus = "\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus"
                try shell.wait("the bus") { FileManager.default.fileExists(atPath: bus) }
                try shell.wait("the shell on the bus") {
                    guard case .failed(let error) = try QuickLookView([], busAddress: "unix:path=\(bus)").wait() else { return false }
                    return error.kind != .unavailable
                }
                try body(shell, "unix:path=\(bus)")
            }
        }

        /// Processes its events until this holds.
        private func wait(_ what: String, _ shell: ShellUnderTest, _ process: () -> Void, until isDone: () throws -> Bool) throws {
            try shell.wait(what, within: 20) {
                process()
                return try isDone()
            }
        }

        @Test("M-05: ShellView asks, and hears the choice once; closed, its view goes")
        func asks() throws {
            try with { shell, bus in
                let question = try ShellView(
                    .actionSheet, title: "Discard your changes?", choices: [.init("Discard", .destructive), .init("Keep", .cancel)],
                    busAddress: bus)
                var heard: [ShellView.Answer] = []
                question.onAnswer = { heard.append($0) }
                try wait("the view", shell, question.process) { try shell.find("modal/1/choice/0") != nil }
                try shell.settle()
                try shell.tap(try #require(try shell.find("modal/1/choice/0")).frame.center)
                try wait("the answer", shell, question.process) { question.answer != nil }
                #expect(heard == [.chose(0)] && question.descriptor == -1)

                let second = try ShellView(.alert, title: "Anybody?", busAddress: bus)
                second.onAnswer = { heard.append($0) }
                try wait("the view", shell, second.process) { try shell.find("modal/2/choice/0") != nil }
                second.close()
                try shell.wait("the view to go") { try shell.state().open.isEmpty }
                #expect(heard.count == 1)

                let wrong = try ShellView(.alert, title: "", busAddress: bus)
                #expect(wrong.wait() == .failed(MullionError(.refused, "M-12: a modal view needs a title")))
            }
        }

        @Test("M-05: ShareView hears what a person chose, and names a file that it cannot open")
        func shares() throws {
            try with { shell, bus in
                let view = try ShareView(paths: ["\(shell.room)/files/Note.txt"], text: "Look", busAddress: bus)
                try wait("the view", shell, view.process) { try view.answer != nil || shell.views().contains { $0.name == "Copy" } }
                try #require(view.answer == nil, "\(String(describing: view.answer))")
                try shell.settle()
                try shell.tap(try #require(try shell.views().last { $0.name == "Copy" }).frame.center)
                try wait("the answer", shell, view.process) { view.answer != nil }
                #expect(view.answer == .copied)
                #expect(throws: MullionError(.cannotOpen, "/no/such/file: No such file or directory")) {
                    try ShareView(paths: ["/no/such/file"], busAddress: bus)
                }
                #expect(try ShareView(busAddress: bus).wait() == .failed(MullionError(.badParameter, "there is nothing to share")))
            }
        }

        @Test("W-18, W-19: QuickLookView waits behind a badge if nobody acted in the app, and says why a file is not shown")
        func looks() throws {
            try with { shell, bus in
                let view = try QuickLookView(paths: ["\(shell.room)/files/Note.txt"], busAddress: bus)
                var heard: [QuickLookView.Answer] = []
                view.onAnswer = { heard.append($0) }
                try wait("the answer", shell, view.process) { view.answer != nil }
                #expect(heard == [.waiting])
                try shell.wait("the window") { try shell.windows(of: "org.mullion.View").first?.place == .waiting }
                guard case .failed(let error) = try QuickLookView(paths: ["\(shell.room)/files"], busAddress: bus).wait() else {
                    Issue.record("a folder was shown")
                    return
                }
                #expect(error.text.contains("files"), "\(error)")
                #expect(throws: MullionError(.cannotOpen, "/no/such/file: No such file or directory")) {
                    try QuickLookView(paths: ["/no/such/file"], busAddress: bus)
                }
                guard case .failed = try QuickLookView([], busAddress: bus).wait() else {
                    Issue.record("nothing was shown")
                    return
                }
            }
        }

        @Test("S-12: ScheduledNotices schedules, lists and cancels, and an error has its kind and the shell's words")
        func schedules() throws {
            try with { _, bus in
                let notices = try ScheduledNotices(app: "org.example.Tea", busAddress: bus)
                let tea = ScheduledNotice(
                    name: "tea", time: 4_000_000_000, repeats: .weekly, title: "The tea is ready", level: .timeSensitive, payload: "green")
                var heard: [String] = []
                let kept = notices.schedule(tea)
                kept.whenDone { if case .success = $0 { heard.append("kept") } }
                // The schedule is there before it is on the disk, which its own answer waits for.
                #expect(try notices.list().wait() == [.init(name: "tea", time: 4_000_000_000, title: "The tea is ready")])
                try kept.wait()
                #expect(heard == ["kept"])
                #expect(try notices.takeTaps().wait().isEmpty)
                #expect(try notices.cancel("tea").wait())
                #expect(try !notices.cancel("tea").wait())
                var quick = tea
                quick.repeats = .every(seconds: 59)
                #expect(throws: MullionError(.badParameter, "a schedule repeats after 60 seconds at the earliest, not 59")) {
                    try notices.schedule(quick).wait()
                }
                notices.close()
                #expect(throws: MullionError(.expiredSession, "the connection is closed, or the bus was lost")) {
                    try notices.list().wait()
                }
            }
        }

        @Test("Without a shell on the bus each of them says so")
        func nobody() throws {
            let bus = try TestBus()
            #expect(
                try ShellView(.alert, title: "Anybody?", busAddress: bus.address).wait()
                    == .failed(MullionError(.unavailable, "no shell that shows views is on the session bus")))
            #expect(
                try ShareView(text: "x", busAddress: bus.address).wait()
                    == .failed(MullionError(.unavailable, "no shell that shares files is on the session bus")))
            #expect(
                try QuickLookView(paths: ["/etc/hostname"], busAddress: bus.address).wait()
                    == .failed(MullionError(.unavailable, "no shell that shows files is on the session bus")))
            let notices = try ScheduledNotices(app: "org.example.Tea", busAddress: bus.address)
            #expect(throws: MullionError(.unavailable, "no shell that delivers notifications is on the session bus")) {
                try notices.list().wait()
            }
        }
    }
}
