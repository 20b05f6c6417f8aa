import AudioSessions

/// Effects of sound, handed to the adapter that carries each out.
extension Shell {
    func perform(_ effect: AudioEffect) {
        switch effect {
        // The sound server: AudioEngine.
        case .level, .connect, .useOutput, .useInput, .outputLevel, .muteInput: break
        // Players on the session bus.
        case .command: break
        // Apps that declare sessions.
        case .tell, .answer: break
        // Short sounds and haptics.
        case .playSound, .haptic: break
        // The core has turned these into effects of its own.
        case .refuse, .startTimer, .stopTimer: break
        }
    }
}
