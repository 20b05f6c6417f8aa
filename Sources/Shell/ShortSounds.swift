import Desktop
import Glibc
import Processes

/// Short sounds and haptics. Each sound is played by a program of its own, so that nothing here waits for a disk,
/// a decoder or the sound server.
final class ShortSounds {
    private let launcher: Launcher
    private let theme: SoundTheme
    private var playing: Set<Int32> = []
    /// What could not be done is said once.
    private var said: Set<String> = []
    private let note: (String) -> Void

    /// More at once would be noise.
    private static let most = 8
    static let player = "pw-play"

    init(launcher: Launcher, environment: [String: String], note: @escaping (String) -> Void) {
        self.launcher = launcher
        self.note = note
        theme = SoundTheme(environment: environment)
    }

    /// `gain`: 0 to 1, of what the theme has.
    func play(_ name: String, gain: Double, environment: [String: String]) {
        guard playing.count < Self.most, gain > 0 else { return }
        guard let file = theme.file(name) else {
            return say("theme", "no sound is called \(name): is sound-theme-freedesktop installed?")
        }
        do {
            playing.insert(try launcher.launch(Self.command(file, name, gain: gain), environment: environment))
        } catch {
            say("player", "short sounds are not heard: \(error.message) (package pipewire-bin)")
        }
    }

    /// What announces something has a volume of its own and lowers music; the stream's role says so, and its level is then
    /// the ringer's anyway. Other sounds mix.
    static func command(_ file: String, _ name: String, gain: Double) -> [String] {
        let announces = ["message", "dialog", "alarm", "phone", "complete", "battery"].contains { name.hasPrefix($0) }
        let thousandths = Int((max(0, min(1, announces ? 1 : gain)) * 1000).rounded())
        let volume = thousandths == 1000 ? "1.000" : "0." + String("00\(thousandths)".suffix(3))
        return [
            player, "--media-role", announces ? "Notification" : "click", "--volume", volume, "-P",
            "{ application.id = \"org.mullion.Shell\" application.name = \"Mullion\" media.name = \"\(name)\" state.restore-props = false }",
            file,
        ]
    }

    /// True if it was one of the players.
    func ended(_ exit: ProcessExit) -> Bool {
        guard playing.remove(exit.pid) != nil else { return false }
        if exit.reason != .exited(0) { say("ended", "a short sound was not played: \(Self.player) could not; does a sound server run?") }
        return true
    }

    func noHaptics(_ reason: String) { say("haptics", "no haptics: \(reason)") }

    private func say(_ what: String, _ text: String) {
        if said.insert(what).inserted { note(text) }
    }
}
