import MullionKit
import Toolkit

/// The player and its window.
final class Podcast {
    private let episodes: [Episode]
    private var places = Places()
    private var index = 0
    private var sound: Sound?
    private var isPlaying = false
    /// It played when the interruption came: only then does it go on after it (A-18).
    private var wasInterruptedPlaying = false

    private let session: AudioSession?
    private let media = MediaPlayer(name: "mullion-podcast", identity: "Podcasts", desktopEntry: "org.mullion.Podcast")
    private let title = Label("", style: "title-2")
    private let state = Label("", style: "dim-label")
    private let time = Label("", style: "caption")
    private lazy var slider = Slider(step: 1) { [unowned self] in seek(to: $0) }
    private lazy var playButton = Button("Play", icon: "media-playback-start-symbolic") { [unowned self] in toggle() }

    private static let back = 15.0, forward = 30.0

    init(episodes: [Episode]) {
        self.episodes = episodes
        session = try? AudioSession()
    }

    func open() {
        let window = Window("Podcasts", width: 420, height: 520)
        let controls = Box.row([
            Button("Back 15 seconds", icon: "media-seek-backward-symbolic") { [unowned self] in skip(-Podcast.back) },
            playButton.styled("suggested-action"),
            Button("Forward 30 seconds", icon: "media-seek-forward-symbolic") { [unowned self] in skip(Podcast.forward) },
        ])
        let list = Box.column(spacing: 4)
        for (index, episode) in episodes.enumerated() {
            list.add(Button(episode.title) { [unowned self] in choose(index, play: true) }.styled("flat"))
        }
        let volume = Button("Volume and output", icon: "audio-volume-high-symbolic") { [unowned self] in session?.showVolume() }
        // So that it fits into a phone on its side, 375 points high.
        window.show(Box.column(spacing: 6, [title, state, slider, time, controls, volume.styled("flat"), Scrolled(list)]))
        join()
        if episodes.isEmpty { title.text = "No episodes: name files, or put some into Podcasts" } else { choose(0, play: false) }
        App.every(seconds: 0.5) { [unowned self] in showTime() }
        App.onLine { [unowned self] in obey($0) }
    }

    // MARK: The session

    private func join() {
        media.onCommand = { [unowned self] command in
            switch command {
            case "Play": play()
            case "Pause", "Stop": pause()
            case "PlayPause": toggle()
            default: break
            }
        }
        media.onSeekBy = { [unowned self] in skip($0) }
        media.onSeekTo = { [unowned self] in seek(to: $0) }
        guard let session else { return }
        session.onEvent = { [unowned self] in heard($0) }
        session.setCategory(.playback, mode: .spokenAudio)
        session.setCommands(
            [.play, .pause, .togglePlayPause, .skipForward, .skipBackward, .seek], skipForward: Podcast.forward,
            skipBackward: Podcast.back)
        ServiceLoop(session)
    }

    private func heard(_ event: AudioSession.Event) {
        switch event {
        case .interruptionBegan(let reason):
            App.say("interrupted \(reason)")
            wasInterruptedPlaying = isPlaying
            halt(saying: "Interrupted")
        case .interruptionEnded(let shouldResume):
            App.say("interruption over, \(shouldResume ? "may resume" : "no resuming")")
            state.text = ""
            if shouldResume, wasInterruptedPlaying { play() }
            wasInterruptedPlaying = false
        case .routeChanged(_, _, let route): state.text = route.output.map { "On \($0.name)" } ?? ""
        case .command(let command):
            App.say("command \(command)")
            switch command {
            case .play: play()
            case .pause, .stop: pause()
            case .togglePlayPause: toggle()
            case .skipForward(let seconds): skip(seconds ?? Podcast.forward)
            case .skipBackward(let seconds): skip(-(seconds ?? Podcast.back))
            case .seek(let place): seek(to: place)
            case .next, .previous, .changeRate: break
            }
        case .secondaryAudioHint, .inputAvailable, .call, .outputVolumeChanged, .serviceLost, .serviceReturned: break
        }
    }

    // MARK: Playing

    private func choose(_ new: Int, play wanted: Bool) {
        keepPlace()
        index = new
        let episode = episodes[index]
        title.text = episode.title
        let sound = Sound(file: episode.file, role: "Music")
        sound.onEnd = { [unowned self] in
            places.set(0, of: episode)
            halt(saying: "Finished")
            sound.seek(to: 0)
            App.say("finished")
        }
        sound.onFailure = { [unowned self] text in
            halt(saying: text)
            App.say("failed \(text)")
        }
        self.sound = sound
        if places[episode] > 0 { sound.seek(to: places[episode]) }
        if wanted { play() } else { tell() }
    }

    private func play() {
        guard sound != nil, !isPlaying else { return }
        guard let session else { return begin() }
        session.activate().whenDone { [unowned self] answer in
            switch answer {
            case .success: begin()
            // A desktop without sessions: play, as ever.
            case .failure(let error) where error.kind == .unavailable || error.kind == .expiredSession: begin()
            case .failure(let error):
                state.text = error.text
                App.say("refused \(error)")
            }
        }
    }

    private func begin() {
        isPlaying = true
        sound?.start()
        playButton.show("Pause", icon: "media-playback-pause-symbolic")
        App.say("playing")
        tell()
    }

    /// The person paused: nothing resumes it but the person.
    private func pause() {
        wasInterruptedPlaying = false
        guard isPlaying else { return }
        halt(saying: "")
    }

    private func halt(saying text: String) {
        sound?.pause()
        isPlaying = false
        state.text = text
        playButton.show("Play", icon: "media-playback-start-symbolic")
        keepPlace()
        App.say("paused")
        tell()
    }

    private func toggle() { if isPlaying { pause() } else { play() } }

    private func skip(_ seconds: Double) { seek(to: (sound?.position ?? 0) + seconds) }

    private func seek(to place: Double) {
        guard let sound else { return }
        let place = min(max(0, place), sound.duration ?? .infinity)
        sound.seek(to: place)
        keepPlace(place)
        media.seeked(to: place)
        App.say("at \(clock(place))")
        tell(position: place)
    }

    private func keepPlace(_ place: Double? = nil) {
        guard let sound, let place = place ?? sound.position else { return }
        places.set(place, of: episodes[index])
    }

    // MARK: Telling

    /// What plays, to the shell's controls and to those of other desktops.
    private func tell(position: Double? = nil) {
        guard let sound, !episodes.isEmpty else { return }
        let episode = episodes[index]
        let position = position ?? sound.position ?? places[episode]
        session?.setNowPlaying(
            AudioSession.NowPlaying(title: episode.title, artist: "Podcasts", duration: sound.duration, position: position),
            status: isPlaying ? .playing : .paused)
        media.show(
            status: isPlaying ? "Playing" : "Paused", title: episode.title, artist: "Podcasts", length: sound.duration,
            position: position)
    }

    private var wasDurationKnown = false

    private func showTime() {
        guard let sound, let position = sound.position else { return }
        let duration = sound.duration
        slider.show(position, of: duration ?? position)
        time.text = duration.map { "\(clock(position)) of \(clock($0))" } ?? clock(position)
        // A file's length is known a moment after it was opened.
        if (duration != nil) != wasDurationKnown {
            wasDurationKnown = duration != nil
            tell()
        }
        if isPlaying {
            media.show(
                status: "Playing", title: episodes[index].title, artist: "Podcasts", length: duration, position: position)
        }
    }

    /// "play", "pause", "seek 30", "episode 2", "quit".
    private func obey(_ words: [String]) {
        switch words[0] {
        case "play": play()
        case "pause": pause()
        case "seek": seek(to: words.dropFirst().first.flatMap(Double.init) ?? 0)
        case "episode": choose(min(max(0, (words.dropFirst().first.flatMap(Int.init) ?? 1) - 1), episodes.count - 1), play: true)
        case "quit": App.quit()
        default: App.say("unknown \(words[0]): play, pause, seek SECONDS, episode NUMBER or quit")
        }
    }
}
