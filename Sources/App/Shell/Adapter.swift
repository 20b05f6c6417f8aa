import Geometry
import Multitasking
import Processes
import Settings

/// A part of the shell that talks to something outside: wlroots, PipeWire, a bus, files, processes, the screen.
///
/// An adapter turns outside changes into events (`Shell.receive`) and carries out effects. It decides nothing. To add
/// one, write a class in its own folder, and add one line to `Shell.makeAdapters`.
protocol Adapter: AnyObject {
    /// The kinds of effects that this adapter, and no other, carries out.
    var carriesOut: [Effect.Kind] { get }

    /// Opens the sources of events, such as sockets, buses, timers and file watches. Throws if the session cannot
    /// work without them. An optional adapter logs why it is not available instead.
    func start() throws
    /// Called when all adapters have started.
    func allStarted()
    /// Carries out an effect of one of the kinds in `carriesOut`. `moment` is the shell's time.
    func carryOut(_ effect: Effect, at moment: Moment)
    /// A child process exited. Returns true if this adapter started it and handled the exit.
    func ended(_ exit: ProcessExit) -> Bool
    /// The configuration was read again and is in effect.
    func settingsChanged(from before: Settings)
    /// The environment of launched programs changed (`Shell.environment`).
    func environmentChanged()
    /// All animations have ended, and the screen shows the final state.
    func cameToRest()
    /// Releases the resources that `start` opened. Adapters stop in the reverse order of their start.
    func stop()
}

extension Adapter {
    var carriesOut: [Effect.Kind] { [] }
    func start() throws {}
    func allStarted() {}
    func carryOut(_ effect: Effect, at moment: Moment) {}
    func ended(_ exit: ProcessExit) -> Bool { false }
    func settingsChanged(from before: Settings) {}
    func environmentChanged() {}
    func cameToRest() {}
    func stop() {}
}

/// An adapter that sees every event, for example to record it.
///
/// There may be thousands of events per second, so only these adapters are called for each.
protocol EventObserver: Adapter {
    /// The system is about to handle the event.
    func willHandle(_ event: Event, at moment: Moment)
    /// The system has handled the event. None of its effects has been carried out yet.
    func didHandle(_ event: Event, _ effects: [Effect])
    /// All effects of the event have been carried out.
    func didCarryOut(_ event: Event)
    /// A turn of the event loop has ended.
    func turned()
}

extension EventObserver {
    func willHandle(_ event: Event, at moment: Moment) {}
    func didHandle(_ event: Event, _ effects: [Effect]) {}
    func didCarryOut(_ event: Event) {}
    func turned() {}
}
