import Glibc
import MullionKit
import Toolkit

// A voice recorder: a call that rings does not stop it, one that is accepted does; it does not begin again by
// itself. `mullion-recorder [FOLDER]`; without one recordings go to ~/Recordings.

exit(
    App.run(id: "org.mullion.Recorder") {
        let recorder = Recorder(folder: CommandLine.arguments.dropFirst().first)
        recorder.open()
        return recorder
    })
