import Geometry
import Multitasking
import Processes
import Settings

/// A part of the shell that talks to something outside: wlroots, PipeWire, a bus, files, processes, the screen.
///
/// An adapter turns what happens outside into events (`Shell.receive`) and carries out effects. It decides nothing.
/// To add one: write a class in a folder of its own, and add one line to `Shell.makeAdapters`.
protocol Adapter: AnyObject {
    /// The kinds of effects that come to this adapter, and to no other.
    var carriesOut: [Effect.Kind] { get }

    /// Opens the sources of events, such as sockets, buses, timers and file watches. Throws what makes a session impossible;
    /// an adapter that the session can do without says in the log why it is missing.
    func start() throws
    /// Every adapter has started.
    func allStarted()
    /// Does what an effect of one of `carriesOut` says. `moment` is the shell's time.
    func carryOut(_ effect: Effect, at moment: Moment)
    /// A child process ended. True if this adapter started it, and has seen to its end.
    func ended(_ exit: ProcessExit) -> Bool
    /// The configuration was read anew and is in force.
    func settingsChanged(from before: Settings)
    /// The variables that programs are started with changed (`Shell.environment`).
    func environmentChanged()
    /// The screen shows everything as it will stand; nothing moves any more.
    func cameToRest()
    /// Gives back what `start` opened. Adapters stop in the reverse of the order in which they started.
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

/// An adapter that hears of every event, for example to record it.
///
/// Events come thousands of times a second, so only those adapters are asked that need it.
protocol EventObserver: Adapter {
    /// The system is about to handle the event.
    func willHandle(_ event: Event, at moment: Moment)
    /// The system has handled the event; nothing of what it caused is carried out yet.
    func didHandle(_ event: Event, _ effects: [Effect])
    /// All that the event caused is carried out.
    func didCarryOut(_ event: Event)
    /// A turn of the event loop is over.
    func turned()
}

extension EventObserver {
    func willHandle(_ event: Event, at moment: Moment) {}
    func didHandle(_ event: Event, _ effects: [Effect]) {}
    func didCarryOut(_ event: Event) {}
    func turned() {}
}
