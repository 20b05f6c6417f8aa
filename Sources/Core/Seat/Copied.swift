import Geometry
import Rooms

/// Events of the copied content (the selection of the seat, or clipboard). The bytes themselves stay in the adapter.
public enum CopyEvent: Hashable, Codable, Sendable {
    /// A program copied something, and offers these MIME types. `by`: its client; nil: some X11 program.
    case copied([String], by: UInt64?)
    /// The shell itself copied something, all of which has arrived.
    case ownCopied([CopiedForm])
    /// The content that the last session kept.
    case restored([CopiedForm])
    /// A form of a reading has arrived, by its place in the list; `bytes` nil: it is too long, or does not arrive.
    case arrived(UInt32, form: Int, bytes: Int?)
    /// A program empties the selection. `by`: its client; nil: some X11 program.
    case cleared(by: UInt64?)
    /// The source of the copied content is gone, though no program cleared the selection.
    case sourceGone
}

/// Effects on the copied content, carried out by an adapter.
public enum CopyEffect: Hashable, Codable, Sendable {
    /// Ask the owner for these forms. The answer has the number.
    case read(UInt32, [CopiedForm])
    /// Stop asking. Arrived data stays.
    case endReading
    /// Forget arrived data.
    case forget
    /// Offer arrived data, in place of the program that copied it.
    case offer
    /// Keep the text for the next session, or remove it.
    case keepText, forgetText
    /// Write the copied text into the field of the shell that has the keys (`Event.typed`).
    case paste
    /// `timeIsUp` at this moment; nil: not any more.
    case wake(Moment?)
}

/// Keeps copied content when its app ends (law 5): the shell reads it early, and offers it in place of the app.
///
/// Only the selection is kept, not the primary selection, which changes with each word that is marked.
public struct Copied: Room {
    public enum State: String, Hashable, Codable, Sendable {
        /// Nothing is kept: nothing was copied, or nothing that may be kept.
        case nothing
        /// It is read when it does not change any more, and the session is not locked.
        case waits
        case reads
        /// All has arrived that can, and its owner offers it.
        case read
        /// Its owner no longer offers it. It may be about to end, or a person may have emptied the clipboard.
        case withdrawn
        /// The shell offers it.
        case offered
    }

    public private(set) var state = State.nothing
    /// The forms that the shell reads or has read. A form without bytes has not arrived.
    public private(set) var forms: [CopiedForm] = []
    /// Forms that do not arrive, or are too long.
    private var failed: Set<Int> = []
    /// Counts readings, so that late data belongs to none.
    private var number: UInt32 = 0
    /// The client that copied; nil: an X11 program, or the shell.
    private var owner: UInt64?
    /// The connection of the owner has ended.
    private var isOwnerGone = false
    /// When the last reading began.
    private var readAt: Moment?
    private var hasCopied = false
    /// Whether the text is kept for the next session.
    private var isTextKept = false

    /// Seconds from one reading to the next, however often programs copy.
    private static let pause = 1.0
    /// How long a program has to hand over copied data.
    public static let patience = 5.0
    /// How long what its owner took back waits for the owner's end. GTK 3 takes it back as the window closes; the program may
    /// then save and clean up.
    public static let withdrawnPatience = 10.0

    public init() {}

    /// Whether a program may empty the selection. wlroots reports the end of the last X11 program that copied, even if a Wayland program
    /// copied later.
    public static func mayClear(byX11: Bool, isOfX11: Bool) -> Bool { !byX11 || isOfX11 }

    // MARK: Events

    /// - Parameter isLocked: whether the session is locked.
    public mutating func handle(_ event: CopyEvent, in isLocked: Bool, at now: Moment) -> [CopyEffect] {
        switch event {
        case .copied(let types, let client): return copied(types, by: client, isLocked: isLocked, at: now)
        case .ownCopied(let own):
            guard !own.isEmpty else { return forget() }
            var effects = state == .reads ? [CopyEffect.endReading, .wake(nil)] : [.wake(nil)]
            if isTextKept { effects.append(.forgetText) }
            self = Copied(offering: own, after: self)
            return effects + keepText(isLocked: isLocked)
        case .restored(let kept):
            // A program copied something while the shell was starting.
            guard !hasCopied, state == .nothing, !kept.isEmpty else { return [.forgetText] }
            self = Copied(offering: kept, after: self)
            isTextKept = true
            return [.offer] + keepText(isLocked: isLocked)
        case .arrived(let number, let form, let bytes):
            guard state == .reads, number == self.number, forms.indices.contains(form) else { return [] }
            if let bytes, bytes <= forms[form].most { forms[form].bytes = bytes } else { failed.insert(form) }
            guard forms.indices.allSatisfy({ forms[$0].bytes != nil || failed.contains($0) }) else { return [] }
            return finishReading(isLocked: isLocked)
        case .cleared(let client):
            guard state != .nothing else { return [] }
            // Another program emptied it, or what the shell offers.
            guard state != .offered, client == owner else { return forget() }
            return client == nil ? takeOver(isLocked: isLocked) : withdraw(at: now)
        case .sourceGone:
            guard state != .nothing, state != .offered else { return [] }
            return owner == nil || isOwnerGone ? takeOver(isLocked: isLocked) : withdraw(at: now)
        }
    }

    mutating func clientGone(_ client: UInt64, isLocked: Bool) -> [CopyEffect] {
        guard owner == client else { return [] }
        isOwnerGone = true
        return state == .withdrawn ? takeOver(isLocked: isLocked) : []
    }

    mutating func timeIsUp(isLocked: Bool, at now: Moment) -> [CopyEffect] {
        switch state {
        case .waits: return isLocked ? [] : read(at: now)
        case .reads: return [.endReading] + finishReading(isLocked: isLocked)
        case .withdrawn: return forget()
        case .nothing, .read, .offered: return []
        }
    }

    /// The session was locked or unlocked. Nothing is read from programs while it is locked, and nothing is on the disk.
    mutating func lockChanged(isLocked: Bool, at now: Moment) -> [CopyEffect] {
        guard isLocked else { return state == .waits ? read(at: now) : keepText(isLocked: false) }
        guard state == .reads else { return state == .waits ? [.wake(nil)] : keepText(isLocked: true) }
        state = .waits
        for index in forms.indices { forms[index].bytes = nil }
        return [.endReading, .forget, .wake(nil)]
    }

    // MARK: Steps

    private mutating func copied(_ types: [String], by client: UInt64?, isLocked: Bool, at now: Moment) -> [CopyEffect] {
        var effects = forget()
        (hasCopied, owner, isOwnerGone) = (true, client, false)
        forms = CopiedForms.plan(for: types)
        guard !forms.isEmpty else { return effects }
        state = .waits
        if isLocked { return effects }
        if let next = readAt.map({ $0 + Self.pause }), now < next { return effects + [.wake(next)] }
        effects += read(at: now)
        return effects
    }

    private mutating func read(at now: Moment) -> [CopyEffect] {
        (state, failed, readAt) = (.reads, [], now)
        number &+= 1
        return [.read(number, forms), .wake(now + Self.patience)]
    }

    private mutating func finishReading(isLocked: Bool) -> [CopyEffect] {
        leaveOutMissing()
        state = forms.isEmpty ? .nothing : .read
        return [.wake(nil)] + keepText(isLocked: isLocked)
    }

    /// Its owner no longer offers it, and still runs. An app that closes its windows one after the other has ended soon.
    private mutating func withdraw(at now: Moment) -> [CopyEffect] {
        var effects: [CopyEffect] = state == .reads ? [.endReading] : []
        leaveOutMissing()
        guard !forms.isEmpty else { return effects + forget() }
        state = .withdrawn
        if isTextKept {
            isTextKept = false
            effects.append(.forgetText)
        }
        return effects + [.wake(now + Self.withdrawnPatience)]
    }

    /// Its owner has ended: the shell offers arrived data.
    private mutating func takeOver(isLocked: Bool) -> [CopyEffect] {
        let effects: [CopyEffect] = state == .reads ? [.endReading] : []
        leaveOutMissing()
        guard !forms.isEmpty else { return effects + forget() }
        (state, owner) = (.offered, nil)
        return effects + [.wake(nil), .offer] + keepText(isLocked: isLocked)
    }

    private mutating func leaveOutMissing() { forms.removeAll { $0.bytes == nil } }

    private mutating func forget() -> [CopyEffect] {
        var effects: [CopyEffect] = state == .reads ? [.endReading] : []
        if state != .nothing { effects += [.forget, .wake(nil)] }
        if isTextKept { effects.append(.forgetText) }
        (state, forms, owner, isTextKept) = (.nothing, [], nil, false)
        return effects
    }

    /// The text is on the disk exactly while it could be pasted, and the session is not locked.
    private mutating func keepText(isLocked: Bool) -> [CopyEffect] {
        let wants = !isLocked && (state == .read || state == .offered) && forms.contains { $0.isText }
        guard wants != isTextKept else { return [] }
        isTextKept = wants
        return [wants ? .keepText : .forgetText]
    }

    private init(offering forms: [CopiedForm], after before: Copied) {
        state = .offered
        self.forms = forms
        number = before.number
        (readAt, hasCopied) = (before.readAt, before.hasCopied)
    }

    /// Violated invariants; empty if all hold.
    public func violations(in isLocked: Bool) -> [String] {
        var found: [String] = []
        if forms.isEmpty != (state == .nothing) { found.append("\(forms.count) forms of what was copied are \(state)") }
        if state == .read || state == .offered || state == .withdrawn, forms.contains(where: { $0.bytes == nil }) {
            found.append("what was copied is \(state), and has not arrived")
        }
        if isLocked, state == .reads { found.append("what was copied is read while the session is locked") }
        if isTextKept, isLocked || state == .nothing || state == .withdrawn {
            found.append("copied text is on the disk, and should not be")
        }
        return found
    }
}
