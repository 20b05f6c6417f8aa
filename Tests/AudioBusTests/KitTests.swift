import AudioSessions
import Foundation
import Glibc
import MullionTesting
import Testing

@testable import AudioBus
@testable import MullionKit

/// MullionKit against the real service on a real bus, both in one loop.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct KitTests {
    let bus: TestBus
    let rig: Rig

    init() throws {
        bus = try TestBus()
        rig = Rig(bus)
        rig.connect()
    }

    private func session() throws -> AudioSession {
        let session = try AudioSession(busAddress: bus.address)
        rig.sessions.append(session)
        return session
    }

    @Test("The words of MullionKit are those of the service")
    func words() {
        #expect(AudioSession.Category.allCases.map(\.rawValue) == Category.allCases.map(\.rawValue))
        #expect(AudioSession.Mode.allCases.map(\.rawValue) == Mode.allCases.map(\.rawValue))
        #expect(AudioSession.Options.allNames == Options.names.map(\.name))
        for (index, entry) in Options.names.enumerated() { #expect(entry.option.rawValue == 1 << UInt32(index)) }
        #expect(AudioSession.RemoteCommand.Name.allCases.map(\.rawValue) == RemoteCommand.Name.allCases.map(\.rawValue))
        #expect(AudioSession.CallState.allCases.map(\.rawValue) == CallState.allCases.map(\.rawValue))
        #expect(AudioSession.PlaybackStatus.allCases.map(\.rawValue) == PlaybackStatus.allCases.map(\.rawValue))
        #expect(AudioSession.SystemSound.allCases.map(\.rawValue) == SystemSoundKind.allCases.map(\.rawValue))
        #expect(AudioSession.RouteChangeReason.allCases.map(\.rawValue) == RouteChangeReason.allCases.map(\.rawValue))
        #expect(AudioSession.State.allCases.map(\.rawValue) == SessionState.allCases.map(\.rawValue))
        #expect(AudioSession.CallCommand.allCases.map(\.rawValue) == CallCommand.allCases.map(\.rawValue))
        for kind in SessionError.Kind.allCases { #expect(MullionError.Kind(rawValue: kind.rawValue) != nil) }
        for reason in InterruptionReason.allCases {
            if case .other = AudioSession.InterruptionReason(reason.rawValue) { Issue.record("\(reason) is not known") }
        }
    }

    @Test("A-01 to A-05: every request arrives as it was meant")
    func requests() throws {
        let session = try session()
        session.setCategory(.playAndRecord, mode: .voiceChat, options: [.duckOthers, .allowBluetooth])
        session.setLevel(0.5)
        session.setCommands([.play, .next], skipForward: 45)
        var playing = AudioSession.NowPlaying(title: "Song", artist: "Singer", duration: 90, position: 3, rate: 2)
        playing.artwork = "data:image/png;base64,AA"
        session.setNowPlaying(playing, status: .paused)
        session.setNowPlaying(nil)
        session.preferInput("mic")
        session.preferInput(nil)
        session.setCallState(.accepted)
        session.showVolume()
        session.playSystemSound("bell", .feedback)
        session.activate()
        let last = session.deactivate(notifyOthers: true)
        #expect(rig.run { last.result != nil })
        #expect(throws: Never.self) { try last.result?.get() }
        var info = NowPlayingInfo()
        (info.title, info.artist, info.artwork, info.duration, info.position, info.rate) = (
            "Song", "Singer", "data:image/png;base64,AA", 90, 3, 2
        )
        #expect(
            rig.requests == [
                .setCategory(.playAndRecord, .voiceChat, [.duckOthers, .allowBluetooth]), .setLevel(0.5),
                .setCommands([.play, .next], skipForward: 45, skipBackward: nil), .setNowPlaying(info, .paused),
                .setNowPlaying(nil, .stopped), .preferInput(PortID("mic")), .preferInput(nil), .call(.accepted),
                .showVolume(true), .activate, .deactivate(notifyOthers: true),
            ])
        #expect(rig.events.contains(.systemSound("bell", .feedback)))
        let before = rig.closed.count
        session.close()
        #expect(session.descriptor == -1)
        #expect(rig.run { rig.closed.count == before + 1 })
        #expect(session.activate().result != nil)
    }

    @Test("A-15, A-18: signals arrive as events, in order, and the state follows")
    func events() throws {
        let session = try session()
        var heard: [AudioSession.Event] = []
        session.onEvent = { heard.append($0) }
        #expect(rig.run { heard == [.serviceReturned] })
        let id = try #require(rig.opened.first).0
        rig.states[id] = .active
        var stateThen: AudioSession.State?
        session.activate().whenDone { _ in stateThen = session.state }
        #expect(rig.run { stateThen != nil })
        #expect(stateThen == .active, "the state is known when the answer is")
        var summary = AudioSummary()
        summary.outputs = [AudioOutput(id: PortID("spk"), kind: .speaker, name: "Speaker", level: 0.75)]
        summary.inputs = [AudioInput(id: PortID("mic"), kind: .builtIn, name: "Microphone")]
        summary.route = AudioRoute(output: PortID("spk"), input: PortID("mic"))
        rig.bus.show(summary)
        let route = AudioSession.Route(
            output: .init(id: "spk", kind: "speaker", name: "Speaker"), input: .init(id: "mic", kind: "builtIn", name: "Microphone"))
        #expect(rig.run { session.currentRoute == route && session.outputVolume == 0.75 && session.isInputAvailable })
        rig.states[id] = .interrupted
        for notice: SessionNotice in [
            .call(.answer), .interruptionBegan(.routeDisconnected), .interruptionEnded(shouldResume: false),
            .routeChanged(.newDeviceAvailable, previous: AudioRoute(), current: summary.route), .secondaryAudioHint(true),
            .inputAvailable(true), .command(.skipBackward(nil)), .command(.changeRate(1.5)),
        ] { rig.bus.perform(.tell(id, notice)) }
        #expect(rig.run { heard.count == 10 })
        #expect(
            heard == [
                .serviceReturned, .outputVolumeChanged(0.75), .call(.answer), .interruptionBegan(.routeDisconnected),
                .interruptionEnded(shouldResume: false),
                .routeChanged(.newDeviceAvailable, previous: .init(), current: route), .secondaryAudioHint(true),
                .inputAvailable(true), .command(.skipBackward(nil)), .command(.changeRate(1.5)),
            ])
    }

    @Test("A-05: errors come with their kind and text")
    func errors() throws {
        let session = try session()
        for kind in SessionError.Kind.allCases {
            rig.decide = { event in
                if case .sessionAsked(_, _, let reply) = event { [.answer(reply, .failed(SessionError(kind, "because")))] } else { [] }
            }
            let reply = session.activate()
            #expect(rig.run { reply.result != nil })
            guard case .failure(let error) = reply.result else {
                Issue.record("granted")
                continue
            }
            #expect(error.kind.rawValue == kind.rawValue)
            #expect(error.text == "because")
        }
        #expect(session.state == .inactive)
    }

    @Test("A program without a loop waits for answers and events; the shell has its own thread here")
    func blocking() throws {
        // The service in another process would behave the same. A thread is enough to prove that nothing else runs
        // the loop.
        let done = Turning()
        let rig = rig
        nonisolated(unsafe) let turning = rig
        let thread = Thread { while !done.isDone { turning.turn(milliseconds: 5) } }
        thread.start()
        defer {
            done.finish()
            while !thread.isFinished { usleep(1000) }
        }
        let session = try AudioSession(busAddress: bus.address)
        try session.setCategory(.playback).wait()
        rig.states[SessionID(1)] = .active
        try session.activate().wait()
        for _ in 0..<100 where session.state != .active { session.wait(seconds: 0.05) }
        #expect(session.state == .active)
        #expect(throws: MullionError.self) { try session.playSystemSound("../x").wait() }
        session.close()
    }

    @Test("Async code gets its answers while its loop turns")
    @MainActor func asynchronous() async throws {
        let session = try session()
        let rig = rig
        let turning = Task { @MainActor in
            while !Task.isCancelled {
                rig.turn(milliseconds: 2)
                await Task.yield()
            }
        }
        try await session.setCategory(.playback).value()
        try await session.activate().value()
        await #expect(throws: MullionError.self) { try await session.playSystemSound("../x").value() }
        turning.cancel()
        _ = await turning.value
        #expect(rig.requests.count == 2)
    }

    @Test("Without a shell requests fail with a reason; a shell that starts gets everything, and again after a crash")
    func restarts() throws {
        rig.bus.close()
        let session = try session()
        var heard: [AudioSession.Event] = []
        session.onEvent = { heard.append($0) }
        let refused = session.setCategory(.playback, options: .mixWithOthers)
        #expect(rig.run { refused.result != nil })
        #expect { try refused.result?.get() } throws: { ($0 as? MullionError)?.kind == .unavailable }
        session.setCommands([.pause])
        #expect(session.activate().result != nil)

        for round in 0..<2 {
            let shell = Rig(bus)
            shell.sessions = [session]
            #expect(shell.run { session.isConnected && heard.last == .serviceReturned })
            #expect(shell.run { shell.requests.count >= (round == 0 ? 2 : 3) })
            #expect(shell.requests.first == .setCategory(.playback, .standard, .mixWithOthers))
            #expect(shell.requests.contains(.setCommands([.pause], skipForward: nil, skipBackward: nil)))
            // It was active when the first shell ended.
            #expect(shell.requests.contains(.activate) == (round == 1))
            if round == 0 {
                let reply = session.activate()
                #expect(shell.run { reply.result != nil })
            }
            heard = []
            shell.bus.close()
            #expect(shell.run { heard == [.serviceLost] })
            #expect(session.state == .inactive && !session.isConnected)
        }
        bus.stop()
        #expect(rig.run { session.descriptor == -1 })
        #expect(throws: MullionError.self) { try session.activate().wait() }
    }

    @Test("A session may be closed and dropped from what it calls back")
    func droppedInside() throws {
        var session: AudioSession? = try AudioSession(busAddress: bus.address)
        var count = 0
        session?.onEvent = { _ in
            count += 1
            session?.close()
            session = nil
        }
        #expect(
            rig.run {
                session?.process()
                return session == nil
            })
        #expect(count == 1)
        #expect(rig.run { rig.opened.count == 1 && rig.closed.count == 1 })
    }

    @Test("A missing bus is reported at once")
    func noBus() {
        #expect { _ = try AudioSession(busAddress: "unix:path=/nowhere/bus") } throws: {
            ($0 as? MullionError)?.kind == .unavailable
        }
    }
}

private final class Turning: @unchecked Sendable {
    private let lock = NSLock()
    private var done = false
    var isDone: Bool { lock.withLock { done } }
    func finish() { lock.withLock { done = true } }
}
