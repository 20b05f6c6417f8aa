import MullionKit
import Toolkit

/// A long job that a person starts, and that finishes while the app is out of sight. Then the app is frozen.
final class Exporter {
    private let seconds: Double
    private let life = try? AppLife()
    private var task: BackgroundTask?
    private var done = 0
    private var isRunning = false
    private let label = Label("Ready", style: "title-2")
    private let hint = Label("", style: "dim-label")
    private let meter = Meter()
    private lazy var button = Button("Export") { [unowned self] in if isRunning { finish("Cancelled") } else { export() } }

    init(seconds: Double) { self.seconds = seconds }

    func open() {
        let window = Window("Exporter", width: 420, height: 320)
        window.show(Box.column([label, hint, meter, Box.row([button])]))
        if let life {
            life.onPhase = { App.say("phase \($0.rawValue)") }
            life.onResumed = { App.say("frozen for \(Int($0 * 1000)) ms") }
            ServiceLoop(life)
        }
        App.every(seconds: seconds / 100) { [unowned self] in step() }
        App.onLine { [unowned self] in obey($0) }
    }

    private func export() {
        done = 0
        isRunning = true
        label.text = "Exporting"
        button.show("Cancel")
        // At the beginning, not when the app goes out of sight.
        task = life?.beginTask(name: "Holiday.mov")
        task?.onExpiring = { [unowned self] seconds in
            App.say("expires in \(Int(seconds)) s")
            hint.text = "The system will stop the export soon"
        }
        task?.onExpired = { App.say("expired") }
        // On a desktop without the service the job runs all the same.
        task?.onRefused = { App.say("without a task: \($0.text)") }
        App.say("begun")
    }

    private func step() {
        guard isRunning else { return }
        done += 1
        meter.show(Double(done) / 100)
        task?.progress = Double(done) / 100
        if done % 25 == 0 { App.say("progress \(done)") }
        if done == 100 { finish("Done") }
    }

    private func finish(_ text: String) {
        guard isRunning else { return }
        isRunning = false
        task?.end()
        task = nil
        label.text = text
        hint.text = ""
        button.show("Export")
        App.say(text.lowercased())
    }

    /// "export", "cancel", "quit".
    private func obey(_ words: [String]) {
        switch words[0] {
        case "export": if !isRunning { export() }
        case "cancel": finish("Cancelled")
        case "quit": App.quit()
        default: App.say("unknown \(words[0]): export, cancel or quit")
        }
    }
}
