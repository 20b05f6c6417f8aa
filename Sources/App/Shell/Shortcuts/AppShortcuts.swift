import Geometry
import LifeBus
import Multitasking

/// Keys of apps: which of them they have, and that they are pressed. The core decides.
final class AppShortcuts: Adapter {
    private unowned let shell: Shell
    private lazy var bus = shell.adapter(LifeOnBus.self)

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.shortcuts]

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .shortcuts(let effect) = effect else { return }
        switch effect {
        case .bound(let session, let all): bus.shortcutsBound(session, all.map { OfferedShortcut($0) })
        case .activated(let session, let id): bus.shortcutPressed(session, id, true)
        case .deactivated(let session, let id): bus.shortcutPressed(session, id, false)
        }
    }
}

extension OfferedShortcut {
    fileprivate init(_ one: GlobalShortcuts.Shortcut) {
        self.init(id: one.id, meaning: one.meaning, keys: one.chord.description, spoken: one.chord.spoken)
    }
}

extension ProgramViews {
    func plan(_ wished: [WishedShortcut], of app: String, session: UInt32, isAnew: Bool) -> [OfferedShortcut] {
        let wanted = wished.map { WantedShortcut(id: $0.id, meaning: $0.meaning, trigger: $0.trigger) }
        return shell.system.plan(wanted, of: app, session: session, isAnew: isAnew).map {
            var one = OfferedShortcut($0.shortcut)
            one.isKnown = $0.isKnown
            one.isOn = $0.isOn
            return one
        }
    }

    func bind(_ session: UInt32, of app: String, _ given: [OfferedShortcut], refused: [String]) {
        let all = given.compactMap { one in
            KeyChord(parsing: one.keys).map { GlobalShortcuts.Shortcut(id: one.id, meaning: one.meaning, chord: $0) }
        }
        shell.receive(.shortcuts(.bound(session, app: app, all, refused: refused)))
    }

    func endShortcuts(_ session: UInt32) { shell.receive(.shortcuts(.ended(session))) }
}
