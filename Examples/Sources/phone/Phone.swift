import Foundation
import MullionKit
import Toolkit

/// The call and its window.
final class Phone {
    private enum State { case idle, ringing, talking }

    private var state = State.idle
    private var tone: Sound?
    private var microphone: Sound?
    private let file = NSTemporaryDirectory() + "/mullion-phone-\(getpid()).wav"
    private let session = try? AudioSession()
    private let caller = Label("Nobody calls", style: "title-1")
    private let hint = Label("", style: "dim-label")
    private lazy var ringButton = Button("Let it ring") { [unowned self] in ring(fullScreen: false) }
    private lazy var acceptButton = Button("Accept", icon: "call-start-symbolic") { [unowned self] in accept() }
    private lazy var endButton = Button("Decline", icon: "call-stop-symbolic") { [unowned self] in end() }

    func open() {
        let window = Window("Phone", width: 380, height: 420)
        let calling = Box.row(
            spacing: 24,
            [
                acceptButton.styled("suggested-action"), endButton.styled("destructive-action"),
            ])
        window.show(Box.column(spacing: 24, [caller, hint, calling, ringButton]))
        if let session {
            session.onEvent = { [unowned self] in heard($0) }
            ServiceLoop(session)
        }
        show()
        App.onLine { [unowned self] in obey($0) }
    }

    private func show() {
        caller.text =
            switch state {
            case .idle: "Nobody calls"
            case .ringing: "Ada calls"
            case .talking: "Ada"
            }
        ringButton.isEnabled = state == .idle
        acceptButton.isEnabled = state == .ringing
        endButton.isEnabled = state != .idle
        endButton.show(state == .talking ? "Hang up" : "Decline", icon: "call-stop-symbolic")
    }

    // MARK: The call

    private func ring(fullScreen: Bool) {
        guard state == .idle else { return }
        state = .ringing
        hint.text = ""
        show()
        App.say("ringing")
        enter(.ringer) { [unowned self] in
            session?.setCallState(fullScreen ? .ringingFullScreen : .ringing)
            guard state == .ringing else { return }
            let ringing = Sound(
                pipeline: "audiotestsrc wave=ticks tick-interval=2000000000 sine-periods-per-tick=400 freq=480 volume=0.4 "
                    + "! audioconvert ! \(Sound.sink(role: "Ringtone"))",
                onFailure: { App.say("failed \($0)") })
            tone = ringing
            ringing.start()
        }
    }

    private func accept() {
        guard state == .ringing else { return }
        state = .talking
        tone = nil
        show()
        App.say("accepted")
        enter(.playAndRecord, mode: .voiceChat) { [unowned self] in
            session?.setCallState(.accepted)
            guard state == .talking else { return }
            talk()
        }
    }

    /// The other side speaks, and the microphone is open as in any call.
    private func talk() {
        let microphone = Sound(
            pipeline: "autoaudiosrc ! audioconvert ! fakesink",
            onFailure: { [unowned self] in
                hint.text = "No microphone"
                App.say("no microphone: \($0)")
            })
        self.microphone = microphone
        microphone.start()
        let words = "Hello, this is Ada. I only wanted to hear whether your music pauses. It does. Goodbye."
        App.spawn(["espeak-ng", "-s", "140", "-w", file, words]) { [unowned self] status in
            guard status == 0, state == .talking else { return }
            let voice = Sound(file: file, role: "Communication")
            tone = voice
            voice.start()
            App.say("talking")
        }
    }

    private func end() {
        guard state != .idle else { return }
        state = .idle
        tone = nil
        microphone = nil
        unlink(file)
        show()
        App.say("ended")
        session?.setCallState(.ended)
        session?.deactivate(notifyOthers: true)
    }

    // MARK: The session

    private func enter(_ category: AudioSession.Category, mode: AudioSession.Mode = .standard, then: @escaping () -> Void) {
        guard let session else { return then() }
        session.setCategory(category, mode: mode).whenDone { answer in
            if case .failure(let error) = answer { App.say("refused \(error)") }
        }
        session.activate().whenDone { [unowned self] answer in
            if case .failure(let error) = answer, error.kind != .unavailable, error.kind != .expiredSession {
                hint.text = error.text
                App.say("refused \(error)")
            }
            // A call goes on in any case: it is heard on another device at worst.
            then()
        }
    }

    private func heard(_ event: AudioSession.Event) {
        switch event {
        case .call(.answer): accept()
        case .call(.decline), .call(.end): end()
        case .interruptionBegan(let reason):
            App.say("interrupted \(reason)")
            // The cover over the microphone ends the call (A-20).
            if reason == .builtInMicMuted, state == .talking { end() }
        default: break
        }
    }

    /// "ring", "ring-full", "accept", "end", "quit".
    private func obey(_ words: [String]) {
        switch words[0] {
        case "ring": ring(fullScreen: false)
        case "ring-full": ring(fullScreen: true)
        case "accept": accept()
        case "end", "decline": end()
        case "quit": App.quit()
        default: App.say("unknown \(words[0]): ring, ring-full, accept, end or quit")
        }
    }
}
