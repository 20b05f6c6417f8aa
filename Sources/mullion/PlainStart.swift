import Chrome
import Compositor
import Geometry
import Settings
import Shell
import Windows

extension ShellOptions {
    /// What `mullion run` is told with these words, where they are the usual options, each once and written in full.
    ///
    /// nil for everything else, right or wrong: `RunCommand` reads and judges it. To set up the reader of command lines
    /// takes longer than all that the shell itself does before it can be asked anything.
    init?(plainly words: [String]) {
        self.init()
        var rest = words[...]
        var seen: Set<String> = []
        while let name = rest.popFirst() {
            guard seen.insert(name).inserted else { return nil }
            switch name {
            case "--headless": backend = .headless
            case "--no-xwayland": xwayland = false
            default:
                guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("-"), take(name, value) else { return nil }
            }
        }
        iconPainter = RunCommand.iconPainter
        viewServer = RunCommand.viewServer
    }

    private mutating func take(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--config": config = value
        case "--record": record = value
        case "--socket":
            guard !value.contains("/") else { return false }
            socket = value
        case "--idiom":
            idiom = Idiom.named(value)
            return idiom != nil
        case "--size":
            size = Size(parsing: value)
            return size != nil
        case "--scale":
            scale = Double(value)
            return scale.map(Settings.scales.contains) ?? false
        case "--remote-view":
            remoteView = RemoteViewChoice(value)
            return remoteView != nil
        case "--audio":
            audio = SoundServerChoice(rawValue: value)
            return audio != nil
        default: return false
        }
        return true
    }
}
