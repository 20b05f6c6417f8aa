import Chrome
import Compositor
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import LinuxLibrary
import Multitasking
import Processes
import Stage
import Status
import Store
import Windows

/// Keeps the arrangement and the last picture of each window on disk, and restores the windows of the last session
/// (W-20).
final class Keeper: EventObserver {
    private unowned let shell: Shell
    private lazy var kept = shell.adapter(SessionStore.self)
    private var pictures: KeptPictures?
    /// False if the kept arrangement must not be overwritten.
    private var isKeeping = true
    private let worker = Worker<Outcome>(owner: "keeper of windows")
    private var source: EventSource?
    private var timer: EventSource?
    private var isSaveDue = false
    /// Whether the kept arrangement was read. A start that waits longer than `delay` for the bus must not overwrite it before.
    private var hasRead = false
    private var pictureTimer: EventSource?
    private var arePicturesDue = false
    private var seen: UInt64 = 0
    private var last: KeptArrangement?
    /// Windows that stayed closed.
    private var aside = WindowsAside()
    /// Entries of windows that were restored, but are not part of a saved arrangement yet.
    private var restored: [String] = []
    /// Programs that outlived the last shell, while the core waits for them.
    private var outlived: [Int32: Outlived] = [:]

    private final class Outlived {
        /// Readable when the process has ended.
        private let file: Descriptor
        private let source: EventSource
        private var patience: EventSource?

        init(_ file: consuming Descriptor, _ compositor: Compositor, ended: @escaping () -> Void) {
            source = compositor.watch(fd: file.number) { _ in ended() }
            self.file = file
        }

        func cancel() {
            source.cancel()
            patience?.cancel()
        }

        /// Its number is not given out again while the file is open.
        func end(_ process: Int32, _ compositor: Compositor) {
            guard patience == nil else { return }
            kill(process, SIGTERM)
            patience = compositor.timer { kill(process, SIGKILL) }
            patience?.arm(Compositor.now() + 2)
        }
    }

    /// Pictures of placeholders, until they are drawn.
    private var loaded: [WindowID: Picture?] = [:]
    private var loading: Set<WindowID> = []
    /// The names of the pictures with which placeholders were painted. A placeholder that gets another picture is painted again (W-20).
    private var painted: [WindowID: String] = [:]

    private enum Outcome: Sendable {
        case kept(WindowID, name: String)
        case loaded(WindowID, name: String, Picture?)
        case failed(name: String, String)
    }

    /// Seconds between a change and its save. All changes within them become one save.
    private static let delay = 0.5
    /// Seconds for which a program waits until the disk knows that it is started.
    private static let patience = 0.25

    /// The key of the current arrangement.
    private static let key = "windows"

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.keeping]

    /// Whether nothing waits to be written.
    var isKept: Bool { !kept.isWriting && (timer == nil || (!isSaveDue && seen == shell.revision)) }

    func start() {
        guard kept.keepsWindows, let folder = kept.folder else { return }
        do {
            pictures = try KeptPictures(folder: "\(folder)/pictures")
        } catch {
            shell.log.warning("pictures of windows are not kept: \(folder)/pictures cannot be made or used (\(error))")
        }
        source = shell.compositor.watch(fd: worker.descriptor) { [unowned self] _ in drain() }
        timer = shell.compositor.timer { [unowned self] in save() }
        pictureTimer = shell.compositor.timer { [unowned self] in
            arePicturesDue = false
            shell.receive(.timer(.life(.pictures)))
        }
        kept.onReplaced.append { [unowned self] in
            last = nil
            saveSoon()
        }
    }

    /// Everything that restored programs need is now available.
    func allStarted() {
        defer { hasRead = true }
        guard kept.keepsWindows else { return }
        aside = WindowsAside(kept.readAll(.arrangement))
        for key in aside.unread { shell.log.warning("the windows kept as \"\(key)\" are not understood: they are left alone") }
        if let bytes = kept.read(.arrangement, key: Self.key) { begin(bytes) }
        // Every start asks, until a person has answered.
        if isKeeping, aside.windows > 0 { shell.receive(.windowsSetAside(aside.windows)) }
    }

    private func begin(_ bytes: [UInt8]) {
        guard let arrangement = KeptArrangement.read(bytes) else {
            shell.log.warning("the arrangement of the last session is not understood; it is kept aside")
            kept.note(.windowsLost)
            return move(aside.addUnread(bytes))
        }
        guard arrangement.version <= KeptArrangement.newest else {
            isKeeping = false
            let known = KeptArrangement.newest
            kept.note(.newer)
            return shell.log.warning(
                "a newer Mullion kept the windows (version \(arrangement.version), this one reads \(known)): they are left alone")
        }
        guard shell.options.startsClean else {
            last = arrangement
            return bringBack(arrangement)
        }
        shell.log.warning("the shell failed several times: the windows of the last session stay closed")
        // The windows may be why the shell crashed: a person decides whether they are restored. There are none if it crashed
        // again before the person answered.
        if !arrangement.windows.isEmpty { move(aside.add(arrangement, bytes)) }
    }

    /// In one step, so that a crash neither loses windows nor has them twice.
    private func move(_ aside: Change) { kept.commit([aside, .remove(.arrangement, key: Self.key)]) }

    private func bringBack(_ stored: KeptArrangement) {
        var arrangement = stored
        for index in arrangement.windows.indices {
            guard let process = arrangement.windows[index].process else { continue }
            let record = ProcessTree.record(of: process.number)
            guard record?.start == process.started, record?.hasEnded == false, watch(process.number) else {
                arrangement.windows[index].process = nil
                continue
            }
        }
        for (index, launch) in (arrangement.launching ?? []).enumerated() {
            guard let process = launch.process else { continue }
            let record = ProcessTree.record(of: process.number)
            guard record?.start == process.started, record?.hasEnded == false, watch(process.number) else {
                arrangement.launching?[index].process = nil
                arrangement.launching?[index].isGone = true
                continue
            }
        }
        FaultPoint.reach(.read)
        shell.receive(.restored(arrangement, first: shell.compositor.reserveNumbers(arrangement.windows.count)))
        FaultPoint.reach(.placed)
        // While the first frame is still to be drawn, read what it needs.
        for window in shell.system.workspace.shownRoots where shell.system.workspace[window]?.picture != nil {
            _ = picture(of: window, false)
        }
        shell.log.info("\(arrangement.windows.count) windows of the last session come back")
    }

    /// Returns false if the process is gone.
    private func watch(_ process: Int32) -> Bool {
        guard outlived[process] == nil else { return true }
        let file = Descriptor(pidfd_open(process, 0), owner: "program that outlived the shell")
        guard file.isOpen else { return false }
        outlived[process] = Outlived(file, shell.compositor) { [unowned self] in
            outlived.removeValue(forKey: process)?.cancel()
            shell.receive(.outlivedProgramEnded(process))
        }
        return true
    }

    private func endWatching() {
        for program in outlived.values { program.cancel() }
        outlived.removeAll()
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        switch effect {
        case .keepPicture(let window): keepPicture(of: window)
        case .bringWindowsBack:
            restored += aside.takeKeys()
            let arrangements = aside.arrangements
            aside = WindowsAside()
            for arrangement in arrangements { bringBack(arrangement) }
        case .endOutlived(let process):
            shell.log.notice("the program of process \(process) outlived the last shell and shows no window: it is ended")
            outlived[process]?.end(process, shell.compositor)
        case .measureKept: measure()
        case .forgetKept(let app):
            kept.forgetStates(of: app, but: shell.adapter(AppLives.self).states.offered(by: app))
            shell.adapter(SessionPrograms.self).forgetInstances(of: app)
        case .forgetWindowsAside:
            // In this session they can still be had.
            kept.commit(aside.takeKeys().map { .remove(.arrangement, key: $0) })
        default: break
        }
    }

    /// Tells how much is kept for each app. The sizes of a few hundred files are read at once.
    private func measure() {
        var states = kept.stateSizes.mapValues { Int64($0) }, images: [String: Int64] = [:]
        for (app, bytes) in shell.adapter(SessionPrograms.self).instanceSizes { states[app, default: 0] += Int64(bytes) }
        for window in shell.system.workspace.windows.values {
            guard let path = window.picture.flatMap({ pictures?.path($0) }) else { continue }
            var facts = stat()
            if stat(path, &facts) == 0 { images[window.app, default: 0] += Int64(facts.st_size) }
        }
        let apps = Set(states.keys).union(images.keys)
        let items = apps.map { KeptStates.Item(app: $0, states: states[$0] ?? 0, pictures: images[$0] ?? 0) }
        // After the effects of this event: those that delete come first.
        shell.receive(.keptStates(.measured(items.sorted { $0.app < $1.app })))
    }

    private func keepPicture(of window: WindowID) {
        guard let picture = shell.compositor.capture(window), let path = pictures?.new() else { return }
        FaultPoint.reach(.captured)
        worker.add { Self.write(picture, of: window, to: path) }
    }

    private static func write(_ picture: (pixels: [UInt8], width: Int, height: Int), of window: WindowID, to path: String) -> Outcome {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        do {
            try PNG.write(
                pixels: picture.pixels, width: picture.width, height: picture.height, stride: picture.width * 4, to: path)
            return .kept(window, name: name)
        } catch {
            return .failed(name: name, "the picture of a window is not kept: \(error)")
        }
    }

    private func drain() {
        for outcome in worker.outcomes() {
            switch outcome {
            case .kept(let window, let name):
                FaultPoint.reach(.pictured)
                shell.receive(.pictureKept(window, name: name))
                pictures?.isKnown(name)
            case .loaded(let window, let name, let picture):
                guard painted[window] == name else { break }
                loading.remove(window)
                loaded[window] = .some(picture)
                shell.adapter(Display.self).wantFrame()
            case .failed(let name, let reason):
                pictures?.isKnown(name)
                shell.log.warning("\(reason)")
            }
        }
    }

    // MARK: The arrangement

    func didCarryOut(_ event: Event) {
        if !painted.isEmpty { repaintExchanged() }
        // How to start a window's program again is kept, too, and changes nothing that is seen.
        let isKnown = if case .programKnown = event { true } else { false }
        if isKnown || seen != shell.revision { saveSoon() }
        // A program that has just been started may outlive the shell, and must not be started twice.
        if isKnown, timer != nil, hasRead, isSaveDue { timer?.arm(Compositor.now() + 0.01) }
        // Further acts move the time: then the core does nothing, and this comes here again.
        if !arePicturesDue, let due = shell.system.picturesDue, let pictureTimer, !shell.clock.isHand {
            arePicturesDue = true
            pictureTimer.arm(shell.clock.real(due))
        }
    }

    private func saveSoon() {
        guard timer != nil, hasRead, !isSaveDue else { return }
        isSaveDue = true
        timer?.arm(Compositor.now() + Self.delay)
    }

    /// - Returns: whether there is something to write, after which `done` is called.
    @discardableResult
    private func save(done: @escaping () -> Void = {}) -> Bool {
        isSaveDue = false
        guard hasRead else { return false }
        seen = shell.revision
        if !outlived.isEmpty, !shell.system.workspace.hasRunningPrograms { endWatching() }
        let arrangement = shell.system.kept
        guard isKeeping, arrangement != last || !restored.isEmpty, let bytes = try? JSONEncoder().encode(arrangement) else { return false }
        last = arrangement
        FaultPoint.reach(.changed)
        let back = restored
        restored = []
        kept.commit([.put(.arrangement, key: Self.key, Array(bytes))] + back.map { .remove(.arrangement, key: $0) }) { [weak self] isKept in
            FaultPoint.reach(.kept)
            if isKept { self?.removePictures(besides: arrangement) } else { self?.restored += back }
            done()
        }
        return true
    }

    /// Calls `start` once the disk knows what is about to be started, so that a tap is not lost if the shell ends now (W-19). A disk that
    /// is slow or full does not keep an app from starting.
    func beforeStart(_ start: @escaping () -> Void) {
        guard timer != nil, hasRead, isKeeping else { return start() }
        var waits: EventSource?, isDone = false
        let goOn = { [unowned self] in
            guard !isDone, timer != nil else { return }
            isDone = true
            waits?.cancel()
            start()
        }
        guard save(done: goOn) else { return start() }
        waits = shell.compositor.timer(goOn)
        waits?.arm(Compositor.now() + Self.patience)
    }

    /// Removes unused pictures, but not before the arrangement is on the disk: until then the previous one may be restored,
    /// with its pictures. Windows that were set aside still need theirs.
    private func removePictures(besides arrangement: KeptArrangement) {
        guard timer != nil, let pictures else { return }
        let arrangements = aside.arrangements + [arrangement, last, shell.system.kept].compactMap(\.self)
        let folder = pictures.folder,
            needed = pictures.needed(Set(arrangements.flatMap(\.windows).compactMap(\.picture) + shell.system.workspace.picturesOfPlaces))
        worker.add {
            KeptPictures.removeAll(in: folder, but: needed)
            return nil
        }
    }

    // MARK: Placeholders

    /// Paints placeholders again that got another picture: windows of an app that comes back change places with them, by their titles.
    private func repaintExchanged() {
        let workspace = shell.system.workspace
        painted = painted.filter { workspace[$0.key]?.placeholder != nil }
        let exchanged = painted.filter { $0.value != workspace[$0.key]?.picture ?? "" }.keys
        guard !exchanged.isEmpty else { return }
        for window in exchanged {
            painted[window] = nil
            loaded[window] = nil
            loading.remove(window)
        }
        shell.compositor.repaintAll()
    }

    /// The last picture of a placeholder, or its app's icon. Never waits.
    func picture(of window: WindowID, _ isPatient: Bool) -> Painted {
        guard let placeholder = shell.system.workspace[window], placeholder.placeholder != nil else { return .nothing }
        painted[window] = placeholder.picture ?? ""
        if let picture = loaded.removeValue(forKey: window) {
            let shown = picture ?? icon(of: placeholder)
            return .picture(shown.pixels, width: shown.width, height: shown.height)
        }
        guard let name = placeholder.picture, let path = pictures?.path(name) else {
            let icon = icon(of: placeholder)
            return .picture(icon.pixels, width: icon.width, height: icon.height)
        }
        if loading.insert(window).inserted { worker.add { .loaded(window, name: name, try? PNG.read(path)) } }
        return .later
    }

    /// The app's icon in the middle of a plain window.
    private func icon(of window: Window) -> Picture {
        let look = shell.adapter(Look.self), app = shell.system.workspace.app(window.app)
        let title = shell.system.workspace.appName(of: window.id)
        let size = Size(max(96, min(4096, window.commit.size.width)), max(96, min(4096, window.commit.size.height)))
        return look.placeholder(AppIcon(name: app?.icon, title: title), size: size)
    }

    func stop() {
        endWatching()
        if timer != nil {
            // Windows that are in sight now have no picture yet.
            for window in shell.system.workspace.shownRoots { keepPicture(of: window) }
            worker.finish()
            drain()
            save()
        }
        kept.onReplaced = []
        timer?.cancel()
        pictureTimer?.cancel()
        source?.cancel()
        (timer, pictureTimer, source) = (nil, nil, nil)
    }
}
