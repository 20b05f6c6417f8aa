import Glibc
import MullionKit
import Toolkit

// A job of some seconds that goes on in the background, as a task with progress. `mullion-exporter [SECONDS]`; 20 if left out.

exit(
    App.run(id: "org.mullion.Exporter") {
        let exporter = Exporter(seconds: CommandLine.arguments.dropFirst().first.flatMap(Double.init).map { max(1, min($0, 3600)) } ?? 20)
        exporter.open()
        return exporter
    })
