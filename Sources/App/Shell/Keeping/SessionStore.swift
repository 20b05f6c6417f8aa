import Compositor
import FoundationEssentials
import Multitasking
import Settings
import Store

/// A part that is written on its own, and may fail on its own.
enum KeptPart: Hashable {
    case store, copiedText
}

/// Everything kept over crashes and reboots, in `$XDG_STATE_HOME/mullion`: the shell's only store, which the adapters
/// share.
final class SessionStore: Adapter {
    private unowned let shell: Shell
    private var store: Store?
    private var source: EventSource?
    private var waiting: [Ticket: (StoreReport) -> Void] = [:]
    /// The folder; nil if nothing is kept.
    private(set) var folder: String?
    private var states = StateShelf()
    /// The parts that the disk does not take at the moment.
    private var behind: Set<KeptPart> = []
    /// Why, as a person was told; nil: everything is kept.
    private var trouble: StoreTrouble?
    /// The troubles to tell a person once the shell has started.
    private var untold: [StoreTrouble] = []
    /// Called when the disk is older than the last commit, because it was damaged while the shell ran.
    var onReplaced: [() -> Void] = []
    /// The last failure in the log, until a commit succeeds: a full disk fails every commit, and is logged once.
    private var logged: String?
    private var lastNotice: StoreNotice?
    private var hasStarted = false

    /// As the configuration said at the start.
    private var restoresWindows = false

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        guard shell.options.keepsWindows else { return }
        guard let folder = shell.stateFolder else {
            shell.log.warning("nothing is kept: neither XDG_STATE_HOME nor HOME is set")
            return note(.unusable)
        }
        let store = Store(folder: folder, copyInterval: 32)
        for notice in store.notices {
            shell.log.warning("\(notice)")
            if case .unusable(let reason, _) = notice { logged = reason }
            if case .restored = notice { note(.older) } else { note(notice.trouble) }
        }
        // Another shell keeps its session there, or a newer version did.
        guard store.isKeeping || !store.notices.contains(where: \.isFinal) else {
            store.close()
            return
        }
        self.store = store
        self.folder = folder
        restoresWindows = shell.store.settings.restoresWindows
        if restoresWindows { loadStates() }
        source = shell.compositor.watch(fd: store.descriptor) { [unowned self] _ in drain() }
    }

    var isKeeping: Bool { store != nil }

    /// Whether the disk has not taken everything yet.
    var isWriting: Bool { !waiting.isEmpty }

    /// Whether windows and the things that belong to them are kept. A person's choices are kept without that, too.
    var keepsWindows: Bool { isKeeping && restoresWindows }

    func allStarted() {
        hasStarted = true
        for trouble in untold { shell.receive(.storeTrouble(trouble)) }
        untold = []
    }

    /// A person hears once that nothing is kept, however often a commit fails and for what reasons.
    func note(_ new: StoreTrouble?, of part: KeptPart = .store) {
        guard let new else { return }
        if !new.isPast { behind.insert(part) }
        guard new.isPast || trouble == nil else { return }
        if !new.isPast { trouble = new }
        if hasStarted { shell.receive(.storeTrouble(new)) } else { untold.append(new) }
    }

    /// The disk took everything of this part. When nothing is left, the alert has no meaning any more.
    func caughtUp(_ part: KeptPart) {
        guard behind.remove(part) != nil, behind.isEmpty, let before = trouble else { return }
        trouble = nil
        logged = nil
        shell.log.notice("everything of this session is kept again")
        if hasStarted { shell.receive(.storeKeepsAgain) } else { untold.removeAll { $0 == before } }
    }

    /// For the start: waits for the disk.
    func read(_ place: Place, key: String) -> [UInt8]? {
        guard let store else { return nil }
        do {
            return try store.read(place, key: key)
        } catch {
            shell.log.warning("\(error)")
            return nil
        }
    }

    /// The same for a whole place.
    func readAll(_ place: Place) -> [Entry] {
        do {
            return try store?.read(place) ?? []
        } catch {
            shell.log.warning("\(error)")
            return []
        }
    }

    /// Makes all changes or none. `done` gets whether they are on the disk.
    func commit(_ changes: [Change], done: @escaping (Bool) -> Void = { _ in }) {
        guard let store else { return done(false) }
        waiting[store.commit(changes)] = { [weak self] report in
            if case .failed(_, let error) = report {
                self?.warn(error)
                self?.note(error.trouble)
            }
            if case .committed = report {
                self?.logged = nil
                done(true)
            } else {
                done(false)
            }
        }
    }

    private func warn(_ error: StoreError) {
        guard logged != error.description else { return }
        logged = error.description
        shell.log.warning("\(error)")
    }

    private func drain() {
        for report in store?.drain() ?? [] {
            switch report {
            case .notice(let notice):
                // A copy that finds no room is tried again and again.
                if notice != lastNotice { shell.log.warning("\(notice)") }
                lastNotice = notice
                if case .unusable(let reason, _) = notice { logged = reason }
                note(notice.trouble)
                switch notice {
                case .restored, .startsEmpty:
                    for body in onReplaced { body() }
                    if keepsWindows { commit(states.all.map { .put(.state, key: $0.key, $0.entry) }) }
                default: break
                }
            case .caughtUp: caughtUp(.store)
            case .committed(let ticket), .failed(let ticket, _), .read(let ticket, _): waiting.removeValue(forKey: ticket)?(report)
            }
        }
    }

    func stop() {
        source?.cancel()
        source = nil
        // Commits that were held back get their last try.
        store?.close()
        drain()
        store = nil
    }
}

extension Shell {
    /// The folder for data that must survive a crash or a reboot; nil if the environment names none. It may not exist.
    var stateFolder: String? { Settings.stateFolder(environment: environment) }
}

// MARK: The state of apps

/// Also writes to the store, unless nothing is kept (S-04).
extension SessionStore {
    func state(of app: String, name: String) -> [UInt8]? { states[StateShelf.key(app, name)] }

    /// `done` gets whether the state is kept: on the disk, if there is a store, or else in memory.
    ///
    /// - Parameter claims: the entries that may not give way to it.
    func keepState(of app: String, name: String, bytes: [UInt8], beside claims: StateShelf.Claims, done: @escaping (Bool) -> Void) {
        guard let (entry, left) = states.put(app, name, bytes, beside: claims) else { return done(false) }
        guard keepsWindows else { return done(true) }
        commit([.put(.state, key: StateShelf.key(app, name), entry)] + left.map { .remove(.state, key: $0) }, done: done)
    }

    func forgetState(of app: String, name: String) {
        let key = StateShelf.key(app, name)
        guard states[key] != nil else { return }
        states.remove(key)
        if keepsWindows { commit([.remove(.state, key: key)]) }
    }

    var stateSizes: [String: Int] { states.sizes }

    /// Forgets the states of an app but those under these keys.
    func forgetStates(of app: String, but offered: Set<String>) {
        let gone = states.removeAll(of: app, but: offered)
        if keepsWindows, !gone.isEmpty { commit(gone.map { .remove(.state, key: $0) }) }
    }

    private func loadStates() {
        for entry in readAll(.state) where !states.load(entry.key, entry: entry.bytes) {
            shell.log.warning("a state of an app is not understood, and is left out: \(entry.key.prefix(64).debugDescription)")
        }
    }
}

extension StoreError {
    /// The trouble to tell a person.
    fileprivate var trouble: StoreTrouble? {
        switch self {
        case .diskFull: .diskFull
        case .readOnly, .other: .unusable
        case .keyTooLong, .tooLarge, .keepsNothing: nil
        }
    }
}

extension StoreNotice {
    /// The trouble to tell a person. A person who starts a second shell knows that a first one runs.
    fileprivate var trouble: StoreTrouble? {
        switch self {
        case .newer: .newer
        case .unusable(_, let isFull): isFull ? .diskFull : .unusable
        case .startsEmpty: .lost
        case .damaged, .missing, .restored, .inUse, .keepsAgain, .copyFailed, .leftUnsaved: nil
        }
    }

    /// Trying again changes nothing.
    fileprivate var isFinal: Bool {
        switch self {
        case .newer, .inUse: true
        default: false
        }
    }
}
