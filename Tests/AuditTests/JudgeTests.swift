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
        told: Size? = Size(320, 480), drew: Size = Size(320, 480), minimum: Size = .zero, maximum: Size = .zero, scale: Double = 1,
        answered: Bool = true, gone: Bool = false
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

    @Test("X-08: a crash is a finding: a fault at any time, any other end where the audit does not end apps itself")
    func crashes() {
        func isCrash(_ signal: Int64?, _ status: Int64? = nil, in check: String = "sizes", windows: Bool = false, hadWindow: Bool = true)
            -> Bool
        {
            AppEnd(signal: signal, status: status, check: check).isCrash(hadWindow: hadWindow, hasWindows: windows)
        }
        for check in ["start", "sizes", "close", "killed"] {
            for signal: Int64 in [4, 5, 6, 7, 8, 11, 31] {
                #expect(isCrash(signal, in: check, hadWindow: false) && isCrash(nil, 128 + signal, in: check))
            }
        }
        #expect(isCrash(9) && isCrash(15) && !isCrash(9, in: "killed") && !isCrash(15, in: "close"))
        // An end with an error counts if there was a window, and none is left: otherwise it was a launcher, or the check of the start says it.
        #expect(
            isCrash(nil, 1) && !isCrash(nil, 0) && !isCrash(nil, 1, windows: true) && !isCrash(nil, 1, hadWindow: false)
                && !isCrash(nil, 1, in: "close"))
        // A check that ends the app only if it does not follow excuses no other end.
        #expect(isCrash(9, in: "scales") && isCrash(nil, 3, in: "scales"))
        #expect(!AppEnd(signal: 9, check: "scales").isCrash(hadWindow: true, hasWindows: false, wasEnded: true))
        func judge(_ ends: [AppEnd], _ start: Visit.Start) -> String {
            let finding = Check.judge(crashes: ends, start: start)
            return "\(finding.verdict.rawValue) \(finding.part) \(finding.evidence.count)"
        }
        let started = Visit.Start(seconds: 1, wasTried: true), segfault = AppEnd(signal: 11, check: "sizes")
        #expect(judge([], started) == "kept app 0" && judge([], Visit.Start()) == "notApplicable app 0")
        #expect(judge([], Visit.Start(failure: .didNotStart, wasTried: true)) == "couldNotTell app 0")
        #expect(judge([segfault, segfault], started) == "broken crash 1")
        #expect(judge([AppEnd(status: 1, check: "sizes")], started) == "broken ended 1")
        #expect(judge([AppEnd(status: 134, check: "start")], Visit.Start(wasTried: true)) == "broken crash 1")
        // What a check says of its own about a crash stays. Anything else may be its effect.
        let own = [Finding(.broken, part: "crash", .crashesOnClose)]
        #expect(Check.judge(own, crashed: segfault) == own)
        #expect(Check.judge([Finding(.kept, .closesOrAsks)], crashed: segfault).map(\.part) == ["crash"])
    }

    @Test("X-08: whoever starts an app watches whether it crashes")
    func crashesAlwaysCount() {
        func ids(_ rules: [String]) -> [String] { Check.selected(rules: rules).map(\.id) }
        #expect(ids(["close"]) == ["close", "crashes"] && ids(["start"]) == ["start", "crashes"] && ids(["icon"]) == ["icon"])
        #expect(ids([]).count(where: { $0 == "crashes" }) == 1 && ids([]).last == "crashes")
    }

    @Test("X-08, W-19: windows that come and go count; two may, at a start")
    func passingWindows() {
        func judge(_ seen: ClosedRange<UInt32>, now: [UInt32]) -> String {
            let passed = Check.passed(Set(seen.map { WindowID($0) }), now: now.map { WindowID($0) })
            let finding = Check.judge(first: WindowID(1), windows: [], waiting: [], passed: passed)
            return "\(finding.verdict.rawValue) \(finding.part)"
        }
        #expect(judge(1...1, now: [1]) == "kept app" && judge(1...3, now: [1]) == "kept app" && judge(1...2, now: [2]) == "kept app")
        #expect(judge(1...4, now: [1]) == "broken flood" && judge(1...99, now: []) == "broken flood")
    }

    @Test("X-08: two controls are no evidence of most")
    func fewControls() {
        for count in 1...4 {
            let nodes = (0..<count).map { _ in node(43, "", Rect(0, 0, 16, 16)) }
            let verdict: Verdict = count < 3 ? .warning : .broken
            #expect(Check.judge(targets: nodes).verdict == verdict)
            #expect(Check.judge(names: [node(23, "frame")] + nodes).verdict == verdict)
        }
    }

    @Test("X-08: the time in which an app waits for a processor does not count, within bounds")
    func patience() {
        #expect(!Patience.isOver(4.9, of: 5, delayed: 0) && Patience.isOver(5, of: 5, delayed: 0))
        #expect(!Patience.isOver(7, of: 5, delayed: 2.5) && Patience.isOver(7.5, of: 5, delayed: 2.5))
        #expect(Patience.isOver(20, of: 5, delayed: 19))
        #expect(Patience.delay(inSchedstat: "410319 2500000000 7\n") == 2.5)
        #expect(Patience.delay(inSchedstat: "") == nil)
        // The longest delay. A new process began at 0, and one that is gone says nothing.
        #expect(Patience.delay(since: [1: 2, 2: 0.5, 5: 9], now: [1: 3, 2: 1, 3: 0.75]) == 1)
        #expect(Patience.delay(since: [1: 3], now: [:]) == 0)
    }

    @Test("X-08, W-11: what an app does with a size")
    func sizes() {
        #expect(Check.judge(size()).verdict == .kept)
        #expect(Check.judge(size(told: nil, drew: Size(900, 700))).verdict == .kept)
        func part(_ evidence: Check.SizeEvidence) -> String {
            let finding = Check.judge(evidence)
            return "\(finding.verdict.rawValue) \(finding.part)"
        }
        #expect(part(size(gone: true)) == "broken closed")
        #expect(part(size(answered: false)) == "broken answer")
        #expect(part(size(drew: Size(700, 500))) == "broken follows")
        #expect(part(size(drew: Size(700, 500), minimum: Size(700, 500), scale: 0.46)) == "warning minimum")
        #expect(part(size(drew: Size(300, 400))) == "broken follows")
        #expect(part(size(drew: Size(300, 400), maximum: Size(300, 400))) == "warning maximum")
        var empty = size()
        empty.emptyEdges = ["right"]
        #expect(part(empty) == "warning edges")
        // An app that was never told a size was not tried.
        let free = size(told: nil, drew: Size(900, 700))
        #expect(Check.findings([free, free]).map(\.verdict) == [.couldNotTell])
        #expect(Check.findings([free, size()]).map(\.verdict) == [.kept])
        #expect(Check.findings([free, size(told: nil, gone: true)]).map(\.verdict) == [.broken])
    }

    @Test("X-08, W-11: a window that can have one size only answers nothing that changes nothing")
    func fixedSize() {
        let notice = Size(300, 100)
        #expect(Check.judge(size(drew: notice, minimum: notice, maximum: notice, answered: false)).part == "maximum")
        #expect(Check.judge(size(drew: notice, minimum: notice, answered: false)).part == "answer")
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
        #expect(Check.judge(Visit.Start(failure: .endedWithStatus(3, says: nil), wasTried: true)).part == "ended")
        #expect(Check.judge(Visit.Start(failure: .didNotStart, isRunning: true, wasTried: true)).part == "no-window")
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
        #expect(
            judge {
                $0.asks = true
                $0.isLeft = true
            } == "kept app")
        #expect(judge { _ in } == "broken stays")
        #expect(judge { $0.isSilent = true } == "broken silent")
        #expect(judge { $0.asks = true } == "broken trap")
        #expect(
            judge {
                $0.isClosed = true
                $0.crash = 11
            } == "broken crash")
        #expect(
            judge {
                $0.isClosed = true
                $0.protocolError = "x"
            } == "broken protocol")
    }

    @Test("X-08, M-10: lost work, by each way of closing")
    func lostWork() {
        for way in Check.Way.allCases {
            #expect(Check.judge(way, .asked, isDocument: true).verdict == .kept)
            #expect(Check.judge(way, .kept, isDocument: true).verdict == .kept)
            #expect(Check.judge(way, .stayed, isDocument: true).verdict == .couldNotTell)
            let document = Check.judge(way, .lost, isDocument: true), field = Check.judge(way, .lost, isDocument: false)
            #expect(document.verdict == .broken && document.part == way.rawValue && field.verdict == .warning && field.part == way.rawValue)
        }
        func isDocument(_ role: UInt32, _ states: UInt64, _ height: Double?) -> Bool {
            var text = node(role, "", height.map { Rect(0, 0, 300, $0) })
            text.states = states
            return Check.isDocument(text)
        }
        #expect(isDocument(61, 1 << 17, 400) && isDocument(61, 1 << 17, nil))
        #expect(!isDocument(61, 1 << 17, 30) && !isDocument(61, 0, 400) && !isDocument(60, 1 << 17, 400))
    }

    @Test("X-08, W-20: after a restart of the device")
    func reboot() {
        let before = Check.KeptState(count: 2, isTextSeen: true)
        #expect(Check.judge(reboot: before, after: .init(count: 2, isTextSeen: true)).verdict == .kept)
        #expect(Check.judge(reboot: .init(count: 2), after: .init(count: 2)).verdict == .kept)
        #expect(Check.judge(reboot: before, after: .init(count: 2)).part == "text")
        #expect(Check.judge(reboot: before, after: .init(count: 1, isTextSeen: true)).part == "windows")
        #expect(Check.judge(reboot: before, after: .init(count: 0)).part == "gone")
    }

    @Test("X-08, S-08: animations")
    func animations() {
        func judge(_ seen: Double, _ hidden: Double, _ again: Double) -> String {
            let finding = Check.judge(Check.AnimationEvidence(seen: seen, hidden: hidden, again: again))
            return "\(finding.verdict.rawValue) \(finding.part)"
        }
        #expect(judge(2, 0, 2) == "notApplicable app")
        #expect(judge(60, 0, 58) == "kept app")
        #expect(judge(60, 60, 60) == "broken hidden")
        #expect(judge(60, 5, 60) == "warning hidden")
        #expect(judge(60, 0, 1) == "broken stuck")
    }

    @Test("X-08, X-04: languages from right to left")
    func rightToLeft() {
        func judge(_ sided: Int, _ mirrored: Int, _ translated: Int) -> String {
            let finding = Check.judge(mirror: .init(sided: sided, mirrored: mirrored, translated: translated))
            return "\(finding.verdict.rawValue) \(finding.part)"
        }
        #expect(judge(8, 7, 8) == "kept app")
        #expect(judge(8, 0, 8) == "broken mirror")
        #expect(judge(8, 3, 8) == "warning mirror")
        #expect(judge(8, 0, 0) == "couldNotTell language")
        #expect(judge(0, 0, 4) == "couldNotTell sides")
        let left = [node(43, "Open", Rect(10, 0, 60, 40)), node(43, "Find", Rect(900, 0, 60, 40))]
        let right = [node(43, "فتح", Rect(926, 0, 64, 40)), node(43, "بحث", Rect(40, 0, 60, 40))]
        #expect(Check.MirrorEvidence(left, right, width: 1000) == .init(sided: 2, mirrored: 2, translated: 2))
        #expect(Check.MirrorEvidence(left, left, width: 1000) == .init(sided: 2, mirrored: 0, translated: 0))
        #expect(Check.MirrorEvidence(left, [left[0]], width: 1000).sided == 0)
    }

    @Test("X-08, X-02: a finger and a pointer on the same control")
    func sameAct() {
        func judge(_ touch: Set<String>, _ pointer: Set<String>) -> String? {
            Check.judge(Check.ActEvidence(touch: touch, pointer: pointer)).map { "\($0.verdict.rawValue) \($0.part)" }
        }
        #expect(judge([], []) == nil)
        #expect(judge(["a", "b"], ["a", "b", "c"]) == "kept app")
        #expect(judge([], ["a"]) == "broken touch")
        #expect(judge(["a"], []) == "broken pointer")
        #expect(judge(["a", "b"], ["c", "d"]) == "warning differs")
        let window = Rect(0, 0, 400, 300), states: UInt64 = 1 << 24 | 1 << 25
        var nodes = [
            node(43, "Go", Rect(10, 10, 40, 40)), node(62, "Bold", Rect(60, 10, 40, 40)), node(43, "Close", Rect(110, 10, 40, 40)),
            node(43, "Far", Rect(500, 10, 40, 40)),
        ]
        for index in nodes.indices { nodes[index].states = states }
        #expect(Check.targets(nodes, in: window) == [Rect(60, 10, 40, 40), Rect(10, 10, 40, 40)])
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
        #expect(Check.judge(largeText: .init(pixels: 10000, byItself: 0, between: 3), hasText: false).verdict == .couldNotTell)
        // The title of a window is no text in it, and neither is an empty page.
        let frame = node(23, "Notes"), empty = node(61, "", text: "")
        #expect(!Check.hasText([frame, empty]))
        for words in [node(61, "", text: "words"), node(Assistive.Role.label, "words"), node(43, "OK")] {
            #expect(Check.hasText([frame, empty, words]))
        }
        #expect(!Check.hasText([node(43, "OK", states: 0)]))
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
        let sharp = Trace(text: "[ 341.592]  -> wl_surface@3.set_buffer_scale(2)\n"),
            blurred = Trace(text: "[ 341.592]  -> wl_surface@3.commit()\n")
        #expect(Check.judge(scale: 2, reaction, sharp, always: []).verdict == .kept)
        #expect(Check.judge(scale: 2, reaction, blurred, always: []).part == "blurred")
        #expect(Check.judge(scale: 2, reaction, Trace(), always: []).verdict == .couldNotTell)
        #expect(
            Check.judge(
                scale: 1.5, reaction, blurred,
                always: ["wp_fractional_scale_manager_v1.get_fractional_scale", "wp_viewport.set_destination"]
            ).verdict == .kept)
        #expect(Check.judge(scale: 2, reaction, blurred, always: [], afterRestart: sharp).part == "start")
        #expect(Check.judge(scale: 2, reaction, blurred, always: [], afterRestart: blurred).part == "blurred")
        reaction.isGone = true
        #expect(Check.judge(scale: 2, reaction, sharp, always: []).verdict == .broken)
    }

    private func node(_ role: UInt32, _ name: String, _ frame: Rect? = nil, text: String? = nil, states: UInt64 = 1 << 25) -> Assistive.Node
    {
        Assistive.Node(id: "\(role)\(name)", role: role, name: name, states: states, frame: frame, text: text, depth: 3)
    }

    @Test("X-08, X-05: names, targets and the way of Tab")
    func access() {
        let window = node(69, "w")
        #expect(Check.judge(names: nil).part == "nothing")
        #expect(Check.judge(names: [window, node(43, "Open"), node(43, "Save")]).verdict == .kept)
        #expect(Check.judge(names: [window, node(43, ""), node(43, "Save"), node(43, "Open")]).verdict == .broken)
        #expect(Check.judge(names: [window, node(43, "")] + (0..<9).map { node(43, "b\($0)") }).verdict == .warning)
        #expect(Check.judge(names: [window, node(37, ""), node(43, "Open")]).verdict == .kept)
        #expect(Check.judge(names: [window, node(37, ""), node(37, ""), node(37, "")]).verdict == .broken)
        #expect(Check.judge(names: [window, node(37, ""), node(37, "")]).verdict == .warning)
        #expect(Check.judge(names: [window, node(29, "text")]).verdict == .notApplicable)
        let large = Rect(0, 0, 44, 44), small = Rect(0, 0, 18, 18)
        #expect(Check.judge(targets: [node(43, "a", large)]).verdict == .kept)
        #expect(Check.judge(targets: [node(43, "a", large), node(43, "b", large), node(43, "c", small)]).verdict == .warning)
        #expect(Check.judge(targets: [node(43, "c", small), node(43, "d", small), node(43, "e", small)]).verdict == .broken)
        #expect(Check.judge(targets: []).verdict == .couldNotTell)
        let whole: UInt64 = 1 << 11 | 1 << 24 | 1 << 25
        // Controls that are disabled or out of sight cannot have it.
        #expect(
            Check.focusable([
                node(43, "a", states: whole), node(43, "b", states: whole & ~(1 << 24)), node(43, "c", states: whole & ~(1 << 25)),
                node(29, "d", states: whole),
            ]) == 1)
        // Without a word about what is disabled, nothing can be left out, and nothing be said of Tab that stays.
        #expect(Check.focusable([node(43, "a", states: whole & ~(1 << 24)), node(43, "b", states: whole & ~(1 << 24))]) == 2)
        #expect(Check.judge(Check.KeyEvidence(focusable: 5, focused: 1, tellsDisabled: false)).verdict == .couldNotTell)
        #expect(Check.judge(Check.KeyEvidence(focusable: 5, focused: 2, tellsDisabled: false)).verdict == .kept)
        #expect(Check.judge(Check.KeyEvidence(focusable: 5, focused: 3)).verdict == .kept)
        #expect(Check.judge(Check.KeyEvidence(focusable: 5, focused: 0)).verdict == .broken)
        #expect(Check.judge(Check.KeyEvidence(focusable: 5, focused: 1)).verdict == .warning)
        #expect(Check.judge(Check.KeyEvidence(focusable: 5, focused: 1, isWritten: true)).verdict == .couldNotTell)
        #expect(Check.judge(Check.KeyEvidence(focusable: 1, focused: 1)).verdict == .notApplicable)
        for (requests, verdict) in [(["wl_seat.get_touch"], Verdict.kept), (["wl_surface.commit"], .warning), ([], .couldNotTell)] {
            #expect(Check.judge(listens: "wl_seat.get_touch", requests: Set(requests), isGone: false, what: .touch).verdict == verdict)
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
            Check.popup(
                .object(["popupsChanged": .object(["boxes": .array([.array([1, 2, 30, 40].map { .integer($0) })]), "grab": .bool(grab)])]))
        }
        #expect(popups(true) == Rect(1, 2, 30, 40) && popups(false) == .zero && Check.popup(.object(["touchFrame": .object([:])])) == nil)
        #expect(Check.judge(menuClosed: true, byShell: false, keys: "Ctrl+o").verdict == .kept)
        #expect(Check.judge(menuClosed: true, byShell: true, keys: "Ctrl+o").verdict == .warning)
        #expect(Check.judge(menuClosed: false, byShell: true, keys: "Ctrl+o").part == "stays")
        let done = "[ 1.0] xdg_popup@31.popup_done()\n", destroyed = "[ 1.1]  -> xdg_popup@31.destroy()\n"
        #expect(
            Check.wasDismissed(Trace(text: done + destroyed)) && !Check.wasDismissed(Trace(text: destroyed + done))
                && !Check.wasDismissed(Trace()))
        #expect(Check.judge(notes: []).verdict == .kept)
        #expect(Check.judge(notes: ["untitled"]).verdict == .kept)
        #expect(Check.judge(notes: ["untitled", "sheet-large"]).part == "sheet-large")
    }

    @Test("X-08, S-08, S-03: the background")
    func background() {
        func load(_ milliseconds: Double) -> Load {
            var load = Load()
            load.processor = milliseconds
            return load
        }
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
        #expect(Check.judge(soundsAtStart: [], wasGivenFile: false).verdict == .kept)
        #expect(Check.judge(soundsAtStart: [.music], wasGivenFile: true).verdict == .kept)
        #expect(Check.judge(soundsAtStart: [.gameAmbient], wasGivenFile: false).verdict == .kept)
        #expect(Check.judge(soundsAtStart: [.gameAmbient, .music], wasGivenFile: false).verdict == .broken)
        #expect(Check.judge(roles: []).verdict == .notApplicable)
        #expect(Check.judge(roles: [(.music, false)]).verdict == .kept)
        #expect(Check.judge(roles: [(.unknown, false)]).verdict == .warning)
        #expect(Check.judge(hidden: [(.playback, .music)]).verdict == .kept)
        #expect(Check.judge(hidden: [(.soloAmbient, .gameSolo)]).verdict == .broken)
        #expect(Check.judge(beginsOnPlay: true).verdict == .broken)
        #expect(Check.judge(beginsOnPlay: false).verdict == .kept)
        func interrupted(_ change: (inout Check.InterruptionEvidence) -> Void) -> String {
            var evidence = Check.InterruptionEvidence(gaveWay: true, stopped: true, resumed: true)
            change(&evidence)
            let finding = Check.judge(evidence)
            return "\(finding.verdict.rawValue) \(finding.part)"
        }
        #expect(interrupted { _ in } == "kept app")
        #expect(interrupted { $0.isHeard = false } == "couldNotTell other")
        #expect(interrupted { $0.cameBack = true } == "broken over")
        #expect(interrupted { $0.resumed = false } == "warning silent")
        #expect(
            interrupted {
                $0.stopped = false
                $0.isSilenced = true
            } == "warning unheard")
        #expect(interrupted { $0.stopped = false } == "kept app")
        #expect(Check.judge(Check.HeadphonesEvidence()).verdict == .kept)
        #expect(Check.judge(Check.HeadphonesEvidence(heardAfterwards: true)).part == "speaker")
        #expect(Check.judge(Check.HeadphonesEvidence(playsOnPlugged: false)).part == "plugged")
        #expect(Check.judge(Check.HeadphonesEvidence(stopped: false)).part == "unheard")
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
