import Geometry
import Journal
import Multitasking

/// One line from a client: a request, and the number for its answer.
public struct ControlMessage: Hashable, Sendable {
    public var id: Int64?
    public var request: ControlRequest

    public init(_ request: ControlRequest, id: Int64? = nil) {
        self.request = request
        self.id = id
    }

    /// The encoded line, without its newline.
    public func line() throws -> [UInt8] { try JSON.bytes(Written(self)) }
}

/// The parsed line. Even an invalid line may contain the number for its answer.
public struct ReadMessage: Sendable {
    public var id: Int64?
    public var request: Result<ControlRequest, ControlError>

    /// Parses one line. `request` holds the error, if any.
    public init(line: some Collection<UInt8>) {
        let json: JSON
        do {
            json = try JSON(parsing: line)
        } catch {
            request = .failure(ControlError("this is not JSON: \(error)"))
            return
        }
        guard let fields = json.object else {
            request = .failure(ControlError("a request is an object, not \(json.kind)"))
            return
        }
        id = fields["id"]?.integer
        do throws(ControlError) {
            request = .success(try ReadMessage.request(in: fields))
        } catch {
            request = .failure(error)
        }
    }

    private static func request(in fields: [String: JSON]) throws(ControlError) -> ControlRequest {
        if let id = fields["id"], id.integer == nil {
            throw ControlError("must be a whole number, not \(id.kind)", at: "id")
        }
        if let version = fields["v"], version.integer != Int64(Mullion.controlVersion) {
            throw ControlError(
                "this shell speaks version \(Mullion.controlVersion) of the protocol, not \(version.text())", at: "v")
        }
        let names = fields.keys.filter { $0 != "v" && $0 != "id" }.sorted()
        guard names.count == 1, let name = names.first else {
            let known = ControlRequest.Verb.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlError(
                names.isEmpty
                    ? "nothing is asked: one of \(known) is missing"
                    : "one thing is asked at a time, not \(names.joined(separator: " and "))")
        }
        guard let verb = ControlRequest.Verb(rawValue: name), let value = fields[name] else {
            throw ControlError("no request is called this", at: name)
        }
        switch verb {
        case .get: return .get(try read(value.spelledOut, at: name))
        case .do: return .act(try read(value.spelledAction, at: name))
        case .input: return .input(try read(value.spelledOut, at: name))
        case .screenshot: return .screenshot(try read(value, at: name))
        case .follow: return .follow(try read(value, at: name))
        case .clock: return .clock(try read(value.spelledOut, at: name))
        case .wait: return .wait(try read(value.spellingOut("until"), at: name))
        case .ask: return .ask(try read(value, at: name))
        case .reload, .quit:
            guard value == .bool(true) else { throw ControlError("must be true", at: name) }
            return verb == .reload ? .reload : .quit
        }
    }

    private static func read<T: Codable>(_ json: JSON, at place: String) throws(ControlError) -> T {
        let value: T
        do {
            value = try json.decoded()
        } catch {
            let mistake = JSONMistake(error, in: place)
            throw ControlError(mistake?.what ?? "\(error)", at: mistake?.place ?? place)
        }
        // Otherwise, misspelling an optional field would silently change the meaning.
        if let understood = try? JSON(encoding: value), let stray = json.fieldNot(in: understood, at: place) {
            throw ControlError("no field is called this here", at: stray)
        }
        return value
    }
}

extension JSON {
    /// Normalizes an enum value. It may be written `"name"`, `{"name": value}` or `{"name": {…}}`; Swift's own form
    /// is the last.
    var spelledOut: JSON {
        switch self {
        case .string(let name):
            return .object([name: .object([:])])
        case .object(let fields) where fields.count == 1:
            let (name, value) = fields.first!
            switch value {
            // A part of the screen is a word, and no place of a window.
            case .object where name == "tile" || name == "toggleTile": return .object([name: value])
            case .object: return .object([name: value.spellingOut("to")])
            case .null: return .object([name: .object([:])])
            default: return .object([name: .object(["_0": value])])
            }
        default:
            return self
        }
    }

    /// The same for an action. An audio action is an enum within the enum, and so are a remote command, what a person does with a
    /// notification, and a choice for an app's.
    var spelledAction: JSON {
        guard case .object(let fields) = self, fields.count == 1 else { return spelledOut }
        if let inner = fields["notice"] {
            guard case .object(var act) = inner.innerAction.spelledOut else { return self }
            act["choose"] = act["choose"]?.spellingOut("what")
            return .object(["notice": .object(["_0": .object(act)])])
        }
        guard let inner = fields["audio"] else { return spelledOut }
        var action = inner.innerAction.spelledOut
        if case .object(var choice) = action, let remote = choice["remote"] {
            choice["remote"] = remote.spellingOut("_0").spellingOut("_1")
            action = .object(choice)
        }
        return .object(["audio": .object(["_0": action])])
    }

    /// The action in Swift's own form.
    private var innerAction: JSON {
        if case .object(let own) = self, own.count == 1, let value = own["_0"] { value } else { self }
    }

    /// The same for one field, if it holds an enum.
    func spellingOut(_ key: String) -> JSON {
        guard case .object(var fields) = self, let value = fields[key] else { return self }
        switch value {
        case .string, .object: fields[key] = value.spelledOut
        default: return self
        }
        return .object(fields)
    }

    /// The first field that the decoded value `understood` does not have.
    func fieldNot(in understood: JSON, at place: String) -> String? {
        switch (self, understood) {
        case (.object(let mine), .object(let theirs)):
            for key in mine.keys.sorted() where mine[key] != .null {
                guard let other = theirs[key] else { return "\(place).\(key)" }
                if let stray = mine[key]!.fieldNot(in: other, at: key == "_0" ? place : "\(place).\(key)") { return stray }
            }
        case (.array(let mine), .array(let theirs)):
            for (index, pair) in zip(mine, theirs).enumerated() {
                if let stray = pair.0.fieldNot(in: pair.1, at: "\(place)[\(index)]") { return stray }
            }
        default: break
        }
        return nil
    }
}

/// The wire format of a message.
private struct Written: Encodable {
    var message: ControlMessage

    init(_ message: ControlMessage) { self.message = message }

    private enum Key: String, CodingKey { case v, id, get, `do`, input, screenshot, follow, clock, wait, ask, reload, quit }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Mullion.controlVersion, forKey: .v)
        try container.encodeIfPresent(message.id, forKey: .id)
        switch message.request {
        case .get(let query): try container.encode(query, forKey: .get)
        case .act(let action): try container.encode(action, forKey: .do)
        case .input(let input): try container.encode(input, forKey: .input)
        case .screenshot(let screenshot): try container.encode(screenshot, forKey: .screenshot)
        case .follow(let topics): try container.encode(topics, forKey: .follow)
        case .clock(let clock): try container.encode(clock, forKey: .clock)
        case .wait(let wait): try container.encode(wait, forKey: .wait)
        case .ask(let question): try container.encode(question, forKey: .ask)
        case .reload: try container.encode(true, forKey: .reload)
        case .quit: try container.encode(true, forKey: .quit)
        }
    }
}

/// One line from the shell to a client.
enum ControlLine {
    struct Answer<T: Encodable>: Encodable {
        var v = Mullion.controlVersion
        var id: Int64?
        var ok: T
    }

    struct Failure: Encodable {
        var v = Mullion.controlVersion
        var id: Int64?
        var error: ControlError
    }

    struct Followed<T: Encodable>: Encodable {
        var v = Mullion.controlVersion
        var event: T
    }

    struct StateEvent: Encodable {
        var state: StateReport
    }

    struct SystemEvent: Encodable {
        var t: Moment
        var happened: Event
    }

    /// An empty result.
    struct Done: Encodable {
        func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: NoKey.self) }
        private enum NoKey: CodingKey {}
    }
}
