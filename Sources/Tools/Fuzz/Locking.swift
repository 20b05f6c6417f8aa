/// Conclusions about the lock from requests and events of clients (ext-session-lock-v1).
struct LockKnowledge {
    /// A client asked for the lock; a locker was told that it has the lock, and is gone or still had it at the end; a
    /// client may have unlocked.
    private(set) var asked = false, held = false, unlocked = false

    mutating func sent(_ bytes: [UInt8], by client: WireClient) {
        var reader = WireReader(bytes)
        guard let target = client.objects[reader.word()] else { return }
        let request = target.interface.requests[safe: Int(reader.word() & 0xffff)]?.name
        switch target.interface.name {
        case "ext_session_lock_manager_v1": asked = asked || request == "lock"
        case "ext_session_lock_v1": unlocked = unlocked || request == "unlock_and_destroy"
        default: break
        }
    }

    mutating func gone(_ client: WireClient) {
        held =
            held
            || client.objects.values.contains { object in
                object.interface.name == "ext_session_lock_v1" && client.heard.contains(UInt64(object.number) << 16)
            }
    }

    /// Whether the screen must be locked when all these clients are gone; nil if that is unclear.
    /// - Parameter before: whether it was locked when they connected; nil if unknown.
    func expected(before: Bool?) -> Bool? {
        if unlocked { return nil }
        if held || before == true { return true }
        return asked ? nil : before
    }
}

/// Sessions that lock the screen.
extension Generator {
    /// A client locks the screen and shows a lock surface, or begins to.
    func lock(_ n: Int, _ bound: [String: UInt32]) {
        let manager = bound["ext_session_lock_manager_v1"] ?? bind(n, "ext_session_lock_manager_v1")
        let output = bound["wl_output"] ?? bind(n, "wl_output")
        let lock = ask(n, manager, "lock")
        guard lock != 0 else { return }
        if dice.chance(0.2) { return sync(n) }
        // Either `locked` arrives once a locked frame is visible, or `finished` if another client has the lock.
        if dice.chance(0.5) { sync(n) } else { player.play(.await(n, object: lock, event: 0)) }
        cover(n, bound, lock, output)
    }

    private func cover(_ n: Int, _ bound: [String: UInt32], _ lock: UInt32, _ output: UInt32) {
        let surface = ask(n, bound["wl_compositor"] ?? 0, "create_surface")
        let role = ask(n, lock, "get_lock_surface", [Int(surface), Int(output)])
        guard role != 0 else { return }
        sync(n)
        ask(n, role, "ack_configure", serial: SerialReference(offset: 0, object: role, event: 0))
        ask(n, surface, "attach", [Int(buffer(n, bound, 1180, 820)), 0, 0])
        ask(n, surface, "damage", [0, 0, 1180, 820])
        ask(n, surface, "commit")
        sync(n)
    }

    /// Behaves like a restarted locker: takes over the lock of its dead predecessor, covers the screen and unlocks.
    func relieve() {
        let n = 9
        player.play(.connect(n))
        var bound: [String: UInt32] = [:]
        for name in ["wl_compositor", "wl_shm", "wl_output", "ext_session_lock_manager_v1"] { bound[name] = bind(n, name) }
        let lock = ask(n, bound["ext_session_lock_manager_v1"] ?? 0, "lock")
        player.play(.await(n, object: lock, event: 0))
        player.play(.locked(true))
        cover(n, bound, lock, bound["wl_output"] ?? 0)
        ask(n, lock, "unlock_and_destroy")
        sync(n)
        player.play(.locked(false))
        player.play(.close(n))
    }
}
