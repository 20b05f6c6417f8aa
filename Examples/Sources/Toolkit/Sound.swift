import CToolkit

/// A file that is played, or a pipeline that records.
public final class Sound {
    private var raw: OpaquePointer?
    public var onEnd: () -> Void = {}
    public var onFailure: (String) -> Void = { _ in }
    /// The peak of the last tenth of a second, in dB below full.
    public var onLevel: (Double) -> Void = { _ in }

    /// `role`: the media.role of its stream.
    public init(file: String, role: String? = nil) {
        raw = ct_play(file, role, Sound.calls, Unmanaged.passUnretained(self).toOpaque())
    }

    /// A pipeline as gst-launch takes it; `onFailure` is told what is wrong with it.
    public init(pipeline: String, onFailure: @escaping (String) -> Void) {
        self.onFailure = onFailure
        raw = ct_pipeline(pipeline, Sound.calls, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The end of a pipeline that plays: `role` is the media.role of its stream.
    public static func sink(role: String) -> String {
        "\(String(cString: ct_sink())) stream-properties=\"props,media.role=(string)\(role)\""
    }

    deinit { ct_sound_free(raw) }

    private static let calls = ct_sound_calls(
        ended: { Sound.at($0).onEnd() }, failed: { Sound.at($0).onFailure(String(cString: $1!)) },
        level: { Sound.at($0).onLevel($1) })

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> Sound {
        Unmanaged<Sound>.fromOpaque(pointer!).takeUnretainedValue()
    }

    public var isMade: Bool { raw != nil }

    public func start() { if let raw { ct_sound_start(raw) } }

    public func pause() { if let raw { ct_sound_pause(raw) } }

    /// Lets a recording write its end; `onEnd` follows.
    public func finish() { if let raw { ct_sound_finish(raw) } }

    /// Seconds; nil while nobody knows.
    public var position: Double? { raw.map(ct_sound_position).flatMap { $0 < 0 ? nil : $0 } }

    public var duration: Double? { raw.map(ct_sound_duration).flatMap { $0 < 0 ? nil : $0 } }

    public func seek(to seconds: Double) { if let raw { ct_sound_seek(raw, seconds) } }
}

/// A media player on the session bus (MPRIS): desktops without audio sessions control the app by it.
public final class MediaPlayer {
    private var raw: OpaquePointer?
    /// "Play", "Pause", "PlayPause", "Stop", "Next", "Previous".
    public var onCommand: (String) -> Void = { _ in }
    public var onSeekBy: (Double) -> Void = { _ in }
    public var onSeekTo: (Double) -> Void = { _ in }

    public init(name: String, identity: String, desktopEntry: String) {
        let calls = ct_mpris_calls(
            command: { MediaPlayer.at($0).onCommand(String(cString: $1!)) }, seek: { MediaPlayer.at($0).onSeekBy($1) },
            position: { MediaPlayer.at($0).onSeekTo($1) })
        raw = ct_mpris_new(name, identity, desktopEntry, calls, Unmanaged.passRetained(self).toOpaque())
    }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> MediaPlayer {
        Unmanaged<MediaPlayer>.fromOpaque(pointer!).takeUnretainedValue()
    }

    /// `status`: "Playing", "Paused" or "Stopped"; times in seconds.
    public func show(status: String, title: String, artist: String, length: Double?, position: Double) {
        ct_mpris_set(raw, status, title, artist, "", length ?? 0, position)
    }

    public func seeked(to position: Double) { ct_mpris_seeked(raw, position) }
}
