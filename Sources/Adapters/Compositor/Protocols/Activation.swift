import CWlroots
import Geometry
import Multitasking
import Seat
import WaylandServer
import Windows

/// xdg-activation: which requests for attention are valid, and which launch they belong to.
final class Activation {
    typealias Token = UnsafeMutablePointer<wlr_xdg_activation_token_v1>

    private let server: OpaquePointer
    private let raw: UnsafeMutablePointer<wlr_xdg_activation_v1>
    private var tokens: [Token: Known] = [:]
    /// Tokens that a person's act stands for, until they are noted.
    private var vouched: Set<Token> = []
    private var early: [Surface: Early] = [:]
    private var holders = TokenHolders()
    private var listeners: [Listener] = []
    private lazy var timer = Timer(mw_server_loop(server)) { [unowned self] in noteTokens() }

    /// The facts about a token that wlroots does not keep.
    private struct Known {
        /// When the token was made.
        var made: Int64
        /// The client that made it was being used then.
        var isVouched = false
        /// The launch that it was made for; 0: none.
        var launch: UInt32 = 0
        var destroy: Listener
    }

    /// A token that was presented for a surface before its first commit created a window. Some toolkits do this.
    private struct Early {
        var isRecent: Bool
        var launch: UInt32
        /// Its name.
        var name: String
        /// wlroots did not know it any more.
        var isSpent: Bool
        var destroy: Listener
    }

    /// Returns nil if out of memory.
    init?(_ server: OpaquePointer) {
        guard let raw = wlr_xdg_activation_v1_create(mw_server_display(server)) else { return nil }
        self.server = server
        self.raw = raw
        listeners.append(
            Listener(raw.pointer(to: \.events.request_activate)!) { [unowned self] data in
                activate(data!.assumingMemoryBound(to: wlr_xdg_activation_v1_request_activate_event.self).pointee)
            })
        #if WLR18
            listeners.append(
                Listener(raw.pointer(to: \.events.new_token)!) { [unowned self] data in
                    note(data!.assumingMemoryBound(to: wlr_xdg_activation_token_v1.self))
                })
        #endif
    }

    // MARK: Tokens

    private func note(_ token: Token) {
        guard tokens[token] == nil else { return }
        let destroy = Listener(token.pointer(to: \.events.destroy)!) { [unowned self] _ in tokens[token] = nil }
        tokens[token] = Known(made: mw_now(), isVouched: vouched.contains(token), destroy: destroy)
    }

    /// Records new tokens. wlroots 0.15 does not signal when a client makes one, so the time at which it is found has
    /// to do.
    func noteTokens() {
        let list = raw.pointer(to: \.tokens)!
        // The newest come first, so there is usually nothing to do.
        let offset = MemoryLayout<wlr_xdg_activation_token_v1>.offset(of: \.link)!
        var next = list.pointee.next
        while let link = next, link != list {
            let token = (UnsafeMutableRawPointer(link) - offset).assumingMemoryBound(to: wlr_xdg_activation_token_v1.self)
            if tokens[token] != nil { return }
            note(token)
            next = link.pointee.next
        }
    }

    /// A client asks for a token. If a person uses it right now, its serial does not matter: wlroots checks none if there is no seat.
    func committing(_ token: Token, by client: WaylandClient) {
        noteTokens()
        vouched = []
        guard InputRouting.of(server: server)?.mayAsk(client) ?? false else { return }
        token.pointee.seat = nil
        vouched.insert(token)
        noteTokensSoon()
    }

    /// A client has begun to make a token, and will finish soon.
    func noteTokensSoon() { timer?.arm(in: 100_000_000) }

    /// Makes a token for a program that the shell launches. Returns nil if out of memory.
    func token(for launch: UInt32) -> String? {
        guard let token = wlr_xdg_activation_token_v1_create(raw) else { return nil }
        note(token)
        tokens[token]?.launch = launch
        guard let name = wlr_xdg_activation_token_v1_get_name(token).map({ String(cString: $0) }) else { return nil }
        holders.made(name, for: LaunchID(launch))
        return name
    }

    /// Makes a token for a program whose notification a person used. Returns nil if out of memory.
    func tokenOfPerson() -> String? {
        guard let token = wlr_xdg_activation_token_v1_create(raw) else { return nil }
        note(token)
        tokens[token]?.isVouched = true
        return wlr_xdg_activation_token_v1_get_name(token).map { String(cString: $0) }
    }

    // MARK: Using tokens

    private func activate(_ event: wlr_xdg_activation_v1_request_activate_event) {
        guard let token = event.token, let surface = event.surface else { return }
        noteTokens()
        let known = tokens[token]
        // wlroots checks at the token's commit that the client got the serial and has its surface focused. It does
        // not check that the serial came with a press instead of a focus change, nor its age.
        let notBefore = (known?.made ?? mw_now()) - Activations.serialLife
        let hasSerial =
            token.pointee.seat != nil && InputRouting.of(server: server)?.isRecent(token.pointee.serial, notBefore: notBefore) ?? false
        let isRecent = hasSerial || known?.isVouched ?? false
        let launch = known?.launch ?? 0, name = wlr_xdg_activation_token_v1_get_name(token).map { String(cString: $0) } ?? ""
        guard let window = window(of: surface) else { return noteEarly(surface, isRecent, launch, name) }
        tell(window, isRecent, launch, name)
    }

    /// A client presents a token. wlroots ignores one that was used, is half a minute old, or never existed.
    func shown(_ name: String, for surface: Surface) {
        guard wlr_xdg_activation_v1_find_token(raw, name) == nil else { return }
        guard let window = window(of: surface) else { return noteEarly(surface, false, 0, name, isSpent: true) }
        tellSpent(window, name)
    }

    private func window(of surface: Surface) -> OpaquePointer? {
        mw_window_of_surface(server, surface).flatMap { mw_window_fields($0).pointee.created ? $0 : nil }
    }

    private func noteEarly(_ surface: Surface, _ isRecent: Bool, _ launch: UInt32, _ name: String, isSpent: Bool = false) {
        if let before = early[surface] {
            guard !isSpent else { return }
            early[surface]!.isRecent = before.isRecent || isRecent
            if launch != 0 || before.isSpent { early[surface]!.launch = launch }
            early[surface]!.name = name
            early[surface]!.isSpent = false
            return
        }
        let destroy = Listener(surface.pointer(to: \.events.destroy)!) { [unowned self] _ in early[surface] = nil }
        early[surface] = Early(isRecent: isRecent, launch: launch, name: name, isSpent: isSpent, destroy: destroy)
    }

    /// A window was made. Reports tokens that were presented earlier for its surface.
    func created(_ window: OpaquePointer) {
        guard let surface = mw_window_fields(window).pointee.surface, let known = early.removeValue(forKey: surface) else { return }
        if known.isSpent { tellSpent(window, known.name) } else { tell(window, known.isRecent, known.launch, known.name) }
    }

    private func tellSpent(_ window: OpaquePointer, _ name: String) {
        let compositor = Compositor.of(server)
        guard let id = compositor.ids[window] else { return }
        let holder = holders[name]
        compositor.emit(.tokenShownAgain(id, launch: holder.launch, usedFor: holder.window))
    }

    private func tell(_ window: OpaquePointer, _ isRecent: Bool, _ launch: UInt32, _ name: String) {
        let compositor = Compositor.of(server)
        guard let id = compositor.ids[window] else { return }
        holders.used(name, for: id)
        compositor.emit(.activationAsked(id, hasRecentSerial: isRecent, launch: launch == 0 ? nil : LaunchID(launch)))
    }
}

// MARK: Functions for C

@_cdecl("mw_activation_begin") func activationBegin(_ server: OpaquePointer) {
    Compositor.of(server).activation = Activation(server)
    Compositor.of(server).decorations = Decorations(server)
}

@_cdecl("mw_activation_end") func activationEnd(_ server: OpaquePointer) {
    Compositor.of(server).activation = nil
    Compositor.of(server).decorations = nil
}

@_cdecl("mw_activation_note_soon") func activationNoteSoon(_ server: OpaquePointer) { Compositor.of(server).activation?.noteTokensSoon() }

@_cdecl("mw_activation_created") func activationCreated(_ window: OpaquePointer) {
    Compositor.of(mw_window_fields(window).pointee.server).activation?.created(window)
}
