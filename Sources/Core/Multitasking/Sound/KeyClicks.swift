import AudioSessions
import Geometry
import Seat

/// The use of an on-screen keyboard by a finger: its keys then click.
struct KeyboardUse: Hashable, Codable, Sendable {
    /// The client of the panel that a finger or the pointer's button was on last.
    private var client: UInt64?
    private var at = Moment.zero

    /// Seconds from a finger on the keyboard's panel to the key that it typed.
    static let patience = 0.5

    mutating func touched(_ client: UInt64, at now: Moment) {
        self.client = client
        at = now
    }

    func includes(_ client: UInt64, at now: Moment) -> Bool { self.client == client && now - at < Self.patience }
}

/// A keyboard that types is an on-screen one if a finger is on a panel of the same client. Programs that type by themselves, such
/// as wtype and the remote view, have no panel or no finger on it.
extension System {
    /// A finger or a button goes down on this, or lifts from it.
    mutating func touchesPanel(_ overlay: Overlay?, at now: Moment) {
        if let client = client(of: overlay) { sound.keyboardUse.touched(client, at: now) }
    }

    /// The finger lifts.
    mutating func leavesPanel(_ finger: Int32, at now: Moment) {
        guard let contact = hands.contacts.first(where: { $0.id == finger }) else { return }
        touchesPanel(contact.panel, at: now)
    }

    /// A virtual keyboard or an input method of this client typed a key. `asks`: whether its process can ask a feedback service.
    mutating func programTyped(_ client: UInt64, _ process: Int32, asks: Bool, at now: Moment, _ turn: inout Turn) {
        let isHeld = hands.contacts.contains { self.client(of: $0.panel) == client }
        guard isHeld || sound.keyboardUse.includes(client, at: now) else { return }
        sound.handle(.keyTyped(by: process, asks: asks), for: &screenful, at: now, &turn)
    }

    private func client(of overlay: Overlay?) -> UInt64? {
        guard case .panel(let id)? = overlay, let client = seat.panels[id]?.facts.client, client != 0 else { return nil }
        return client
    }
}

extension Contact {
    /// The overlay that has the finger, or gets it if the edge does not.
    fileprivate var panel: Overlay? {
        if case .overlay(let overlay) = owner { return overlay }
        return over
    }
}
