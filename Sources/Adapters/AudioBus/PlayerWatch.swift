import AudioSessions
import Callers
import MessageBus
import Processes

/// The media players on the bus: `org.mpris.MediaPlayer2.*`, after the MPRIS specification 2.2.
///
/// A connection is one player, no matter how many names it owns. The shell never blocks on a player.
final class PlayerWatch {
    static let prefix = "org.mpris.MediaPlayer2."
    static let root = "org.mpris.MediaPlayer2"
    static let player = "org.mpris.MediaPlayer2.Player"
    private static let path = "/org/mpris/MediaPlayer2"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// Proxies stand for other players, and a query would start them.
    private static let proxies: Set = [prefix + "playerctld"]
    /// Players whose owner the bus has not named yet. `Quota.players` says how many each owner may have.
    static let strangerLimit = 1024
    /// Milliseconds that a command may take. The user waits for it, and a stopped player never replies.
    private static let patience: UInt64 = 300
    /// Seconds of a skip if no length was given.
    private static let skip = 10.0

    private unowned let bus: AudioBus
    /// Keyed by connection.
    private(set) var players: [String: Player] = [:]
    private var hasNotedLimit = false

    init(_ bus: AudioBus) { self.bus = bus }

    var deadline: Int64? {
        players.values.lazy.compactMap { [$0.retry, $0.overdue].compactMap(\.self).min() }.min()
    }

    func start() {
        bus.connection?.match(
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
                + "arg0namespace='\(Self.root)'")
        bus.connection?.match(
            "type='signal',interface='\(Self.properties)',member='PropertiesChanged',path='\(Self.path)'")
        bus.connection?.match("type='signal',interface='\(Self.player)',member='Seeked',path='\(Self.path)'")
        bus.callBus("ListNames", "") { [unowned self] answer in
            guard let list = try? answer.get() else { return }
            let names = list.array(of: "s", limit: 100_000) { list.string() } ?? []
            for name in names.lazy.filter({ $0.hasPrefix(Self.prefix) }).sorted().prefix(Self.strangerLimit) {
                bus.callBus("GetNameOwner", name) { [unowned self] answer in
                    if let owner = try? answer.get().string() { appeared(name, owner) }
                }
            }
        }
    }

    func forgetAll() {
        for player in players.values {
            if let payer = player.payer { bus.holdings.giveBack(.players, for: payer) }
            if player.told != nil { bus.report(.playerGone(player.id)) }
        }
        players = [:]
    }

    /// Handles work that is due.
    func runDue() {
        let now = bus.now()
        for (owner, player) in players {
            if let moment = player.retry, moment <= now {
                players[owner]?.retry = nil
                ask(owner)
            }
            if let moment = player.overdue, moment <= now {
                players[owner]?.overdue = nil
                tell(owner)
            }
        }
    }

    // MARK: Coming and going

    func ownerChanged(_ name: String, old: String, new: String) {
        if !old.isEmpty { left(name, old) }
        if !new.isEmpty { appeared(name, new) }
    }

    private func appeared(_ name: String, _ owner: String) {
        guard !Self.proxies.contains(name) else { return }
        if let known = players[owner] {
            if !known.names.contains(name), known.names.count < 16 { players[owner]?.names.append(name) }
            return
        }
        guard players.values.count(where: { $0.payer == nil }) < Self.strangerLimit else { return noteLimit("programs that begin") }
        players[owner] = Player(id: PlayerID(name), owner: owner, names: [name])
        bus.callBus("GetConnectionUnixProcessID", owner) { [unowned self] answer in
            guard players[owner] != nil else { return }
            let number = (try? answer.get())?.uint32(), payer = bus.owner(Int32(clamping: number ?? 0))
            guard bus.holdings.take(.players, for: payer) else {
                players[owner] = nil
                return noteLimit("\(payer)")
            }
            players[owner]?.payer = payer
            if let process = number {
                players[owner]?.process = Int32(clamping: process)
                players[owner]?.app = AudioApp(process: Int32(clamping: process))
            }
            ask(owner)
        }
    }

    private func noteLimit(_ who: String) {
        if !hasNotedLimit { bus.onNote("too many media players of \(who) on the session bus; the rest is ignored") }
        hasNotedLimit = true
    }

    private func left(_ name: String, _ owner: String) {
        guard var player = players[owner] else { return }
        player.names.removeAll { $0 == name }
        guard player.id.raw == name else {
            players[owner] = player
            return
        }
        players[owner] = nil
        if let payer = player.payer { bus.holdings.giveBack(.players, for: payer) }
        if player.told != nil { bus.report(.playerGone(player.id)) }
        // The connection may continue under another name.
        for other in player.names { appeared(other, owner) }
    }

    // MARK: Queries

    private func ask(_ owner: String) {
        guard let player = players[owner] else { return }
        guard !player.asking.isOnItsWay else {
            players[owner]?.asking.again = true
            return
        }
        players[owner]?.asking = Player.Asking(isOnItsWay: true)
        bus.call(owner, Self.path, Self.properties, "GetAll", timeout: 2000, { $0.string(Self.root) }) { [unowned self] in
            if let values = try? $0.get().table(Player.limits) { players[owner]?.describe(values) }
        }
        bus.call(owner, Self.path, Self.properties, "GetAll", timeout: 2000, { $0.string(Self.player) }) { [unowned self] in
            guard let player = players[owner] else { return }
            players[owner]?.asking = Player.Asking()
            if let values = try? $0.get().table(Player.limits) {
                players[owner]?.take(values, at: bus.now())
                players[owner]?.isKnown = true
                players[owner]?.pause = 1_000_000_000
                tell(owner)
            } else if !player.isKnown {
                players[owner]?.retry = bus.now() + player.pause
                players[owner]?.pause = min(player.pause * 2, 60_000_000_000)
            }
            if player.asking.again { ask(owner) }
        }
    }

    /// Queries the position, because a player reports it only when it jumps.
    private func askPosition(_ owner: String) {
        guard let player = players[owner] else { return }
        guard !player.askingPosition.isOnItsWay else {
            players[owner]?.askingPosition.again = true
            return
        }
        players[owner]?.askingPosition = Player.Asking(isOnItsWay: true)
        bus.call(
            owner, Self.path, Self.properties, "Get", timeout: 2000,
            {
                $0.string(Self.player)
                $0.string("Position")
            }
        ) { [unowned self] answer in
            guard let player = players[owner] else { return }
            players[owner]?.askingPosition = Player.Asking()
            if let position = try? answer.get().value()?.integer {
                players[owner]?.take(position: position, at: bus.now())
                tell(owner)
            }
            if player.askingPosition.again { askPosition(owner) }
        }
    }

    // MARK: Signals of players

    func propertiesChanged(_ signal: Incoming) {
        let owner = signal.sender
        guard let before = players[owner], let interface = signal.string(),
            let values = signal.table(Player.limits)
        else { return }
        if interface == Self.root {
            players[owner]?.describe(values)
        } else if interface == Self.player {
            players[owner]?.take(values, at: bus.now())
        } else {
            return
        }
        let invalid = signal.array(of: "s", limit: 64) { signal.string() } ?? []
        // A player that did not reply earlier is responding now.
        guard before.isKnown, invalid.isEmpty else { return ask(owner) }
        tell(owner)
        if let player = players[owner], player.status != before.status || player.info != before.info { askPosition(owner) }
    }

    func seeked(_ signal: Incoming) {
        guard players[signal.sender]?.isKnown == true, let position = signal.value()?.integer else { return }
        players[signal.sender]?.take(position: position, at: bus.now())
        tell(signal.sender)
    }

    private func tell(_ owner: String) {
        guard var player = players[owner], player.isKnown, player.overdue == nil else { return }
        let facts = player.facts
        guard facts != player.told else { return }
        if player.told != nil, !player.allowance.take(at: bus.now()) {
            player.overdue = player.allowance.next(after: bus.now())
        } else {
            bus.report(player.told == nil ? .playerAppeared(player.id, facts) : .playerChanged(player.id, facts))
            player.told = facts
        }
        players[owner] = player
    }

    // MARK: Commands to players

    func command(_ id: PlayerID, _ command: RemoteCommand) {
        guard let player = players.values.first(where: { $0.id == id }) else { return }
        // The core lets an app that it froze go on before it sends a command, which then waits in the app's socket. Of a process that a
        // signal stopped, only the kernel knows, and only now.
        if !command.isForFrozenPlayers, AppIdentity.isStopped(process: player.process) {
            return bus.onNote("\(id) is stopped: \(command.name) is not sent")
        }
        switch command {
        case .play: send(player, "Play")
        case .pause: send(player, "Pause")
        case .stop: send(player, "Stop")
        // The core resolves this to play or pause.
        case .togglePlayPause: break
        case .next: send(player, "Next")
        case .previous: send(player, "Previous")
        case .skipForward(let seconds): skip(player, seconds ?? Self.skip)
        case .skipBackward(let seconds): skip(player, -(seconds ?? Self.skip))
        case .seek(let seconds): seek(player, seconds)
        case .changeRate(let rate):
            let rate = min(max(rate, player.rates.lowest), max(player.rates.lowest, player.rates.highest))
            bus.call(
                player.owner, Self.path, Self.properties, "Set", timeout: Self.patience,
                {
                    $0.string(Self.player)
                    $0.string("Rate")
                    $0.variant(.number(rate))
                }, done: { _ in })
        }
    }

    private func send(_ player: Player, _ member: String, _ arguments: (inout Outgoing) -> Void = { _ in }) {
        bus.call(player.owner, Self.path, Self.player, member, timeout: Self.patience, arguments) { [weak bus] answer in
            guard case .failure(let error) = answer else { return }
            bus?.onNote("\(player.id) did not do \(member): \(error.text)")
        }
    }

    private func skip(_ player: Player, _ seconds: Double) {
        send(player, "Seek") { $0.int64(Self.microseconds(seconds)) }
    }

    private func seek(_ player: Player, _ seconds: Double) {
        guard let track = player.track, track.hasPrefix("/"), track != "/org/mpris/MediaPlayer2/TrackList/NoTrack" else {
            var here = player
            here.advance(to: bus.now())
            return skip(player, seconds - here.info.position)
        }
        send(player, "SetPosition") {
            $0.path(track)
            $0.int64(Self.microseconds(max(0, seconds)))
        }
    }

    private static func microseconds(_ seconds: Double) -> Int64 {
        seconds.isFinite ? Int64(min(max(seconds, -1e9), 1e9) * 1e6) : 0
    }
}

extension AudioApp {
    /// Identifies the app of a process that the bus or the sound server vouches for.
    public init(process: Int32) {
        let identity = AppIdentity.of(process: process)
        self.init(id: identity.id, lineage: identity.lineage, isSandboxed: identity.isSandboxed)
    }
}
