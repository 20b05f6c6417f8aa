import Foundation
import Geometry
import Testing

@testable import AudioSessions

@Suite("The interruption table (A-15 to A-19)")
struct TableTests {
    /// As written in the design: calls as ringing / accepted, games that mix below, what the table leaves open not at all.
    static let columns: [SoundKind] = [
        .music, .podcast, .gameSolo, .prompt, .alarm, .callRinging, .callActive, .recording, .notification, .video,
        .screenReader, .click,
    ]
    static let design: [(SoundKind, [String])] = [
        (.music, ["X", "X", "X°", "D", "P", "P", "P", "P", "D", "X°", "D", "M"]),
        (.podcast, ["X", "X", "X°", "P", "P", "P", "P", "P", "D", "X°", "D", "M"]),
        (.gameSolo, ["A", "A", "X°", "D", "A", "A", "A", "A", "D", "A", "D", "M"]),
        (.gameAmbient, ["M", "M", "M", "D", "A", "A", "A", "A", "D", "M", "D", "M"]),
        (.prompt, ["i", "W", "i", "C", "M", "M", "C", "M", "M", "i", "M", "M"]),
        (.alarm, ["i", "i", "i", "M", "C", "d", "C", "C", "M", "i", "D", "M"]),
        (.callActive, ["id", "id", "id", "i", "id", "id", "P", "R", "i", "id", "D", "M"]),
        (.recording, ["X/R", "X/R", "X/R", "N", "N/P", "M", "Pm", "R", "N", "X/R", "M", "N"]),
        (.notification, ["M", "M", "M", "M", "M", "M", "C", "C", "C", "M", "M", "M"]),
        (.video, ["X", "X", "X°", "D", "P", "P", "P", "P", "D", "X", "D", "M"]),
        (.screenReader, ["i", "i", "i", "M", "i", "i", "M", "M", "M", "i", "C", "M"]),
        (.click, ["M", "M", "M", "M", "M", "M", "M", "M", "M", "M", "M", "M"]),
    ]

    @Test("every cell is as designed")
    func cells() {
        for (row, cells) in Self.design {
            for (column, cell) in zip(Self.columns, cells) {
                #expect(InterruptionTable.cell(row, under: column).rawValue == cell, "\(row) under \(column)")
            }
        }
    }

    @Test("docs/audio.md has the table as it is")
    func document() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: folder.appending(path: "docs/audio.md"), encoding: .utf8)
        for row in InterruptionTable.rows {
            let cells = row.cells.split(separator: " ").joined(separator: " | ")
            #expect(text.contains("| \(row.kind) | \(cells) |\n"), "\(row.kind)")
        }
        #expect(text.contains("| " + InterruptionTable.columns.map(\.rawValue).joined(separator: " | ") + " |\n"))
    }

    @Test("A-26: an unknown sound stops nothing and is stopped by nothing")
    func unknown() {
        for kind in SoundKind.allCases {
            let asNewcomer = InterruptionTable.cell(kind, under: .unknown)
            #expect(asNewcomer == .mix || asNewcomer.newcomerDuck != nil)
            let asIncumbent = InterruptionTable.cell(.unknown, under: kind)
            #expect(asIncumbent == .mix || asIncumbent.incumbentDuck != nil)
        }
    }

    @Test("ordinals are places among all kinds")
    func ordinals() { #expect(SoundKind.allCases.map(\.ordinal) == Array(0..<SoundKind.count)) }

    /// Sounds of every kind as streams (classified by a person's rule) and, where apps can declare them, as sessions.
    static var pairs: [(SoundKind, SoundKind)] { SoundKind.allCases.flatMap { a in SoundKind.allCases.map { (a, $0) } } }

    @Test("every pair of streams does what its cell says, and nothing is left of it", arguments: Death.allCases)
    func streams(_ death: Death) {
        for (incumbent, newcomer) in Self.pairs {
            var world = World()
            world.stream(1, app: 1, incumbent, direction: incumbent == .recording ? .input : .output)
            world.stream(2, app: 2, newcomer, direction: newcomer == .recording ? .input : .output)
            let cell = world.audio.cell(
                of: Session(id: SessionID(0), app: 1, kind: incumbent).traits,
                under: Session(id: SessionID(1), app: 2, kind: newcomer).traits, isAskedFor: false)
            world.expect(cell, incumbent, newcomer)
            #expect(world.audio.violations() == [], "\(incumbent) under \(newcomer)")
            death.end(2, &world)
            #expect(world.audio.violations() == [], "\(incumbent) after \(newcomer)")
            death.end(1, &world)
            world.wait(3)
            #expect(world.audio.violations() == [])
            #expect(world.audio.sessions.values.allSatisfy { $0.begun == $0.ended && $0.ducks.isEmpty })
        }
    }

    @Test("every pair of declared sessions does what its cell says; each begin has one end")
    func sessions() {
        let kinds = SoundKind.allCases.filter { ![.notification, .click, .unknown].contains($0) }
        for incumbent in kinds {
            for newcomer in kinds {
                for notify in [false, true] {
                    var world = World()
                    world.declare(1, incumbent)
                    let cell = world.audio.cell(
                        of: world.session(1)!.traits, under: Session(id: SessionID(9), app: 99, kind: newcomer).traits, isAskedFor: false)
                    let answer = world.declare(2, newcomer)
                    let what: Comment = "\(incumbent) under \(newcomer), \(cell)"
                    #expect(world.audio.violations() == [], what)
                    guard cell != .refuse else {
                        #expect(answer?.error == .insufficientPriority, what)
                        #expect(world.session(1)?.state == .active && world.session(2)?.state == .inactive, what)
                        continue
                    }
                    #expect(answer == .done, what)
                    switch cell {
                    case .cut: #expect(world.session(1)?.state == .inactive && world.lastShouldResume[SessionID(1)] == false, what)
                    case .wait: #expect(world.session(2)?.state == .interrupted && world.session(1)?.state == .active, what)
                    default: #expect((world.session(1)?.state == .interrupted) == (cell.loss != nil), what)
                    }
                    #expect(world.begins[SessionID(1), default: 0] == (cell.loss != nil || cell == .cut ? 1 : 0), what)
                    world.ask(2, .deactivate(notifyOthers: notify))
                    #expect(world.audio.violations() == [], what)
                    let resumes: Bool? =
                        switch cell {
                        case .pause, .suspend: true
                        case .stopUnlessNotified: notify
                        case .stop, .pauseForGood, .cut: false
                        default: nil
                        }
                    #expect(world.lastShouldResume[SessionID(1)] == resumes, what)
                    if let resumes, cell != .cut {
                        #expect(world.session(1)?.state == (resumes || incumbent.isGame ? .active : .inactive), what)
                    }
                    #expect(world.begins == world.ends, what)
                    #expect(world.session(1)?.ducks == [], what)
                }
            }
        }
    }

    static let orders = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]]

    @Test("three deep, each one dying at each step, in each order", arguments: Death.allCases)
    func threeDeep(_ death: Death) {
        for first in SoundKind.allCases {
            for (second, third) in Self.pairs {
                for order in isSlow ? Self.orders : [Self.orders[(first.ordinal + second.ordinal + third.ordinal) % 6]] {
                    var world = World()
                    for (index, kind) in [first, second, third].enumerated() {
                        world.stream(UInt64(index + 1), app: index + 1, kind, direction: kind == .recording ? .input : .output)
                    }
                    for number in order {
                        death.end(number, &world)
                        let violations = world.audio.violations()
                        if !violations.isEmpty {
                            Issue.record("\(first), \(second), \(third), \(order) at \(number): \(violations)")
                            return
                        }
                    }
                    world.wait(2)
                    for session in world.audio.sessions.values where session.begun != session.ended || !session.ducks.isEmpty {
                        Issue.record("\(first), \(second), \(third), \(order): \(session)")
                        return
                    }
                }
            }
        }
    }
}

/// The ways in which an app's sound can end.
enum Death: String, CaseIterable {
    case stops, gone, frozen

    func end(_ number: Int, _ world: inout World) {
        switch self {
        case .stops:
            guard let facts = world.audio.streams[StreamID(UInt64(number))]?.facts else { return }
            var stopped = facts
            stopped.isRunning = false
            world.send(.streamChanged(StreamID(UInt64(number)), stopped))
        case .gone: world.send(.streamGone(StreamID(UInt64(number))))
        case .frozen: world.send(.appFreezing(AudioPresence(app: "app\(number)", lineage: [Int32(1000 + number)])))
        }
    }
}

extension SessionAnswer {
    var error: SessionError.Kind? { if case .failed(let error) = self { error.kind } else { nil } }
}

extension World {
    /// Stream 1 was there, stream 2 started.
    func expect(_ cell: InterruptionTable.Cell, _ incumbent: SoundKind, _ newcomer: SoundKind) {
        let what: Comment = "\(incumbent) under \(newcomer): \(cell)"
        let one = factors(1), two = factors(2)
        let ducks: [Duck.Strength?: Double] = [nil: 1, .light: light, .strong: strong, .silent: 0]
        switch cell {
        case .refuse: #expect(implied(app: 2)?.state == .barred && isConnected(2) == false, what)
        case .cut: #expect(implied(app: 1)?.state == .barred && isConnected(1) == false, what)
        case .wait: #expect(implied(app: 2)?.state == .interrupted && two?.fade == 0, what)
        default:
            #expect(isClose(one?.duck, ducks[cell.incumbentDuck]!) && isClose(two?.duck, ducks[cell.newcomerDuck]!), what)
            #expect((implied(app: 1)?.state == .interrupted) == (cell.loss != nil) && one?.fade == (cell.loss == nil ? 1 : 0), what)
            #expect(implied(app: 2)?.state == .active && two?.fade == 1, what)
        }
    }
}
