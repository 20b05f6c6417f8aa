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
                    guard case .failed(let why) = try QuickLookView([], busAddress: "unix:path=\(bus)").wait() else { return false }
                    return !why.hasPrefix("no shell")
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
                    .actionSheet, title: "Discard your changes?", choices: [.init("Discard", .destructive), .init("Keep", .cancel)], busAddress: bus)
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
                #expect(wrong.wait() == .failed("M-12: a modal view needs a title"))
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
                #expect(throws: ShellViewError("/no/such/file: No such file or directory")) { try ShareView(paths: ["/no/such/file"], busAddress: bus) }
                #expect(try ShareView(busAddress: bus).wait() == .failed("there is nothing to share"))
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
                guard case .failed(let why) = try QuickLookView(paths: ["\(shell.room)/files"], busAddress: bus).wait() else {
                    Issue.record("a folder was shown")
                    return
                }
                #expect(why.contains("files"), "\(why)")
                #expect(throws: ShellViewError("/no/such/file: No such file or directory")) { try QuickLookView(paths: ["/no/such/file"], busAddress: bus) }
                guard case .failed = try QuickLookView([], busAddress: bus).wait() else {
                    Issue.record("nothing was shown")
                    return
                }
            }
        }

        @Test("Without a shell on the bus each of them says so")
        func nobody() throws {
            let bus = try TestBus()
            #expect(try ShellView(.alert, title: "Anybody?", busAddress: bus.address).wait() == .failed("no shell that shows views is on the session bus"))
            #expect(try ShareView(text: "x", busAddress: bus.address).wait() == .failed("no shell that shares files is on the session bus"))
            #expect(try QuickLookView(paths: ["/etc/hostname"], busAddress: bus.address).wait() == .failed("no shell that shows files is on the session bus"))
        }
    }
}
