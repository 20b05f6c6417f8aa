import Callers
import Clocks
import Compositor
import Geometry
import LifeService
import Logging
import MessageBus
import Multitasking
import NoticeBus
import Notices
import Processes
import Settings
import Windows

/// Notifications of programs: the service on the session bus, the store over restarts, and the clock for deliveries
/// (S-07, S-12, X-03). The core decides.
final class Notifications: EventObserver {
    private unowned let shell: Shell
    private var bus: NoticeBus?
    private var follower: BusFollower?
    private lazy var kept = KeptNotices(shell)
    private var clock: WallClock?
    private var isNew = false
    private lazy var wait = ServiceWait(shell.compositor)
    /// The number that was given last. Events may wait when the next call needs one.
    private var last: UInt32 = 0
    /// The deliveries that a person tapped, by app, until the app asks.
    private var taps: [String: [(name: String, payload: String)]] = [:]
    /// The senders on the bus, by the names of their connections. Each has a number of its own, under which its identity is remembered.
    private var known: [String: LifeCaller] = [:]
    /// Calls that came too fast, and when they are looked at again.
    private var held = HeldUpdates()
    private var heldTimer: EventSource?
    private var isHeldAwaited = false
    private var callers: LifeCallers { shell.adapter(AppLives.self).callers }

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.notices]

    func start() {
        shell.receive(.notice(.fixed(shell.store.settings.notifications)))
        kept.start { [unowned self] in shell.receive(.notice($0)) }
        last = shell.system.notices.last
        clock = WallClock(shell.compositor, ticked: { [unowned self] in tick() })
        if clock == nil { shell.log.warning("scheduled notifications come late: the machine has no timers left") }
        isNew = shell.adapter(SessionBus.self).ownSocket != nil
        let bus = NoticeBus(environment: shell.environment, firstPause: isNew ? 50_000_000 : 3_000_000_000)
        self.bus = bus
        bus.host = self
        bus.onNote = { [unowned shell] note in shell.log.notice("\(note)") }
        bus.onServing = { [unowned self] in wait.end() }
        shell.adapter(TrayItems.self).follow(bus)
        heldTimer = shell.compositor.timer { [unowned self] in deliverHeld() }
        follower = BusFollower(bus, shell.compositor)
    }

    /// A delivery that became due while nothing ran comes now, when a person can see it.
    func allStarted() { tick() }

    func settingsChanged(from before: Settings) {
        guard shell.store.settings.notifications != before.notifications else { return }
        shell.receive(.notice(.fixed(shell.store.settings.notifications)))
    }

    /// Calls `body` once programs can find the service, or at once if there will be none: toolkits look for it only once.
    func whenServing(_ body: @escaping () -> Void) {
        wait.then(mayCome: bus.map { !$0.isServing && ($0.isConnecting || isNew) } ?? false, body)
    }

    private func tick() { shell.receive(.notice(.clock(Clocks.secondsSince1970, WallClock.zone(at: Clocks.secondsSince1970)))) }

    // MARK: Effects of the core

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .notice(let effect) = effect else { return }
        switch effect {
        case .closed(let id, let name, let reason): bus?.closed(id, reason, to: name)
        case .invoked(let id, let name, let button): bus?.invoked(id, button, token: shell.compositor.tokenOfPerson(), to: name)
        case .replied(let id, let name, let text): bus?.replied(id, text, token: shell.compositor.tokenOfPerson(), to: name)
        case .activate(let origin, let target, let reply, let name, let isStarted):
            bus?.activate(origin, target, reply: reply, token: shell.compositor.tokenOfPerson(), to: name, isStarted: isStarted)
        case .tapped(let app, let name, let payload):
            taps[app, default: []].append((name, payload))
            if taps[app]!.count > Self.mostTaps { taps[app]!.removeFirst() }
            bus?.tapped(app: app)
        case .copy(let text):
            let bytes = Array(text.utf8)
            shell.compositor.copy(["text/plain;charset=utf-8", "text/plain", "UTF8_STRING", "STRING", "TEXT"].map { ($0, bytes) })
        case .wake(let time): clock?.wait(until: time)
        case .keep, .forget, .keepSchedule, .forgetSchedule, .keepChoices, .keepRead: kept.note(effect)
        }
    }

    private static let mostTaps = 32

    /// Writes the changes of an event to the disk in one step.
    func didCarryOut(_ event: Event) { if kept.isDirty { kept.write(shell.system.notices) } }

    func stop() {
        wait.cancel()
        for update in held.take({ _ in true }) { deliver(update) }
        heldTimer?.cancel()
        heldTimer = nil
        follower?.end()
        // The list of the tray's items stays for the next shell.
        bus?.onTrayItem = { _, _, _ in }
        bus?.close()
        bus = nil
        clock?.cancel()
        clock = nil
        kept.finish(shell.system.notices)
    }
}

extension Notifications: NoticeHost {
    var isQuiet: Bool { shell.system.notices.isQuiet(at: Compositor.now()) }

    func notify(_ call: NoticeCall, from sender: NoticeSender, answer: (UInt32) -> Void) {
        let owner = payer(of: call, sender), content = content(of: call, owner, sender),
            replaces = call.replaces == 0 ? nil : NoticeID(call.replaces)
        // Without a copy of them: it would be alive while they change, and all of them would be copied.
        let id = shell.system.notices.target(of: content, replaces: replaces, sender: sender.name) ?? next()
        held.drop(id)
        answer(replaces?.raw ?? id.raw)
        shell.receive(.notice(.notify(id, content, sender: sender.name, at: Clocks.secondsSince1970)))
        if let image = call.image(owner: owner), shell.system.notices[id] != nil {
            kept.pictures.keep(image, of: id, by: owner) { [unowned self] path in shell.receive(.notice(.pictured(id, image: path))) }
        }
    }

    /// The owner whose quota a call uses.
    private func payer(of call: NoticeCall, _ sender: NoticeSender) -> Owner {
        owner(of: sender, naming: call.origin?.service == .portal ? call.origin?.app : nil)
    }

    /// The content of a call.
    private func content(of call: NoticeCall, _ owner: Owner, _ sender: NoticeSender) -> NoticeContent {
        var call = call
        if call.name.isBlank { call.name = name(of: call, sender) }
        return call.content(app: app(call, owner, sender), owner: owner)
    }

    // MARK: Updates that came too fast

    /// Its picture stays as it is: to read it costs the most.
    func holdUpdate(_ call: NoticeCall, from sender: NoticeSender) -> UInt32? {
        var content = content(of: call, payer(of: call, sender), sender)
        let replaces = call.replaces == 0 ? nil : NoticeID(call.replaces)
        guard let id = shell.system.notices.target(of: content, replaces: replaces, sender: sender.name) else { return nil }
        let number = replaces ?? shell.system.notices[id]?.number ?? id
        // Should a person clear it before, its sender still knows it by the number that it gets now.
        if content.origin == nil { content.claimed = number.raw }
        guard held.hold(id, .init(content, replaces: replaces, sender: sender.name)) else { return nil }
        waitForPace()
        return number.raw
    }

    private func waitForPace() {
        guard !isHeldAwaited, !held.isEmpty else { return }
        isHeldAwaited = true
        heldTimer?.arm(Compositor.now() + Self.heldPause)
    }

    private func deliverHeld() {
        isHeldAwaited = false
        for update in held.take({ bus?.takesAllowance($0) ?? true }) { deliver(update) }
        waitForPace()
    }

    private func deliver(_ update: HeldUpdates.Update) {
        let id = shell.system.notices.target(of: update.content, replaces: update.replaces, sender: update.sender) ?? next()
        shell.receive(.notice(.notify(id, update.content, sender: update.sender, at: Clocks.secondsSince1970)))
        if update.isSenderGone { shell.receive(.notice(.senderGone(update.sender))) }
    }

    /// Seconds between two looks at waiting updates.
    private static let heldPause = 0.1

    /// The heading of a sender that gives itself no name: the portal's, which knows no app, or its program's; "" if it is not known.
    private func name(of call: NoticeCall, _ sender: NoticeSender) -> String {
        if let origin = call.origin, !origin.app.isBlank || origin.service == .portal { return origin.app.isBlank ? "Portal" : origin.app }
        guard let caller = caller(sender), !callers.identity(caller).isSandboxed else { return "" }
        return callers.program(caller)
    }

    /// Never 0, and never one that is in the list.
    private func next() -> NoticeID {
        last = max(last, shell.system.notices.last)
        repeat { last = last == .max ? 1 : last + 1 } while shell.system.notices.isTaken(last)
        return NoticeID(last)
    }

    func withdraw(_ id: UInt32, from sender: NoticeSender) -> Bool {
        // One that is gone is closed already.
        guard let notice = shell.system.notices.notice(numbered: id, by: sender.name) else { return true }
        guard notice.sender == sender.name else { return false }
        held.drop(notice.id)
        shell.receive(.notice(.close(notice.id)))
        return true
    }

    /// A program in a sandbox is only the app that its sandbox says, and reaches no backend of a portal.
    func mayNotify(as app: String, by service: NoticeOrigin.Service, _ sender: NoticeSender) -> Bool {
        guard let caller = caller(sender), callers.identity(caller).isSandboxed else { return true }
        return service == .gtk && callers.trustedApp(caller) == shell.system.workspace.appID(named: app)
    }

    func withdraw(_ origin: NoticeOrigin, from sender: NoticeSender) {
        guard let notice = shell.system.notices.notice(named: origin) else { return }
        let owner = owner(of: sender, naming: origin.service == .portal ? origin.app : nil)
        guard notice.sender == sender.name || owner.speaks(for: notice.payer) else { return }
        held.drop(notice.id)
        shell.receive(.notice(.close(notice.id)))
    }

    func owner(of sender: NoticeSender, naming app: String?) -> Owner {
        // A process that is gone, or that the bus does not know, has no owner.
        caller(sender).map { callers.owner($0, naming: app) } ?? .nameless
    }

    func isAbsent(_ app: String, reply: String?) {
        shell.receive(.notice(.absent(app: shell.system.workspace.appID(named: app), reply: reply)))
    }

    func owns(_ app: String, process: Int32?) { shell.receive(.notice(.owner(app: app, process: process))) }

    func senderGone(_ name: String) {
        held.senderGone(name)
        if let caller = known.removeValue(forKey: name) { callers.forget(caller) }
        shell.receive(.notice(.senderGone(name)))
    }

    // MARK: Which app it is

    /// By its desktop entry, then by its name, then by its process. For a program in a sandbox only the sandbox's name counts.
    private func app(_ call: NoticeCall, _ owner: Owner, _ sender: NoticeSender) -> String {
        // Services that name apps have been asked already whether the sender may.
        if let origin = call.origin, !origin.app.isEmpty { return shell.system.workspace.appID(named: origin.app) }
        if call.origin != nil { return "" }
        if owner.isConfined { return confinedApp(owner, sender) }
        let workspace = shell.system.workspace
        if !call.entry.isEmpty {
            let named = workspace.appID(named: call.entry)
            if workspace.app(named) != nil || !workspace.windows(of: named).isEmpty { return named }
        }
        if !call.name.isEmpty, let known = workspace.apps.first(where: { $0.name == call.name })?.id { return known }
        return processApp(sender)
    }

    /// The id of its vouched app; "" if there is none.
    private func confinedApp(_ owner: Owner, _ sender: NoticeSender) -> String {
        if case .portal(let app) = owner { return shell.system.workspace.appID(named: app) }
        return caller(sender).map(callers.trustedApp) ?? ""
    }

    /// The app of a sender's process, if the shell knows it: a script's command is none, but its window has one.
    func processApp(_ sender: NoticeSender) -> String {
        guard let caller = caller(sender) else { return "" }
        let app = callers.trustedApp(caller), workspace = shell.system.workspace
        if workspace.app(app) != nil || !workspace.windows(of: app).isEmpty { return app }
        let own = workspace.windows.values.last { $0.facts.lineage.first == caller.process && $0.facts.sandbox == nil }
        return own?.app ?? ""
    }

    func caller(_ sender: NoticeSender) -> LifeCaller? {
        if let caller = known[sender.name] { return caller }
        guard let process = sender.process, process > 0 else { return nil }
        let caller = LifeCaller(process: process, lineage: AppIdentity.of(process: process).lineage, connection: callers.connection())
        known[sender.name] = caller
        return caller
    }

    // MARK: For later (S-12)

    /// The app under which a schedule stands: the one that is named, unless the caller is in a sandbox.
    private func app(named: String, _ owner: Owner, _ sender: NoticeSender) -> String {
        if owner.isConfined { return confinedApp(owner, sender) }
        var call = NoticeCall()
        call.entry = named
        let app = app(call, owner, sender)
        return app.isEmpty ? named : app
    }

    func schedule(_ order: NoticeOrder, from sender: NoticeSender, done: @escaping (String?) -> Void) {
        var call = order.call
        let owner = owner(of: sender, naming: nil), app = app(named: call.entry, owner, sender)
        if call.name.isEmpty { call.name = app.isEmpty ? "Mullion" : app }
        call.process = sender.process
        let schedule = NoticeSchedule(
            name: order.name, content: call.content(app: app, owner: owner), due: order.time, repeats: order.repeats,
            payload: order.payload,
            holder: owner == .nameless ? sender.name : nil)
        if let objection = shell.system.notices.objection(to: schedule) { return done(objection) }
        let before = shell.system.notices.schedules[schedule.key]
        shell.receive(.notice(.schedule(schedule, at: Clocks.secondsSince1970)))
        kept.whenWritten { [weak self] isKept in
            if !isKept { self?.takeBack(schedule, for: before) }
            done(isKept ? nil : "it is not kept: the disk cannot be written")
        }
    }

    /// Removes a refused delivery, and restores the one that it was to replace.
    private func takeBack(_ refused: NoticeSchedule, for before: NoticeSchedule?) {
        guard let listed = shell.system.notices.schedules[refused.key], listed.content == refused.content, listed.due == refused.due else {
            return
        }
        shell.receive(.notice(.cancel(group: refused.content.group, name: refused.name)))
        if let before { shell.receive(.notice(.schedule(before, at: Clocks.secondsSince1970))) }
    }

    func cancel(_ name: String, app: String, from sender: NoticeSender) -> Bool {
        guard let found = schedules(app: app, from: sender).first(where: { $0.name == name }) else { return false }
        shell.receive(.notice(.cancel(group: found.place, name: name)))
        return true
    }

    func schedules(app named: String, from sender: NoticeSender) -> [NoticeSchedule] {
        let owner = owner(of: sender, naming: nil), app = app(named: named, owner, sender)
        return shell.system.notices.schedules.values.filter { schedule in
            if owner == .nameless { return schedule.holder == sender.name }
            return owner.speaks(for: schedule.payer) && schedule.content.app == app && (!app.isEmpty || schedule.content.name == "Mullion")
        }.sorted { $0.due < $1.due }
    }

    func takeTaps(app named: String, from sender: NoticeSender) -> [(name: String, payload: String)] {
        let owner = owner(of: sender, naming: nil)
        // Its deliveries have no app that could be told.
        return owner == .nameless ? [] : taps.removeValue(forKey: app(named: named, owner, sender)) ?? []
    }
}

extension String {
    /// Whether a person would see nothing.
    fileprivate var isBlank: Bool {
        unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
    }
}
