import FoundationEssentials
import Geometry
import Logging
import Multitasking
import Store
import Windows

/// Keeps a person's choices, each at once and in an entry of its own: a later version may keep more (decision 0137).
final class KeptChoices: Adapter {
    private unowned let shell: Shell
    private lazy var kept = shell.adapter(SessionStore.self)
    private lazy var changes = LatestChanges(kept)

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.choices]

    func start() {
        guard kept.isKeeping else { return }
        var choices: [Choice] = []
        for entry in kept.readAll(.choice) where entry.key != KeptNotices.choices {
            guard let choice = try? JSONDecoder().decode(Choice.self, from: Data(entry.bytes)), choice.key == entry.key, choice.isPossible
            else {
                // A later version may understand it.
                shell.log.warning("a kept choice is not understood, and is left alone: \(entry.key.prefix(64).debugDescription)")
                continue
            }
            choices.append(choice)
        }
        if !choices.isEmpty { shell.receive(.choices(.restored(choices))) }
        kept.onReplaced.append { [unowned self] in shell.system.chosen.forEach(keep) }
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .choices(let effect) = effect else { return }
        switch effect {
        case .keep(let choice):
            keep(choice)
            if case .defaultApp(let kind, let app) = choice { shell.adapter(SettingsFacts.self).set(app, for: kind) }
        case .forget(let key):
            if let kind = DefaultKind.allCases.first(where: { "default/\($0.rawValue)" == key }) {
                shell.adapter(SettingsFacts.self).set(nil, for: kind)
            }
            if kept.isKeeping { changes.commit(.remove(.choice, key: key), of: key) }
        }
    }

    private func keep(_ choice: Choice) {
        guard kept.isKeeping, let bytes = try? JSONEncoder().encode(choice) else { return }
        changes.commit(.put(.choice, key: choice.key, Array(bytes)), of: choice.key)
    }

    func stop() { changes.finish() }
}
