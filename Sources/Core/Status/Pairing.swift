import Geometry
import Rooms

/// An act of a person on devices of Bluetooth. Devices are named by the paths that BlueZ gives them.
public enum PairingAction: Hashable, Codable, Sendable {
    /// Connects a device, pairs it first if it is new, or disconnects it.
    case pick(String)
    /// Shows more about a device.
    case details(String)
    case forget(String)
    /// Whether the digits on both devices are the same, or the device may connect.
    case confirm(Bool)
    /// Sends the digits or letters that stand in the field.
    case answer
    case cancel
}

/// A device of Bluetooth that is paired or in reach.
public struct NearDevice: Hashable, Codable, Sendable {
    public var path: String
    public var name: String
    /// The freedesktop name of its icon, such as "audio-headphones".
    public var icon: String
    public var isPaired: Bool
    public var isConnected: Bool
    /// From 0 to 100; nil: not known.
    public var battery: Int?

    public init(path: String, name: String, icon: String = "", isPaired: Bool = false, isConnected: Bool = false, battery: Int? = nil) {
        self.path = path
        self.name = name
        self.icon = icon
        self.isPaired = isPaired
        self.isConnected = isConnected
        self.battery = battery.flatMap { (0...100).contains($0) ? $0 : nil }
    }
}

/// The devices of Bluetooth, and how one is paired. BlueZ asks for codes through its agent, which is this room, too.
///
/// A device is paired only while a person looks at the list or has picked that device, so that none can ask out of nowhere.
public struct Pairing: Room {
    /// The paired devices and those in reach, while a person looks at them.
    public private(set) var devices: [NearDevice] = []
    public private(set) var isSeen = false
    /// The device that a person picked, and that has not answered yet.
    public private(set) var busy: Busy?
    public private(set) var question: Question?
    /// A device that was not paired or connected, and the words of BlueZ.
    public private(set) var trouble: Trouble?

    /// The device that a person wants to know more about.
    public private(set) var detailed: String?

    public static let most = 100

    public init() {}

    public struct Busy: Hashable, Codable, Sendable {
        public enum Step: String, Hashable, Codable, Sendable {
            case pairing, connecting, disconnecting
        }

        public var path: String
        public var step: Step
        /// It follows the pairing by itself.
        var follows = false
    }

    public struct Question: Hashable, Codable, Sendable {
        /// The request of BlueZ.
        public var request: UInt64
        public var path: String
        public var name: String
        public var asks: Asks
    }

    /// The question of BlueZ.
    public enum Asks: Hashable, Codable, Sendable {
        /// Whether the device shows the same six digits.
        case sameDigits(UInt32)
        /// Whether the device may be paired.
        case permission
        /// A code of letters and digits, which is printed on the device or which a person makes up.
        case code
        /// Six digits that the device shows.
        case digits
        /// Nothing: a person types this code on the device. `typed`: so many signs of it.
        case shows(String, typed: Int)

        public var isWritten: Bool { self == .code || self == .digits }
    }

    public enum Answer: Hashable, Codable, Sendable {
        case yes, no
        case code(Secret)
    }

    public enum Trouble: Hashable, Codable, Sendable {
        case notPaired(name: String, String)
        case notConnected(name: String, String)
        /// A code has 1 to 16 signs, and digits are up to six.
        case badCode
    }

    public enum Event: Hashable, Codable, Sendable {
        case seen(Bool)
        /// nil: BlueZ is gone, or hangs.
        case devices([NearDevice]?)
        /// `code`: the field as it stands.
        case wish(PairingAction, code: Secret)
        /// `isPaired`: the device that asks is paired already.
        case asked(UInt64, path: String, name: String, Asks, isPaired: Bool)
        case withdrawn(UInt64)
        /// A step with a device is done; `failure`: the words of BlueZ.
        case done(path: String, failure: String?)
        case locked
    }

    public enum Outcome: Hashable, Sendable {
        case changed
        case watch(Bool)
        case pair(String)
        /// The device may connect by itself from now on.
        case trust(String)
        case connect(String)
        case disconnect(String)
        case forget(String)
        case cancel(String)
        case answer(UInt64, Answer)
        case showsDetails
        case asks
        case settled
        case refuse(String)
    }

    /// - Parameter context: whether a person can be asked now: the session is not locked.
    public mutating func handle(_ event: Event, in context: Bool, at now: Moment) -> [Outcome] {
        (context ? [] : drop()) + take(event, isOpen: context)
    }

    private mutating func take(_ event: Event, isOpen: Bool) -> [Outcome] {
        switch event {
        case .seen(let isSeen):
            guard isSeen != self.isSeen else { return [] }
            self.isSeen = isSeen
            if !isSeen {
                devices = []
                (trouble, detailed) = (nil, nil)
            }
            return [.watch(isSeen), .changed] + (isSeen ? [] : drop())
        case .devices(let devices):
            let shown = isSeen ? Pairing.sorted(devices ?? []) : []
            if devices == nil, question != nil || busy != nil {
                (question, busy) = (nil, nil)
                self.devices = shown
                return [.settled, .changed]
            }
            guard shown != self.devices else { return [] }
            self.devices = shown
            return [.changed]
        case .wish(let action, let code): return carryOut(action, code)
        case .asked(let request, let path, let name, let asks, let isPaired):
            guard isOpen, isSeen || busy?.path == path else {
                // A device that a person has paired may come back.
                return [.answer(request, isPaired && asks == .permission ? .yes : .no)]
            }
            if isPaired, asks == .permission { return [.answer(request, .yes)] }
            var out: [Outcome] = []
            // The same code again, with more of it typed.
            if let old = question, old.path != path || !old.asks.isShown || !asks.isShown { out = drop(isReplaced: true) }
            question = Question(request: request, path: path, name: name, asks: asks)
            trouble = nil
            // Nothing is to be answered.
            if asks.isShown { out.append(.answer(request, .yes)) }
            return out + [.asks, .changed]
        case .withdrawn(let request):
            guard question?.request == request else { return [] }
            question = nil
            return [.settled, .changed]
        case .done(let path, let failure): return done(path, failure)
        case .locked: return []
        }
    }

    private mutating func carryOut(_ action: PairingAction, _ code: Secret) -> [Outcome] {
        switch action {
        case .pick(let path):
            guard let device = devices.first(where: { $0.path == path }) else { return [.refuse("no device \"\(path)\" is in the list")] }
            guard busy == nil else { return [.refuse("another device is being connected")] }
            trouble = nil
            let step: Busy.Step = !device.isPaired ? .pairing : device.isConnected ? .disconnecting : .connecting
            busy = Busy(path: path, step: step)
            return [step == .pairing ? .pair(path) : step == .connecting ? .connect(path) : .disconnect(path), .changed]
        case .details(let path):
            guard devices.contains(where: { $0.path == path }) else { return [.refuse("no device \"\(path)\" is in the list")] }
            detailed = path
            return [.showsDetails, .changed]
        case .forget(let path):
            guard devices.contains(where: { $0.path == path && $0.isPaired }) else {
                return [.refuse("no paired device \"\(path)\" is in the list")]
            }
            if busy?.path == path { busy = nil }
            return [.forget(path), .changed]
        case .confirm(let isSame):
            guard let question, !question.asks.isWritten, !question.asks.isShown else { return [.refuse("no device asks for that")] }
            self.question = nil
            // The end of what a person refused is no news.
            if !isSame, busy?.path == question.path, busy?.step == .pairing { busy = nil }
            return [.answer(question.request, isSame ? .yes : .no), .settled, .changed]
        case .answer:
            guard let question, question.asks.isWritten else { return [.refuse("no device asks for a code")] }
            let isGood =
                question.asks == .digits
                ? (1...6).contains(code.text.utf8.count) && code.text.utf8.allSatisfy { (0x30...0x39).contains($0) }
                : (1...16).contains(code.text.utf8.count)
            guard isGood else {
                guard trouble != .badCode else { return [] }
                trouble = .badCode
                return [.changed]
            }
            self.question = nil
            trouble = nil
            return [.answer(question.request, .code(code)), .settled, .changed]
        case .cancel:
            guard question != nil || busy != nil else { return [.refuse("no device is being paired")] }
            return drop()
        }
    }

    private mutating func done(_ path: String, _ failure: String?) -> [Outcome] {
        guard let busy, busy.path == path else { return [] }
        let name = devices.first { $0.path == path }?.name ?? question?.name ?? ""
        var out: [Outcome] = []
        if question?.path == path {
            question = nil
            out.append(.settled)
        }
        self.busy = nil
        if let failure {
            // Many devices, such as phones, are paired without anything to connect to.
            if busy.follows, failure.hasSuffix("profile-unavailable") { return out + [.changed] }
            trouble = busy.step == .pairing ? .notPaired(name: name, failure) : .notConnected(name: name, failure)
        } else if busy.step == .pairing {
            self.busy = Busy(path: path, step: .connecting, follows: true)
            out += [.trust(path), .connect(path)]
        }
        return out + [.changed]
    }

    private mutating func drop(isReplaced: Bool = false) -> [Outcome] {
        var out: [Outcome] = []
        if let question {
            if !question.asks.isShown { out.append(.answer(question.request, .no)) }
            if !isReplaced { out.append(.settled) }
        }
        question = nil
        guard !isReplaced else { return out }
        if let busy, busy.step == .pairing {
            self.busy = nil
            out.append(.cancel(busy.path))
        }
        return out.isEmpty ? [] : out + [.changed]
    }

    /// Paired ones first, connected ones before others, and by name. Those without a name say nothing to a person.
    private static func sorted(_ devices: [NearDevice]) -> [NearDevice] {
        func rank(_ device: NearDevice) -> Int { device.isConnected ? 0 : device.isPaired ? 1 : 2 }
        var seen: Set<String> = []
        return Array(
            devices.filter { !$0.name.isEmpty && seen.insert($0.path).inserted }
                .sorted { (rank($0), $0.name, $0.path) < (rank($1), $1.name, $1.path) }.prefix(most))
    }

    public func violations(in context: Bool) -> [String] {
        var found: [String] = []
        if !isSeen, !devices.isEmpty { found.append("devices are listed that nobody looks at") }
        if !context, question != nil { found.append("a code is asked for in a locked session") }
        if !isSeen, question != nil, busy?.path != question?.path { found.append("a device asks that no person picked") }
        return found
    }
}

extension Pairing.Asks {
    /// A person only reads it.
    public var isShown: Bool { if case .shows = self { true } else { false } }
}
