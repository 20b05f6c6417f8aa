import AudioSessions
import Desktop
import Geometry
import Glibc
import Logging
import Multitasking
import Processes

/// Short sounds and haptics. A separate program plays each sound, so that the shell never waits for a disk, a
/// decoder or the sound server.
final class ShortSounds: Adapter {
    private unowned let shell: Shell
    private lazy var theme = SoundTheme(environment: shell.environment)
    private var playing: Set<Int32> = []
    /// Failures are logged only once.
    private var logged: Set<String> = []
    private var ownClick: String?

    /// The most sounds at once. More would be noise.
    private static let most = 8
    static let player = "pw-play"

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.feedback]

    func carryOut(_ effect: Effect, at moment: Moment) {
        switch effect {
        case .audio(.playSound(let name, let kind)): play(name, kind)
        case .audio(.haptic(let name)):
            shell.adapter(SoundBus.self).haptic(name) { [weak self] in self?.say("haptics", "no haptics: \($0)") }
        default: break
        }
    }

    private func play(_ name: String, _ kind: SystemSoundKind) {
        guard playing.count < Self.most else { return }
        guard let file = theme.file(name) ?? ownFile(name) else {
            return say("theme", "no sound is called \(name): is sound-theme-freedesktop installed?")
        }
        do {
            playing.insert(try shell.launcher.launch(Self.command(file, name, kind), environment: shell.environment))
        } catch {
            say("player", "short sounds are not heard: \(error.message) (package pipewire-bin)")
        }
    }

    /// The click of a key, if the theme has none, in a file for the players.
    private func ownFile(_ name: String) -> String? {
        guard name == KeyClickSound.name else { return nil }
        if let ownClick { return ownClick }
        let path = "\(shell.sessionFolder)/key-click.wav"
        mkdir(shell.sessionFolder, 0o700)
        do {
            try PrivateFile.write(KeyClickSound.file, to: path)
        } catch {
            say("click", "keys do not click: \(error)")
            return nil
        }
        ownClick = path
        return path
    }

    func stop() {
        if let ownClick { unlink(ownClick) }
    }

    /// The role of the stream tells its kind, which determines its level.
    static func command(_ file: String, _ name: String, _ kind: SystemSoundKind) -> [String] {
        let role =
            switch kind {
            case .alert: "Notification"
            case .feedback: "click"
            // A sound that the user asked for is audible in silent mode, too.
            case .asked: Classification.testRole
            }
        return [
            player, "--media-role", role, "-P",
            "{ application.id = \"org.mullion.Shell\" application.name = \"Mullion\" media.name = \"\(name)\" state.restore-props = false }",
            file,
        ]
    }

    /// Returns true if it was one of the players.
    func ended(_ exit: ProcessExit) -> Bool {
        guard playing.remove(exit.pid) != nil else { return false }
        if exit.reason != .exited(0) { say("ended", "a short sound was not played: \(Self.player) could not; does a sound server run?") }
        return true
    }

    private func say(_ what: String, _ text: String) {
        if logged.insert(what).inserted { shell.log.notice("\(text)") }
    }
}
