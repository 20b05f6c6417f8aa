import Chrome
import Compositor
import Control
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import Journal
import Logging
import Multitasking
import Stage
import Windows

/// What the control socket asks of the shell.
extension Shell: ControlHandler {
    public var now: Moment { clock.now() }

    public var isIdle: Bool {
        let now = clock.now()
        return !system.isMoving(at: now) && player.isEmpty && (clock.isHand || !hasFrameDue || !compositor.isLit) && !compositor.isBehind
            // A hidden window gets no frame callbacks, and many toolkits answer only with a frame.
            && !system.workspace.windows.values.contains { $0.isAwaited && system.workspace.isShown($0.id) }
    }

    public var isSoundKnown: Bool {
        guard isSetUp else { return false }
        guard audioEngine != nil, system.audio.summary.outputs.isEmpty else { return true }
        return soundAwaitedUntil.map { $0 <= Compositor.now() } ?? true
    }

    public var version: VersionReport {
        VersionReport(
            wlroots: Compositor.wlrootsVersion, backend: compositor.backendName, renderer: compositor.rendererName,
            socket: compositor.socket, x11Display: compositor.x11Display, x11Authority: compositor.x11Authority, idiom: system.workspace.idiom.name,
            process: getpid())
    }

    public func string(_ text: Text) -> String { painter.string(text) }

    public var statistics: StatisticsReport {
        let raw = compositor.statistics
        var report = StatisticsReport()
        report.framesDrawn = raw.frames_drawn
        report.framesScannedOut = raw.frames_scanned_out
        report.frameEvents = raw.frame_events
        report.frameCallbacks = raw.frame_callbacks
        report.lastDrawNanoseconds = raw.last_draw_ns
        report.damagePixels = raw.damage_pixels
        report.clients = raw.clients
        report.surfaces = raw.surfaces
        report.events = eventCount
        report.recentFrames = Array(recentFrames.suffix(600))
        var usage = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &usage)
        report.cpuNanoseconds = UInt64(usage.tv_sec) * 1_000_000_000 + UInt64(usage.tv_nsec)
        report.memoryBytes = Shell.residentMemory()
        report.pictureBytes = UInt64(compositor.pictureBytes)
        return report
    }

    public var descriptors: DescriptorReport {
        var others = [compositor.loopDescriptor: "event loop"]
        for number in compositor.clientDescriptors { others[number] = "Wayland client" }
        let report = Descriptors.report(others: others)
        func entry(_ entry: Descriptors.Entry) -> DescriptorReport.Entry {
            DescriptorReport.Entry(number: entry.number, file: entry.file, owner: entry.owner)
        }
        return DescriptorReport(open: report.open.map(entry), lost: report.lost.map(entry), refusals: report.refusals)
    }

    private static func residentMemory() -> UInt64 {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ UInt64($0) })
        else { return 0 }
        return pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }

    public func configureLog(of window: WindowID) -> [String]? {
        compositor.configureLog(of: window)?.split(separator: "\n").map(String.init)
    }

    public func perform(_ action: Action, reply: ControlReply) {
        if let refusal = act(action) { reply.refuse(refusal) } else { reply.answer() }
    }

    public func inject(_ plan: InputPlan, reply: ControlReply) {
        player.add(plan, at: clock.now(), reply: reply)
        runDue()
    }

    public func screenshot(_ request: ScreenshotRequest, reply: ControlReply) {
        let picture: (pixels: [UInt8], width: Int, height: Int)?
        if let window = request.window {
            guard !system.isLocked else { return reply.refuse("the screen is locked", at: "screenshot.window") }
            guard system.workspace[window] != nil else { return reply.refuse("there is no \(window)", at: "screenshot.window") }
            picture = compositor.capture(window)
        } else {
            picture = compositor.capture(system.items(at: clock.now()))
        }
        guard let picture else { return reply.refuse("there is nothing to take a picture of") }
        do {
            if let path = request.path {
                try PNG.write(
                    pixels: picture.pixels, width: picture.width, height: picture.height, stride: picture.width * 4, to: path)
                reply.answer(ScreenshotReport(width: picture.width, height: picture.height, path: path))
            } else {
                let data = try PNG.encode(
                    pixels: picture.pixels, width: picture.width, height: picture.height, stride: picture.width * 4)
                reply.answer(
                    ScreenshotReport(width: picture.width, height: picture.height, png: Data(data).base64EncodedString()))
            }
        } catch {
            reply.refuse("\(error)", at: "screenshot.path")
        }
    }

    public func setClock(_ request: ClockRequest, reply: ControlReply) {
        switch request {
        case .hand:
            clock.useHand()
            arm()
        case .real:
            clock.useReal()
            arm()
            wantFrame()
        case .step(let milliseconds):
            guard clock.isHand else { return reply.refuse("the clock is not the hand clock", at: "clock.step") }
            guard milliseconds.isFinite, (0...3_600_000).contains(milliseconds) else {
                return reply.refuse("a step is from 0 to 3600000 milliseconds", at: "clock.step")
            }
            step(milliseconds: milliseconds)
        case .read: break
        }
        reply.answer(ClockReport(hand: clock.isHand, now: clock.now()))
    }

    public func reload(reply: ControlReply) {
        if let error = reloadSettings() { reply.refuse("\(error)") } else { reply.answer() }
    }

    public func quit() { isRunning = false }
}
