import CWlcs
import Compositor
import Control
import Dispatch
import Foundation
import Geometry
import Settings
import Shell
import Synchronization
import Windows

/// The whole shell as WLCS runs it: one per test, on a thread of WLCS, headless, with free windows (W-25).
///
/// Confined to the thread that is in `run`. Only `onLoop` may be called from other threads.
final class ConformanceServer: @unchecked Sendable {
    private var shell: Shell?
    private var clients: OpaquePointer?
    private var touches: Int32 = 0
    private var thread = pthread_self()
    private let jobs = Mutex<[Job]>([])
    private let wake = cw_wake_create()

    private struct Job {
        var step: InputStep
        var done: DispatchSemaphore
    }

    deinit { close(wake) }

    private var options: ShellOptions {
        var settings = Settings()
        settings.preferences.appearance.wallpaper = "#404040"
        settings.onScreenKeyboard = .off
        settings.preferences.newWindows = .always
        settings.preferences.reducedMotion = true
        settings.logLevel = ProcessInfo.processInfo.environment["MULLION_WLCS_LOG"].flatMap(LogLevel.init) ?? .critical
        settings.launch = []
        var options = ShellOptions()
        options.settings = settings
        // The tests place windows themselves.
        var idiom = Idiom.mac
        idiom.dressing = .bare
        idiom.free.cascade = 0
        idiom.free.menuBar = 0
        idiom.free.hotCorner = .none
        idiom.home.dockStands = false
        idiom.free.pointerBand = 0
        idiom.free.fingerBand = 0
        idiom.edge = 0
        idiom.homeLine = nil
        idiom.home.fillsEmptyScreen = false
        options.onlyIdiom = idiom
        options.size = Size(1280, 1024)
        options.backend = .headless
        options.remoteView = .off
        options.audio = .off
        options.xwayland = false
        return options
    }

    /// Returns when the test is over and everything is torn down.
    func run(calls: OpaquePointer) {
        thread = pthread_self()
        do {
            let shell = try Shell(options)
            self.shell = shell
            clients = cw_clients_create(shell.display)
            try shell.run { [unowned self, unowned shell] in
                shell.watch(fd: cw_loop_fd(calls)) { cw_loop_dispatch(calls) }
                shell.watch(fd: wake) { [unowned self] in doJobs() }
            } atEnd: { [unowned self] in
                cw_clients_destroy(clients)
                clients = nil
            }
        } catch {
            fatalError("the shell did not start: \(error)")
        }
        shell = nil
    }

    func stop() { shell?.end() }

    func connect() -> Int32 { clients.map { cw_clients_connect($0) } ?? -1 }

    func place(_ client: OpaquePointer?, _ surface: OpaquePointer?, _ x: Int32, _ y: Int32) {
        var dx: Int32 = 0, dy: Int32 = 0
        guard let surface = cw_clients_surface(clients, client, surface, &dx, &dy) else { return }
        guard !cw_place_layer(surface, x, y) else { return }
        shell?.place(surface: OpaquePointer(surface), at: whole(x - dx, y - dy))
    }

    // MARK: Input

    func inject(_ step: InputStep) { shell?.inject(step) }

    func movePointer(by distance: Point) { shell?.movePointer(by: Vector(distance.x, distance.y)) }

    func nextTouch() -> Int32 {
        touches += 1
        return touches - 1
    }

    /// WLCS sends touches from the test's thread, and continues when they have been handled.
    func onLoop(_ step: InputStep) {
        guard pthread_equal(pthread_self(), thread) == 0 else { return inject(step) }
        let done = DispatchSemaphore(value: 0)
        jobs.withLock { $0.append(Job(step: step, done: done)) }
        var one: UInt64 = 1
        write(wake, &one, 8)
        done.wait()
    }

    private func doJobs() {
        var count: UInt64 = 0
        read(wake, &count, 8)
        let todo = jobs.withLock { jobs in
            defer { jobs.removeAll() }
            return jobs
        }
        for job in todo {
            inject(job.step)
            job.done.signal()
        }
    }
}

/// Converts 24.8 fixed-point numbers.
func point(_ x: Int32, _ y: Int32) -> Point { Point(Double(x) / 256, Double(y) / 256) }

func whole(_ x: Int32, _ y: Int32) -> Point { Point(Double(x), Double(y)) }
