import Chrome
import Clocks
import Compositor
import Control
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import Journal
import LinuxLibrary
import Logging
import Multitasking
import Stage
import Windows

/// The control socket, and the answers to its clients.
final class ControlSocket: EventObserver, ControlHandler {
    private unowned let shell: Shell
    private var server: ControlServer?
    private lazy var display = shell.adapter(Display.self)
    private lazy var timers = shell.adapter(Timers.self)
    private lazy var sound = shell.adapter(SoundServer.self)

    init(_ shell: Shell) { self.shell = shell }

    /// The path of the socket; nil before the start.
    var path: String? { server?.path }

    func start() throws {
        let path = ControlPath.path(runtime: shell.runtime.path, name: shell.compositor.socket)
        server = try ControlServer(path: path, sources: Loop(shell.compositor), handler: self, logger: shell.log, letsIn: false)
    }

    /// Accepts clients only now, so that none sees an incomplete state.
    func allStarted() { server?.letIn() }

    func willHandle(_ event: Event, at moment: Moment) { server?.happened(shell.system.masked(event), at: moment) }

    func turned() { server?.turn() }

    func stop() {
        server?.close()
        server = nil
    }

    // MARK: ControlHandler

    var system: System { shell.system }

    var beganByHand: Bool { shell.options.handClock }
    var now: Moment { shell.clock.now() }

    var isIdle: Bool {
        let now = shell.clock.now()
        return !system.isMoving(at: now) && timers.isInputOver && (shell.clock.isHand || !display.isFrameDue || !shell.compositor.isLit)
            && !shell.compositor.isBehind
            // A hidden window gets no frame callbacks, and many toolkits ack a configure only with a frame.
            && !system.workspace.windows.values.contains { $0.isAwaited && system.workspace.isShown($0.id) }
    }

    var isSoundKnown: Bool {
        shell.isSetUp && (!system.audio.summary.outputs.isEmpty || !sound.isAwaited)
    }

    var freezingMeans: String? { shell.adapter(AppLives.self).means?.rawValue }

    var version: VersionReport {
        VersionReport(
            wlroots: Compositor.wlrootsVersion, backend: shell.compositor.backendName, renderer: shell.compositor.rendererName,
            socket: shell.compositor.socket, x11Display: shell.compositor.x11Display, x11Authority: shell.compositor.x11Authority,
            idiom: system.workspace.idiom.name,
            process: getpid())
    }

    func string(_ text: Text) -> String { shell.adapter(Look.self).painter.string(text) }

    var statistics: StatisticsReport {
        let raw = shell.compositor.statistics
        var report = StatisticsReport()
        report.framesDrawn = raw.frames_drawn
        report.framesScannedOut = raw.frames_scanned_out
        report.frameEvents = raw.frame_events
        report.frameCallbacks = raw.frame_callbacks
        report.lastDrawNanoseconds = raw.last_draw_ns
        report.damagePixels = raw.damage_pixels
        report.clients = raw.clients
        report.surfaces = raw.surfaces
        report.events = shell.eventCount
        report.recentFrames = Array(display.recentFrames.suffix(600))
        report.cpuNanoseconds = UInt64(Clocks.processNanoseconds)
        report.memoryBytes = Self.residentMemory()
        report.pictureBytes = UInt64(shell.compositor.pictureBytes)
        report.memory = memory
        report.colours = shell.compositor.colours
        report.isKept = shell.adapter(Keeper.self).isKept
        return report
    }

    var descriptors: DescriptorReport {
        var others = [shell.compositor.loopDescriptor: "event loop"]
        for number in shell.compositor.clientDescriptors { others[number] = "Wayland client" }
        let report = Descriptors.report(others: others)
        func entry(_ entry: Descriptors.Entry) -> DescriptorReport.Entry {
            DescriptorReport.Entry(number: entry.number, file: entry.file, owner: entry.owner)
        }
        return DescriptorReport(open: report.open.map(entry), lost: report.lost.map(entry), refusals: report.refusals)
    }

    var configuration: ConfigurationReport { shell.adapter(Configuration.self).state }

    var violations: ViolationReport? {
        guard let wire = shell.compositor.wireViolations else { return nil }
        let now = now, person = [false, true].flatMap { system.personViolations(precise: $0, at: now) }
        return ViolationReport(wire: wire, system: system.violations(), person: person)
    }

    private static func residentMemory() -> UInt64 { memoryField("VmRSS:") }

    /// A line of the kernel's report, in bytes.
    private static func memoryField(_ name: String) -> UInt64 {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ UInt64($0) })
        else { return 0 }
        return kilobytes << 10
    }

    private var memory: MemoryReport {
        let pictures = shell.compositor.pictureMemory, heap = mallinfo2()
        func own(_ kind: PictureMemory.Kind) -> UInt64 { UInt64(pictures.own[kind] ?? 0) }
        var report = MemoryReport()
        report.anonymous = Self.memoryField("RssAnon:")
        (report.heapUsed, report.heapFree, report.heapMapped) = (UInt64(heap.uordblks), UInt64(heap.fordblks), UInt64(heap.hblkhd))
        (report.wallpaper, report.glass, report.icons) = (own(.wallpaper), own(.glass), own(.icons))
        (report.placeholders, report.texts, report.otherPictures) = (own(.placeholders), own(.texts), own(.others))
        report.picturesInFile = UInt64(pictures.stored)
        (report.smallWindows, report.heldWindows, report.masks) = (pictures.windows.small, pictures.windows.held, pictures.windows.masks)
        report.copied = UInt64(shell.compositor.copiedBytes)
        report.clientObjects = UInt64(shell.compositor.clientObjects)
        return report
    }

    func configureLog(of window: WindowID) -> [String]? {
        shell.compositor.configureLog(of: window)?.split(separator: "\n").map(String.init)
    }

    func perform(_ action: Action, reply: ControlReply) {
        if let refusal = shell.act(action) { reply.refuse(refusal) } else { reply.answer() }
    }

    func inject(_ plan: InputPlan, reply: ControlReply) {
        timers.play(plan, reply: reply)
    }

    func screenshot(_ request: ScreenshotRequest, reply: ControlReply) {
        let picture: (pixels: [UInt8], width: Int, height: Int)?
        if let window = request.window {
            guard !system.isLocked else { return reply.refuse("the screen is locked", at: "screenshot.window") }
            guard system.workspace[window] != nil else { return reply.refuse("there is no \(window)", at: "screenshot.window") }
            picture = shell.compositor.capture(window)
        } else {
            picture = shell.compositor.capture(system.itemsForPicture(at: shell.clock.now()))
        }
        guard let picture else { return reply.refuse("there is nothing to capture") }
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

    func setClock(_ request: ClockRequest, reply: ControlReply) {
        switch request {
        case .hand:
            timers.useHandClock()
        case .real:
            timers.useRealClock()
            display.wantFrame()
        case .step(let milliseconds):
            guard shell.clock.isHand else { return reply.refuse("the clock is not set to hand", at: "clock.step") }
            guard milliseconds.isFinite, (0...3_600_000).contains(milliseconds) else {
                return reply.refuse("a step is from 0 to 3600000 milliseconds", at: "clock.step")
            }
            timers.step(milliseconds: milliseconds)
        case .read: break
        }
        reply.answer(ClockReport(hand: shell.clock.isHand, now: shell.clock.now()))
    }

    func ask(_ request: AskRequest, from process: Int32, reply: ControlReply) {
        shell.adapter(AskingServices.self).ask(request, from: process, reply: reply)
    }

    func reload(reply: ControlReply) {
        if let error = shell.adapter(Configuration.self).reload() { reply.refuse("\(error)") } else { reply.answer() }
    }

    /// Where the idiom offers no end of the session, scripts have none either.
    var quitRefusal: String? {
        let idiom = shell.system.workspace.family
        return idiom.offers.contains(.logOut) ? nil : "the idiom \(idiom.name) does not offer log-out"
    }

    func quit() { shell.quit() }
}
