import Foundation
import MullionKit
import Toolkit

/// The route, its prompts and the window.
final class Navigator {
    private let route = [
        "In two hundred metres, turn left.", "Turn left.", "Keep right, then follow the road for three kilometres.",
        "At the roundabout, take the second exit.", "Your destination is on the right.",
    ]
    private var step = 0
    private var waiting: [String] = []
    private var speech: Sound?
    private let file = NSTemporaryDirectory() + "/mullion-navigator-\(getpid()).wav"
    private let session = try? AudioSession()
    private let next = Label("", style: "title-1")
    private let state = Label("Ready", style: "dim-label")

    func open() {
        let window = Window("Navigator", width: 420, height: 360)
        let speak = Button("Speak the next prompt") { [unowned self] in speakNext() }
        window.show(Box.column(spacing: 18, [Label("Next", style: "caption"), next, state, speak.styled("suggested-action")]))
        next.text = route[0]
        if let session {
            session.onEvent = { [unowned self] in heard($0) }
            // Music is lowered, podcasts pause.
            session.setCategory(.playback, mode: .voicePrompt, options: [.duckOthers, .interruptSpokenAudioAndMix])
            ServiceLoop(session)
        }
        App.onLine { [unowned self] in obey($0) }
    }

    private func speakNext() {
        say(route[step])
        step = (step + 1) % route.count
        next.text = route[step]
    }

    private func say(_ text: String) {
        waiting.append(text)
        if waiting.count == 1 { prepare() }
    }

    /// The voice is made first, so that others are lowered for as long as it sounds and no longer.
    private func prepare() {
        let started = App.spawn(["espeak-ng", "-s", "150", "-w", file, waiting[0]]) { [unowned self] status in
            guard status == 0 else { return finish("espeak-ng could not speak") }
            activate()
        }
        if !started { finish("espeak-ng is not installed") }
    }

    private func activate() {
        guard let session else { return sound() }
        session.activate().whenDone { [unowned self] answer in
            switch answer {
            case .success: sound()
            case .failure(let error) where error.kind == .unavailable || error.kind == .expiredSession: sound()
            // During a call a prompt is read, not heard.
            case .failure(let error): finish(error.text)
            }
        }
    }

    private func sound() {
        let speech = Sound(file: file, role: "Notification")
        speech.onEnd = { [unowned self] in finish("Ready") }
        speech.onFailure = { [unowned self] in finish($0) }
        self.speech = speech
        speech.start()
        state.text = "Speaking"
        App.say("speaking")
    }

    private func finish(_ text: String) {
        speech = nil
        state.text = text
        App.say(text == "Ready" ? "silent" : "silent: \(text)")
        waiting.removeFirst()
        if waiting.isEmpty {
            // Those who were paused may go on.
            session?.deactivate(notifyOthers: true)
            unlink(file)
        } else {
            prepare()
        }
    }

    private func heard(_ event: AudioSession.Event) {
        guard case .interruptionBegan = event, speech != nil else { return }
        // A prompt that comes late is wrong: it is not said again.
        waiting = [waiting[0]]
        finish("Interrupted")
    }

    /// "next", "say WORDS", "quit".
    private func obey(_ words: [String]) {
        switch words[0] {
        case "next": speakNext()
        case "say" where words.count > 1: say(words.dropFirst().joined(separator: " "))
        case "quit": App.quit()
        default: App.say("unknown \(words[0]): next, say WORDS or quit")
        }
    }
}
