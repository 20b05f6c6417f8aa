import CWlroots
import Descriptors
import Glibc
import LinuxLibrary
import Multitasking
import Seat
import WaylandServer

/// Reports the owner of copied content, reads the part that the core keeps, and offers it in place of an app that has ended.
///
/// Reading never waits for the owner: each form has a pipe in the event loop, up to a number of bytes.
final class CopiedSelection {
    private typealias Source = UnsafeMutablePointer<wlr_data_source>

    private unowned let compositor: Compositor
    private let server: OpaquePointer
    private let seat: UnsafeMutablePointer<wlr_seat>
    private let own: OwnSelection
    private var changed: Listener?
    private var reporting: AfterTurn?
    /// The copy to report at the end of the turn: a program that copies several times in one turn is reported once.
    private var news: CopyEvent?
    /// The client whose request is being handled; nil: wlroots acts for X11.
    private var requester: UInt64?
    private var isClearing = false
    /// The source that was reported last, which may be gone.
    private var source: Source?
    private var isOfX11 = false
    private var owner: UInt64?
    /// The types that the guards of X11 reported in this turn: the mark of a secret, or none because Xwayland was busy.
    private var isX11Secret = false
    private var readings: [Int: Reading] = [:]
    /// For a field of the shell.
    private var pasting: Reading?
    /// The bytes of each form that have arrived, in the order of the requests.
    private var arrived: [Int: (form: CopiedForm, bytes: [UInt8])] = [:]
    /// Pipes that an X11 program has not answered. wlroots has their other ends, and closes them with the answer.
    private var unanswered: [(end: Int32, device: dev_t, inode: ino_t)] = []

    init(_ compositor: Compositor, _ server: OpaquePointer, _ seat: UnsafeMutablePointer<wlr_seat>) {
        self.compositor = compositor
        self.server = server
        self.seat = seat
        own = OwnSelection(compositor, server, seat)
        changed = Listener(seat.pointer(to: \.events.set_selection)!) { [unowned self] _ in selectionChanged() }
        reporting = AfterTurn(mw_server_loop(server)) { [unowned self] in report() }
    }

    func end() {
        changed = nil
        reporting = nil
        endReading()
        pasting?.end()
        own.end()
    }

    /// Bytes that are kept.
    var bytes: Int { arrived.values.reduce(0) { $0 + $1.bytes.count } }

    // MARK: The copied content

    /// A client is about to set a selection.
    func requested(by client: WaylandClient?) {
        requester = client.map { mw_client_identity($0) }
        reporting?.ask()
    }

    /// A client requests to set or clear the selection. Returns false if the selection stays as it is.
    func asked(toClear: Bool) -> Bool {
        guard toClear else { return true }
        guard Copied.mayClear(byX11: requester == nil, isOfX11: isOfX11) else { return false }
        isClearing = true
        defer { isClearing = false }
        // The listener hears of it at once, unless there is no selection.
        wlr_seat_set_selection(seat, nil, wl_display_next_serial(mw_server_display(server)))
        return false
    }

    /// A type of the content that an X11 program copied; nil: it is not known.
    func x11Type(_ name: String?) {
        guard name == nil || name == CopiedForms.secretMark else { return }
        isX11Secret = true
        reporting?.ask()
    }

    private func selectionChanged() {
        guard !mw_server_is_ending(server) else { return }
        if let source = seat.pointee.selection_source {
            guard !OwnSelection.isOwn(source) else { return }
            self.source = source
            (owner, isOfX11) = (requester, requester == nil)
            let types = elements(of: source) + (isOfX11 && isX11Secret ? [CopiedForms.secretMark] : [])
            news = .copied(types, by: requester)
        } else {
            // The core does not know of a copy that the client took back in the same turn.
            if case .copied = news { compositor.emit(.copying(news!)) }
            news = isClearing ? .cleared(by: requester) : .sourceGone
            source = nil
            isOfX11 = false
        }
        reporting?.ask()
    }

    private func elements(of source: Source) -> [String] {
        let array = source.pointee.mime_types
        let count = array.size / MemoryLayout<UnsafeMutablePointer<CChar>?>.size
        guard count > 0, let data = array.data else { return [] }
        let names = UnsafeBufferPointer(start: data.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self), count: count)
        return names.compactMap { $0.map { String(cString: $0) } }
    }

    private func report() {
        (requester, isX11Secret) = (nil, false)
        guard let event = news, !mw_server_is_ending(server) else { return }
        news = nil
        compositor.emit(.copying(event))
    }

    // MARK: Effects

    func carryOut(_ effect: CopyEffect) {
        switch effect {
        case .read(let number, let forms): read(number, forms)
        case .endReading: endReading()
        case .forget: arrived = [:]
        case .offer: offer()
        case .paste: paste()
        case .keepText, .forgetText, .wake: break
        }
    }

    /// Types the copied text into the shell's own field: what is kept, or what its owner hands over now, as a password manager does.
    private func paste() {
        guard let selection = seat.pointee.selection_source else { return }
        if let kept = texts.first(where: { CopiedForms.plain.contains($0.form.type) }) { return typed(kept.bytes) }
        guard let type = CopiedForms.plain.first(where: elements(of: selection).contains) else { return }
        let form = CopiedForm(type: type, offered: [type], isText: true, most: Self.mostPasted)
        pasting?.end()
        pasting = ask(form) { [weak self] bytes in
            self?.pasting?.end()
            self?.pasting = nil
            if let bytes { self?.typed(bytes) }
        }
    }

    private static let mostPasted = 64 << 10

    private func typed(_ bytes: [UInt8]) {
        let signs = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) }
        if !signs.isEmpty { compositor.emit(.typed(String(String.UnicodeScalarView(signs)))) }
    }

    /// A person copied something in the shell itself.
    func copy(_ forms: [OwnSelection.Form]) {
        replace(
            by: forms.map {
                (CopiedForm(type: $0.type, offered: [$0.type], isText: true, most: CopiedForms.mostText, bytes: $0.bytes.count), $0.bytes)
            })
        compositor.emit(.copying(.ownCopied(arrived.sorted { $0.key < $1.key }.map(\.value.form))))
        offer()
    }

    /// Restores the content that the last session kept. The core decides whether the shell offers it.
    func restore(_ forms: [(form: CopiedForm, bytes: [UInt8])]) {
        guard arrived.isEmpty, readings.isEmpty else { return }
        replace(by: forms)
        compositor.emit(.copying(.restored(forms.map(\.form))))
    }

    /// The texts that are kept.
    var texts: [(form: CopiedForm, bytes: [UInt8])] { arrived.sorted { $0.key < $1.key }.map(\.value).filter(\.form.isText) }

    private func replace(by forms: [(form: CopiedForm, bytes: [UInt8])]) {
        endReading()
        arrived = Dictionary(uniqueKeysWithValues: forms.enumerated().map { ($0.offset, $0.element) })
    }

    private func offer() {
        let forms = arrived.sorted { $0.key < $1.key }.map(\.value)
        own.set(forms.flatMap { each in each.form.offered.map { OwnSelection.Form(type: $0, bytes: each.bytes) } })
        source = nil
        isOfX11 = false
    }

    // MARK: Reading

    private func read(_ number: UInt32, _ forms: [CopiedForm]) {
        endReading()
        arrived = [:]
        for (index, form) in forms.enumerated() {
            if let reading = ask(form, { [weak self] bytes in self?.ended(number, index, form, bytes) }) {
                readings[index] = reading
            } else {
                compositor.emit(.copying(.arrived(number, form: index, bytes: nil)))
            }
        }
    }

    private func ended(_ number: UInt32, _ index: Int, _ form: CopiedForm, _ bytes: [UInt8]?) {
        guard let reading = readings.removeValue(forKey: index) else { return }
        reading.end()
        let isOwnerThere = owner.map { compositor.protocols?.clients.isConnected($0) ?? false } ?? true
        let bytes = bytes.flatMap { CopiedForms.isWhole(bytes: $0.count, isOwnerThere: isOwnerThere) ? $0 : nil }
        if let bytes {
            var form = form
            form.bytes = bytes.count
            arrived[index] = (form, bytes)
        }
        compositor.emit(.copying(.arrived(number, form: index, bytes: bytes?.count)))
    }

    private func endReading() {
        for reading in readings.values { reading.end() }
        readings = [:]
    }

    /// Asks the owner. Returns nil if it cannot be asked.
    private func ask(_ form: CopiedForm, _ done: @escaping ([UInt8]?) -> Void) -> Reading? {
        guard let source, source == seat.pointee.selection_source else { return nil }
        unanswered.removeAll { !Self.isOpen($0) }
        guard ClientLimits.mayRead(waiting: unanswered.count) else { return nil }
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
        // Only this end: the owner has the other one, and may not expect that a write stops half-way.
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        if isOfX11 {
            var file = stat()
            if fstat(ends[1], &file) == 0 { unanswered.append((ends[1], file.st_dev, file.st_ino)) }
        }
        // wlroots closes the writing end.
        form.type.withCString { wlr_data_source_send(source, $0, ends[1]) }
        let reading = Reading(Descriptor(ends[0], owner: "what an app copied"), most: form.most)
        reading.source = compositor.watch(fd: reading.pipe.number) { [weak reading] _ in
            switch reading?.step() {
            case .complete(let bytes): done(bytes)
            case .failed: done(nil)
            case .goesOn, nil: break
            }
        }
        return reading
    }

    private static func isOpen(_ pipe: (end: Int32, device: dev_t, inode: ino_t)) -> Bool {
        var file = stat()
        return fstat(pipe.end, &file) == 0 && file.st_dev == pipe.device && file.st_ino == pipe.inode
    }

    /// One form on its way.
    private final class Reading {
        var pipe: Descriptor
        var source: EventSource?
        private let most: Int
        private var bytes: [UInt8] = []
        /// Bytes in one turn of the loop: as much as a pipe holds.
        private static let piece = 64 << 10

        init(_ pipe: consuming Descriptor, most: Int) {
            self.pipe = pipe
            self.most = most
        }

        enum Outcome {
            case goesOn
            case complete([UInt8])
            /// It is too long, or cannot be read.
            case failed
        }

        /// Reads the bytes that are available.
        func step() -> Outcome {
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.piece) { buffer, filled in
                repeat { count = Glibc.read(pipe.number, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
                filled = max(0, count)
            }
            if count < 0 { return errno == EAGAIN ? .goesOn : .failed }
            // Without the room that the array kept for more.
            if count == 0 { return .complete(bytes.withUnsafeBufferPointer { Array($0) }) }
            bytes += piece
            return bytes.count > most ? .failed : .goesOn
        }

        func end() {
            source?.cancel()
            source = nil
            pipe.close()
        }
    }
}

extension Compositor {
    /// Carries out effects on the selection. Another adapter handles the text on the disk.
    public func carryOut(_ effect: CopyEffect) { routing?.copied?.carryOut(effect) }

    /// The copied content that the last session kept.
    public func restoreCopied(_ forms: [(form: CopiedForm, bytes: [UInt8])]) { routing?.copied?.restore(forms) }

    /// The texts that were copied and are kept.
    public var copiedTexts: [(form: CopiedForm, bytes: [UInt8])] { routing?.copied?.texts ?? [] }
}
