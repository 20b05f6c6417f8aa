import Foundation
import MullionKit
import Toolkit

/// The recorder and its window.
final class Recorder {
    private let folder: String
    private var recording: Sound?
    private var playback: Sound?
    private var file = ""
    private let session = try? AudioSession()
    private let state = Label("Ready", style: "title-2")
    private let hint = Label("", style: "dim-label")
    private let meter = Meter()
    private let list = Box.column(spacing: 4)
    private lazy var button = Button("Record", icon: "media-record-symbolic") { [unowned self] in
        if recording == nil { record() } else { stop("Saved") }
    }

    init(folder: String?) { self.folder = folder ?? FileManager.default.homeDirectoryForCurrentUser.path + "/Recordings" }

    func open() {
        let window = Window("Recorder", width: 420, height: 480)
        window.show(Box.column([state, hint, meter, Box.row([button.styled("destructive-action")]), Scrolled(list)]))
        if let session {
            session.onEvent = { [unowned self] in heard($0) }
            ServiceLoop(session)
        }
        showList()
        App.onLine { [unowned self] in obey($0) }
    }

    // MARK: Recording

    private func record() {
        playback = nil
        enter(.record, options: .prefersNoInterruptionsFromSystemAlerts) { [unowned self] in begin() }
    }

    private func begin() {
        let time = DateFormatter()
        time.dateFormat = "yyyy-MM-dd HH.mm.ss"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        file = "\(folder)/\(time.string(from: Date())).flac"
        let quoted = file.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        let recording = Sound(
            pipeline: "autoaudiosrc ! audioconvert ! audioresample ! audio/x-raw,rate=48000 ! level interval=100000000 "
                + "! flacenc ! filesink location=\"\(quoted)\"",
            onFailure: { [unowned self] text in
                App.say("failed \(text)")
                self.recording = nil
                leave("The microphone cannot be used", text)
            })
        guard recording.isMade else { return }
        recording.onLevel = { [unowned self] in meter.show(min(1, max(0, ($0 + 60) / 60))) }
        self.recording = recording
        recording.start()
        button.show("Stop", icon: "media-playback-stop-symbolic")
        state.text = "Recording"
        hint.text = ""
        App.say("recording \(file)")
    }

    /// Whatever was recorded so far is kept.
    private func stop(_ text: String, _ why: String = "") {
        guard let recording else { return }
        recording.onEnd = { [unowned self] in
            self.recording = nil
            leave(text, why)
            showList()
            App.say("saved \(file)")
        }
        recording.finish()
    }

    private func leave(_ text: String, _ why: String) {
        meter.show(0)
        button.show("Record", icon: "media-record-symbolic")
        state.text = text
        hint.text = why
        session?.deactivate(notifyOthers: true)
    }

    // MARK: The session

    private func enter(_ category: AudioSession.Category, options: AudioSession.Options = [], then: @escaping () -> Void) {
        guard let session else { return then() }
        session.setCategory(category, options: options)
        session.activate().whenDone { [unowned self] answer in
            switch answer {
            case .success: then()
            case .failure(let error) where error.kind == .unavailable || error.kind == .expiredSession: then()
            case .failure(let error):
                state.text = "Not now"
                hint.text = error.text
                App.say("refused \(error)")
            }
        }
    }

    private func heard(_ event: AudioSession.Event) {
        switch event {
        case .interruptionBegan(let reason):
            App.say("interrupted \(reason)")
            playback = nil
            stop("Interrupted", "What was recorded is saved. Press to begin another recording.")
        // The microphone is never opened again by itself.
        case .interruptionEnded: App.say("interruption over")
        default: break
        }
    }

    // MARK: Listening

    private func showList() {
        list.clear()
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".flac") }
        for name in names.sorted().reversed() {
            list.add(Button(String(name.dropLast(5)), { [unowned self] in listen(to: "\(folder)/\(name)") }).styled("flat"))
        }
    }

    private func listen(to file: String) {
        guard recording == nil else { return }
        enter(.playback) { [unowned self] in
            let sound = Sound(file: file, role: "Music")
            sound.onEnd = { [unowned self] in
                playback = nil
                leave("Ready", "")
            }
            playback = sound
            sound.start()
            state.text = "Playing"
        }
    }

    /// "record", "stop", "quit".
    private func obey(_ words: [String]) {
        switch words[0] {
        case "record": if recording == nil { record() }
        case "stop": stop("Saved")
        case "quit": App.quit()
        default: App.say("unknown \(words[0]): record, stop or quit")
        }
    }
}
