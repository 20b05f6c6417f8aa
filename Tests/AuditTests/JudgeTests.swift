import Chrome
import Control
import Desktop
import Geometry
import Testing
import Windows

@testable import Audit

/// each check says of evidence what it must, both ways: kept and not kept.
struct JudgeTests {
    private func size(
        told: Size? = Size(320, 480), drew: Size = Size(320, 480), minimum: Size = .zero, maximum: Size = .zero, scale: Double = 1, answered: Bool = true, gone: Bool = false
    ) -> Check.SizeEvidence {
        var reaction = Visit.Reaction(screen: Size(320, 480))
        reaction.told = told
        reaction.drew = drew
        reaction.minimum = minimum
        reaction.maximum = maximum
        reaction.scale = scale
        reaction.isAnswered = answered
        reaction.isGone = gone
        return Check.SizeEvidence(reaction: reaction)
    }

    @Test("X-08, W-11: what an app does with a size")
    func sizes() {
        #expect(Check.judge(size()).verdict == .kept)
        #expect(Check.judge(size(told: nil, drew: Size(900, 700))).verdict == .kept)
        func part(_ evidence: Check.SizeEvidence) -> String { let finding = Check.judge(evidence); return "\(finding.verdict.rawValue) \(finding.part)" }
        #expect(part(size(gone: true)) == "broken closed")
        #expect(part(size(answered: false)) == "broken answer")
        #expect(part(size(drew: Size(700, 500))) == "broken follows")
        #expect(part(size(drew: Size(700, 500), minimum: Size(700, 500), scale: 0.46)) == "warning minimum")
        #expect(part(size(drew: Size(300, 400))) == "broken follows")
        #expect(part(size(drew: Size(300, 400), maximum: Size(300, 400))) == "warning maximum")
        var empty = size()
        empty.emptyEdges = ["right"]
        #expect(part(empty) == "warning edges")
    }

    @Test("X-08: findings of many sizes are one for each part, with the evidence of all")
    func united() {
        let findings = Check.findings([size(), size(drew: Size(700, 500)), size(drew: Size(710, 500)), size(answered: false)])
        #expect(findings.map(\.part) == ["follows", "answer"])
        #expect(findings[0].evidence.count == 2)
        #expect(Check.findings([size(), size()]).map(\.verdict) == [.kept])
    }

    @Test("X-08: transparent edges are seen in a picture, and a frame around them is not")
    func edges() {
        var picture = Picture(width: 200, height: 100, fill: 0xff33_66cc)
        #expect(Check.emptyEdges(of: picture) == [])
        for y in 0..<100 { for x in 190..<200 { picture[x, y] = Picture.Pixel(raw: 0) } }
        #expect(Check.emptyEdges(of: picture) == ["right"])
    }

    @Test("X-08: starts")
    func starts() {
        #expect(Check.judge(Visit.Start(seconds: 2, wasTried: true)).verdict == .kept)
        #expect(Check.judge(Visit.Start(seconds: 12, wasTried: true)).part == "slow")
        #expect(Check.judge(Visit.Start(failure: "it ended with status 3", wasTried: true)).part == "ended")
        #expect(Check.judge(Visit.Start(failure: "none", isRunning: true, wasTried: true)).part == "no-window")
    }

    @Test("X-08, M-10: closing")
    func closing() {
        func judge(_ change: (inout Check.CloseEvidence) -> Void) -> String {
            var evidence = Check.CloseEvidence(isTyped: true)
            change(&evidence)
            let finding = Check.judge(evidence)
            return "\(finding.verdict.rawValue) \(finding.part)"
        }
        #expect(judge { $0.isClosed = true } == "kept app")
        #expect(judge { $0.asks = true; $0.isLeft = true } == "kept app")
        #expect(judge { _ in } == "broken stays")
        #expect(judge { $0.asks = true } == "broken trap")
        #expect(judge { $0.isClosed = true; $0.crash = 11 } == "broken crash")
        #expect(judge { $0.isClosed = true; $0.protocolError = "x" } == "broken protocol")
        #expect(judge { $0.isClosed = true; $0.isTextSeen = true } == "warning lost")
    }

    @Test("X-08, W-20: after a kill")
    func killed() {
        let before = Check.KeptState(count: 2, isTextSeen: true)
        #expect(Check.judge(before: before, after: .init(count: 2, isTextSeen: true)).verdict == .kept)
        #expect(Check.judge(before: before, after: .init(count: 2)).part == "text")
        #expect(Check.judge(before: before, after: .init(count: 1, isTextSeen: true)).part == "windows")
        #expect(Check.judge(before: before, after: .init(count: 0)).part == "gone")
        #expect(Check.judge(before: .init(count: 1), after: .init(count: 1)).verdict == .couldNotTell)
    }

    @Test("X-08, W-10: pictures of equal sizes")
    func same() {
        #expect(Check.judge(Check.SameEvidence(pixels: 10000, byItself: 0, between: 150)).verdict == .kept)
        #expect(Check.judge(Check.SameEvidence(pixels: 10000, byItself: 0, between: 900)).verdict == .broken)
        #expect(Check.judge(Check.SameEvidence(pixels: 10000, byItself: 600, between: 900)).verdict == .couldNotTell)
        #expect(Check.judge(largeText: .init(pixels: 10000, byItself: 0, between: 900)).verdict == .kept)
        #expect(Check.judge(largeText: .init(pixels: 10000, byItself: 0, between: 3)).verdict == .warning)
        #expect(Check.judge(largeText: .init(pixels: 10000, byItself: 800, between: 900)).verdict == .couldNotTell)
    }

    @Test("X-08: answers and the time to be back")
    func times() {
        #expect(Check.judge(answers: [0.1, 0.2, 3], isSilent: false).verdict == .kept)
        #expect(Check.judge(answers: [1.4, 2, 3], isSilent: false).verdict == .warning)
        #expect(Check.judge(answers: [0.1], isSilent: true).verdict == .broken)
        #expect(Check.judge(answers: [nil, nil], isSilent: false).verdict == .couldNotTell)
        #expect(Check.judge(shownAgain: [0.1, 0.2, 0.1]).verdict == .kept)
        #expect(Check.judge(shownAgain: [1.1, 1.2, 0.1]).verdict == .warning)
        #expect(Check.judge(shownAgain: [0.1, nil]).verdict == .broken)
    }

    @Test("X-08: scales are read from the messages of the app")
    func scales() {
        var reaction = Visit.Reaction(screen: Size(1180, 820))
        reaction.isAnswered = true
        let sharp = Trace(text: "[ 341.592]  -> wl_surface@3.set_buffer_scale(2)\n"), blurred = Trace(text: "[ 341.592]  -> wl_surface@3.commit()\n")
        #expect(Check.judge(scale: 2, reaction, sharp, always: []).verdict == .kept)
        #expect(Check.judge(scale: 2, reaction, blurred, always: []).part == "blurred")
        #expect(Check.judge(scale: 2, reaction, Trace(), always: []).verdict == .couldNotTell)
        #expect(Check.judge(scale: 1.5, reaction, blurred, always: ["wp_fractional_scale_manager_v1.get_fractional_scale", "wp_viewport.set_destination"]).verdict == .kept)
        reaction.isGone = true
        #expect(Check.judge(scale: 2, reaction, sharp, always: []).verdict == .broken)
    }

    private func node(_ role: UInt32, _ name: String, _ frame: Rect? = nil) -> Assistive.Node {
        Assistive.Node(id: "\(role)\(name)", role: role, name: name, states: 1 << 25, frame: frame, text: nil, depth: 3)
    }

    @Test("X-08, X-05: names, targets and the way of Tab")
    func access() {
        let window = node(69, "w")
        #expect(Check.judge(names: nil).part == "nothing")
        #expect(Check.judge(names: [window, node(43, "Open"), node(43, "Save")]).verdict == .kept)
        #expect(Check.judge(names: [window, node(43, ""), node(43, "Save")]).verdict == .broken)
        #expect(Check.judge(names: [window, node(43, "")] + (0..<9).map { node(43, "b\($0)") }).verdict == .warning)
        #expect(Check.judge(names: [window, node(29, "text")]).verdict == .notApplicable)
        let large = Rect(0, 0, 44, 44), small = Rect(0, 0, 18, 18)
        #expect(Check.judge(targets: [node(43, "a", large)]).verdict == .kept)
        #expect(Check.judge(targets: [node(43, "a", large), node(43, "b", large), node(43, "c", small)]).verdict == .warning)
        #expect(Check.judge(targets: [node(43, "c", small)]).verdict == .broken)
        #expect(Check.judge(targets: []).verdict == .couldNotTell)
        #expect(Check.judge(Check.KeyEvidence(focusable: 5, focused: 3)).verdict == .kept)
        #expect(Check.judge(Check.KeyEvidence(focusable: 5, focused: 0)).verdict == .broken)
        #expect(Check.judge(Check.KeyEvidence(focusable: 5, focused: 1)).verdict == .warning)
        #expect(Check.judge(Check.KeyEvidence(focusable: 5, focused: 1, isWritten: true)).verdict == .couldNotTell)
        #expect(Check.judge(Check.KeyEvidence(focusable: 1, focused: 1)).verdict == .notApplicable)
        for (requests, verdict) in [(["wl_seat.get_touch"], Verdict.kept), (["wl_surface.commit"], .warning), ([], .couldNotTell)] {
            #expect(Check.judge(listens: "wl_seat.get_touch", requests: Set(requests), isGone: false, what: "touch").verdict == verdict)
        }
    }

    @Test("X-08, M-02, M-12: dialogs, menus and what the shell noted")
    func dialogs() {
        func judge(_ change: (inout Check.DialogEvidence) -> Void) -> String {
            var evidence = Check.DialogEvidence(keys: "F1", hasParent: true, hasTitle: true, isLeft: true)
            change(&evidence)
            let finding = Check.judge(evidence)
            return "\(finding.verdict.rawValue) \(finding.part)"
        }
        #expect(judge { _ in } == "kept app")
        #expect(judge { $0.isLeft = false } == "broken trap")
        #expect(judge { $0.hasTitle = false } == "warning title")
        #expect(judge { $0.hasParent = false } == "warning parent")
        let room = Rect(0, 0, 1180, 820)
        #expect(Check.judge(Check.MenuEvidence(bounds: Rect(10, 10, 160, 120), room: room)).verdict == .kept)
        #expect(Check.judge(Check.MenuEvidence(bounds: Rect(1100, 10, 160, 120), room: room)).part == "outside")
        #expect(Check.judge(Check.MenuEvidence(bounds: Rect(10, 10, 160, 120), room: room, isClosed: false)).part == "stays")
        #expect(Check.popupGeometry(Trace(text: "[ 1.0] xdg_popup@31.configure(939, 560, 241, 200)\n")) == Rect(939, 560, 241, 200))
        #expect(Check.popupGeometry(Trace(text: "[ 1.0]  -> xdg_popup@31.grab(wl_seat@5, 12)\n")) == nil)
        func popups(_ grab: Bool) -> Rect? {
            Check.popup(.object(["popupsChanged": .object(["bounds": .array([.integer(1), .integer(2), .integer(30), .integer(40)]), "grab": .bool(grab)])]))
        }
        #expect(popups(true) == Rect(1, 2, 30, 40) && popups(false) == .zero && Check.popup(.object(["touchFrame": .object([:])])) == nil)
        #expect(Check.judge(notes: []).verdict == .kept)
        #expect(Check.judge(notes: ["untitled"]).part == "untitled")
    }

    @Test("X-08, S-08, S-03: the background")
    func background() {
        func load(_ milliseconds: Double) -> Load { var load = Load(); load.processor = milliseconds; return load }
        #expect(Check.judge(hidden: load(100), commits: 2, seconds: 8).verdict == .kept)
        #expect(Check.judge(hidden: load(400), commits: 2, seconds: 8).verdict == .warning)
        #expect(Check.judge(hidden: load(4000), commits: 2, seconds: 8).verdict == .broken)
        #expect(Check.judge(hidden: load(0), commits: 200, seconds: 8).part == "commits")
        var frozen = Check.FreezeEvidence(isFrozen: true, windows: (1, 1), isAnswered: true)
        #expect(Check.judge(frozen).verdict == .kept)
        frozen.isAnswered = false
        #expect(Check.judge(frozen).part == "answer")
        #expect(Check.judge(Check.FreezeEvidence(isFrozen: true, windows: (2, 1), isAnswered: true)).part == "gone")
        #expect(Check.judge(Check.FreezeEvidence(reasons: ["inhibits"], windows: (1, 1), isAnswered: true)).part == "awake")
        #expect(Check.judge(Check.FreezeEvidence(reasons: ["failed"], windows: (1, 1), isAnswered: true)).verdict == .couldNotTell)
        #expect(Check.judge(Check.FreezeEvidence(reasons: ["sound"], windows: (1, 1), isAnswered: true)).verdict == .notApplicable)
    }

    @Test("X-08, A-06, A-26, A-12, S-07: sound and notifications")
    func sound() {
        #expect(Check.judge(soundsAtStart: false, wasGivenFile: false).verdict == .kept)
        #expect(Check.judge(soundsAtStart: true, wasGivenFile: true).verdict == .kept)
        #expect(Check.judge(soundsAtStart: true, wasGivenFile: false).verdict == .broken)
        #expect(Check.judge(roles: []).verdict == .notApplicable)
        #expect(Check.judge(roles: [(.music, false)]).verdict == .kept)
        #expect(Check.judge(roles: [(.unknown, false)]).verdict == .warning)
        #expect(Check.judge(hidden: [(.playback, .music)]).verdict == .kept)
        #expect(Check.judge(hidden: [(.soloAmbient, .gameSolo)]).verdict == .broken)
        #expect(Check.judge(beginsOnPlay: true).verdict == .broken)
        #expect(Check.judge(beginsOnPlay: false).verdict == .kept)
        #expect(Check.judge(levels: []).verdict == .kept)
        #expect(Check.judge(levels: ["active"]).verdict == .warning)
        #expect(Check.judge(levels: ["passive", "critical"]).verdict == .broken)
        #expect(Check.judge(sounds: []).verdict == .notApplicable)
        #expect(Check.judge(sounds: [.init(file: "a.wav", format: "WAV", bytes: 2 << 20)]).verdict == .warning)
        #expect(Check.judge(sounds: [.init(file: "a.wav", format: "WAV", bytes: 2000)]).verdict == .kept)
        #expect(Check.format(ofHead: Array("RIFF....WAVEfmt ".utf8)) == "WAV")
        #expect(Check.format(ofHead: [0xff, 0xfb, 0x90, 0x00]) == "MP3")
        #expect(Check.format(ofHead: [0xff, 0xf1, 0x50, 0x80]) == "AAC")
        #expect(Check.format(ofHead: Array("....ftypM4A ".utf8)) == "AAC")
    }

    @Test("X-08, X-03: entries, icons and new windows")
    func entries() throws {
        var entry = DesktopEntry(id: "org.example.App", name: "App", command: ["app"])
        #expect(Check.judge(entry, errors: [], appIDs: ["org.example.App"]).verdict == .kept)
        #expect(Check.judge(entry, errors: ["error: no"], appIDs: []).part == "valid")
        #expect(Check.judge(entry, errors: nil, appIDs: ["app"]).part == "app-id")
        #expect(Check.judge(entry, errors: [], appIDs: []).verdict == .couldNotTell)
        entry.windowClass = "App"
        #expect(Check.judge(entry, errors: [], appIDs: ["app"]).verdict == .kept)
        #expect(Check.judge(iconFile: "/usr/share/icons/hicolor/48x48/apps/a.png").verdict == .warning)
        #expect(Check.judge(iconFile: "/usr/share/icons/hicolor/scalable/apps/a.svg").verdict == .kept)
        #expect(Check.judge(.init(opened: WindowID(2), isClosed: true)).verdict == .kept)
        #expect(Check.judge(.init(opened: WindowID(2), isFirstThere: false)).part == "first")
        #expect(Check.judge(.init(opened: WindowID(2))).part == "stays")
        #expect(Check.judge(Check.NewWindowEvidence()).part == "none")
        #expect(Check.judge(bright: 250, dark: 40).verdict == .kept)
        #expect(Check.judge(bright: 20, dark: 20).verdict == .kept)
        #expect(Check.judge(bright: 250, dark: 250).verdict == .warning)
    }
}
