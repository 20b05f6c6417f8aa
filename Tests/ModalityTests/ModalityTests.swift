import Geometry
import Testing
import Windows

@testable import Modality

@Suite("Modal views") struct ModalityTests {
    private let window = WindowID(1)

    /// Numbers as programs' views have them.
    private final class Numbers {
        var last: UInt32 = 0
        var next: ModalID {
            last += 1
            return ModalID(last)
        }
    }

    private let numbers = Numbers()

    private func view(_ modality: inout Modality, _ kind: ModalKind, _ choices: [ModalView.Choice] = [], of program: String = "a")
        -> ModalView
    {
        ModalView(numbers.next, kind, over: window, of: program, title: "Title", choices: choices)
    }

    // MARK: What may stand on what

    @Test func nothingStandsOverAPopoverButAnAlert_M11() {
        for kind in ModalKind.allCases { #expect((ModalRules.step(kind, over: .popover) == .stands) == (kind == .alert)) }
    }

    /// Every sequence of four requests and answers, each with every kind.
    @Test func everySequenceKeepsOneLine_M08() {
        enum Step { case present(ModalKind), answer, dismiss, windowGone, withdraw }
        let steps: [Step] = ModalKind.allCases.map { .present($0) } + [.answer, .dismiss, .windowGone, .withdraw]
        var count = 0
        func walk(_ modality: Modality, _ open: Set<ModalID>, _ depth: Int, _ now: Double) {
            #expect(modality.violations() == [])
            let known = Set((modality.lines.values.flatMap { $0 } + modality.waiting.values.flatMap { $0 }).map(\.id))
            // Whoever asked is answered, or its view is there (law 4).
            #expect(known == open)
            count += 1
            guard depth > 0 else { return }
            for step in steps {
                var modality = modality, open = open
                let at = (Moment.zero + now)
                let effects: [Modality.Outcome]
                switch step {
                case .present(let kind):
                    let view = view(&modality, kind)
                    open.insert(view.id)
                    effects = modality.present(view, over: nil, at: at)
                case .answer: effects = modality.views(over: window).last.map { modality.choose(0, of: $0.id) } ?? []
                case .dismiss:
                    var found: [Modality.Outcome] = []
                    if let top = modality.views(over: window).last { #expect(modality.dismiss(top.id, &found)) }
                    effects = found
                case .windowGone: effects = modality.windowGone(window)
                case .withdraw:
                    guard let first = modality.views.first else { continue }
                    effects = modality.withdraw(first.id)
                    open.remove(first.id)
                }
                for case .answer(let id, _) in effects { #expect(open.remove(id) != nil, "answered twice") }
                walk(modality, open, depth - 1, now + 100)
            }
        }
        walk(Modality(), [], 4, 0)
        #expect(count > 5000)
    }

    @Test func aPopoverOfTheAppClosesBeforeACard_M11() {
        var modality = Modality()
        let sheet = view(&modality, .actionSheet)
        #expect(modality.present(sheet, over: .popover, at: .zero) == [.closePopups(window)])
        #expect(modality.views(over: window).last == sheet)
    }

    @Test func anAlertWaitsForTheOneBefore() {
        var modality = Modality()
        let first = view(&modality, .alert), second = view(&modality, .alert)
        #expect(modality.present(first, over: nil, at: .zero) == [])
        #expect(modality.present(second, over: nil, at: .zero) == [])
        #expect(modality.views == [first])
        #expect(modality.choose(0, of: first.id) == [.answer(first.id, .chose(0))])
        #expect(modality.views == [second])
    }

    @Test func onlyTheLastViewOfALineIsLive_M08() {
        var modality = Modality()
        let sheet = view(&modality, .actionSheet), alert = view(&modality, .alert, of: "b")
        _ = modality.present(sheet, over: nil, at: .zero)
        _ = modality.present(alert, over: nil, at: .zero)
        var effects: [Modality.Outcome] = []
        #expect(modality.choose(0, of: sheet.id) == [])
        let isDismissed = modality.dismiss(sheet.id, &effects)
        #expect(!isDismissed && effects == [])
        #expect(!modality.isLive(sheet.id) && modality.isLive(alert.id))
        #expect(modality.choose(0, of: alert.id) == [.answer(alert.id, .chose(0))])
        #expect(modality.choose(0, of: sheet.id) == [.answer(sheet.id, .chose(0))])
        #expect(modality.isEmpty)
    }

    @Test func whatItsProgramShowedOnAViewEndsWithIt_AndOthersStay() {
        for (program, isClosed) in [("a", true), ("b", false)] {
            var modality = Modality()
            let sheet = view(&modality, .actionSheet), alert = view(&modality, .alert, of: program)
            _ = modality.present(sheet, over: nil, at: .zero)
            _ = modality.present(alert, over: nil, at: .zero)
            #expect(modality.withdraw(sheet.id) == (isClosed ? [.answer(alert.id, .closed)] : []))
            #expect(modality.views == (isClosed ? [] : [alert]) && modality.violations() == [])
        }
    }

    // MARK: Limits

    @Test func alertsAreLimited_M07() {
        var modality = Modality()
        for index in 0..<4 {
            let alert = view(&modality, .alert)
            #expect(modality.present(alert, over: nil, at: (Moment.zero + Double(index))) == [])
            _ = modality.choose(0, of: alert.id)
        }
        let fifth = view(&modality, .alert), others = view(&modality, .alert, of: "b")
        #expect(
            modality.present(fifth, over: nil, at: (Moment.zero + 5)) == [
                .answer(fifth.id, .refused("M-07: a showed 4 alerts in 10 seconds"))
            ])
        #expect(modality.present(others, over: nil, at: (Moment.zero + 5)) == [])
        _ = modality.choose(0, of: others.id)
        // The limit counts for an owner. The message names the app, and no key.
        for index in 0..<5 {
            let alert = view(&modality, .alert, of: "app:foot")
            let refusal = ModalAnswer.refused("M-07: foot showed 4 alerts in 10 seconds")
            #expect(modality.present(alert, over: nil, at: (Moment.zero + 5)) == (index < 4 ? [] : [.answer(alert.id, refusal)]))
            _ = modality.choose(0, of: alert.id)
        }
        let later = view(&modality, .alert)
        #expect(modality.present(later, over: nil, at: (Moment.zero + 10.5)) == [])
    }

    // MARK: Over the whole screen

    private func overScreen(_ modality: inout Modality, of program: String, _ kind: ModalKind = .alert) -> ModalView {
        ModalView(numbers.next, kind, over: nil, of: program, title: "Title")
    }

    @Test func aProgramHasTwoViewsOverTheScreen_AndProgramsTakeTurns_M07() {
        var modality = Modality()
        let loud = (0..<8).map { _ in overScreen(&modality, of: "loud") }
        for (index, view) in loud.enumerated() {
            let effects = modality.present(view, over: nil, at: .zero + Double(index) * 3)
            #expect(effects == (index < 2 ? [] : [.answer(view.id, .refused("loud has 2 views over the whole screen already"))]))
        }
        let first = overScreen(&modality, of: "quiet"), second = overScreen(&modality, of: "third")
        for view in [first, second] { #expect(modality.present(view, over: nil, at: .zero + 30) == []) }
        var order: [ModalID] = []
        while let view = modality.views(over: nil).last {
            #expect(modality.violations() == [])
            order.append(view.id)
            _ = modality.choose(0, of: view.id)
        }
        #expect(order == [loud[0].id, first.id, second.id, loud[1].id])
        // Over windows of its own, a program may have more.
        for _ in 0..<4 { #expect(modality.present(view(&modality, .actionSheet, of: "loud"), over: nil, at: .zero + 60) == []) }
    }

    @Test func whoGoesHomeLeavesViewsOverTheScreenBehind() {
        var modality = Modality()
        let alerts = [overScreen(&modality, of: "a"), overScreen(&modality, of: "b"), overScreen(&modality, of: "a")]
        for alert in alerts { _ = modality.present(alert, over: nil, at: .zero) }
        let window = view(&modality, .alert, of: "a")
        _ = modality.present(window, over: nil, at: .zero)
        #expect(modality.standAside() && !modality.standAside())
        #expect(modality.views == [window] && modality.aside.map(\.id) == alerts.map(\.id) && alerts.allSatisfy { modality.isAsked($0.id) })
        // Whoever was left behind waits there; another program may ask.
        let more = overScreen(&modality, of: "b"), other = overScreen(&modality, of: "c"), third = overScreen(&modality, of: "a")
        #expect(modality.present(more, over: nil, at: .zero) == [] && modality.present(other, over: nil, at: .zero) == [])
        #expect(
            modality.present(third, over: nil, at: .zero) == [.answer(third.id, .refused("a has 2 views over the whole screen already"))])
        #expect(modality.views(over: nil).last == other && modality.violations() == [])
        #expect(modality.withdraw(alerts[1].id) == [])
        modality.comeBack()
        #expect(modality.views(over: nil).last == alerts[0] && modality.aside == [] && modality.violations() == [])
        _ = modality.choose(0, of: alerts[0].id)
        #expect(modality.views(over: nil).last == more, "programs take turns")
    }

    @Test func aLineHasALimit() {
        var modality = Modality()
        for _ in 0..<ModalRules.depth { _ = modality.present(view(&modality, .actionSheet), over: nil, at: .zero) }
        let more = view(&modality, .actionSheet)
        #expect(modality.present(more, over: nil, at: .zero) == [.answer(more.id, .refused("8 views stand there or wait already"))])
    }

    @Test func flawedRequestsAreNamed() {
        var modality = Modality()
        func refusal(_ change: (inout ModalView) -> Void) -> String? {
            var bad = view(&modality, .alert, [.init("OK")])
            change(&bad)
            guard case .answer(_, .refused(let reason)) = modality.present(bad, over: nil, at: .zero).first else { return nil }
            return reason
        }
        #expect(refusal { $0.title = "" } == "M-12: a modal view needs a title")
        #expect(refusal { $0.title = " \n\u{a0}" } == "M-12: a modal view needs a title")
        #expect(refusal { $0.choices = [.init("  ")] } == "choice 0 has no label")
        #expect(refusal { $0.title = String(repeating: "x", count: 257) } == "the title has 257 bytes, and may have 256")
        #expect(refusal { $0.message = String(repeating: "x", count: 4097) } == "the message has 4097 bytes, and may have 4096")
        #expect(refusal { $0.choices = [.init("")] } == "choice 0 has no label")
        #expect(refusal { $0.choices = Array(repeating: .init("a"), count: 13) } == "there are 13 choices, and may be 12")
        #expect(refusal { $0.choices = [.init("a", .cancel), .init("b", .cancel)] } == "two choices cancel")
        #expect(modality.isEmpty)
    }

    // MARK: How a view is left

    @Test func dismissingChoosesWhatCancels_M01() {
        var modality = Modality(), effects: [Modality.Outcome] = []
        let question = view(&modality, .actionSheet, [.init("Delete", .destructive), .init("Keep", .cancel)])
        _ = modality.present(question, over: nil, at: .zero)
        #expect(modality.dismiss(question.id, &effects) == true)
        #expect(effects == [.answer(question.id, .chose(1))])
        let choice = view(&modality, .alert, [.init("Left"), .init("Right")])
        _ = modality.present(choice, over: nil, at: .zero)
        effects = []
        #expect(modality.dismiss(choice.id, &effects) == false, "an alert without a way to cancel has to be answered")
        #expect(effects == [] && modality.views == [choice])
    }

    // MARK: Sheets that are dismissed

    @Test func aSheetThatItsAppKeepsComesBack_M10() {
        var modality = Modality()
        #expect(modality.dismiss(window, isInstant: false, at: .zero) == [.alarm((Moment.zero + 0.25))])
        #expect(modality.dismiss(window, isInstant: false, at: .zero) == [], "it goes already")
        #expect(modality.alarmRang(at: (Moment.zero + 0.25)) == [.askToClose(window), .alarm((Moment.zero + 0.75))])
        #expect(modality.alarmRang(at: (Moment.zero + 0.75)) == [.comesBack(window), .alarm(nil)])
        #expect(modality.isEmpty && modality.violations() == [])
    }

    @Test func aSheetThatClosesIsForgotten() {
        var modality = Modality()
        #expect(modality.dismiss(window, isInstant: true, at: .zero) == [.askToClose(window), .alarm((Moment.zero + 0.5))])
        #expect(modality.windowGone(window) == [.alarm(nil)])
        #expect(modality.isEmpty)
    }

    @Test func aQuestionOfTheAppBringsItsSheetBackAtOnce_M10() {
        var modality = Modality()
        _ = modality.dismiss(window, isInstant: true, at: .zero)
        #expect(modality.appKeeps(window) == [.comesBack(window), .alarm(nil)])
        #expect(modality.appKeeps(window) == [])
    }
}
