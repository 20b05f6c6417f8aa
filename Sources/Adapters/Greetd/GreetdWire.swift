import FoundationEssentials

/// A request to greetd (greetd-ipc(7)).
public enum GreetdRequest: Hashable, Sendable {
    case createSession(user: String)
    /// The answer to an `auth_message`; nil: it was no question.
    case answer(String?)
    case startSession(command: [String], environment: [String])
    case cancelSession

    /// The length in the byte order of this machine, and JSON.
    public var bytes: [UInt8] {
        struct Body: Encodable {
            var type: String
            var username: String? = nil, response: String? = nil, cmd: [String]? = nil, env: [String]? = nil
        }
        let body: Body =
            switch self {
            case .createSession(let user): Body(type: "create_session", username: user)
            case .answer(let answer): Body(type: "post_auth_message_response", response: answer)
            case .startSession(let command, let environment): Body(type: "start_session", cmd: command, env: environment)
            case .cancelSession: Body(type: "cancel_session")
            }
        guard let json = try? JSONEncoder().encode(body) else { return [] }
        return withUnsafeBytes(of: UInt32(json.count)) { Array($0) } + json
    }
}

/// An answer of greetd.
public enum GreetdReply: Hashable, Sendable {
    case success
    /// `isAuthentication`: the person is not the right one, or may not log in.
    case error(isAuthentication: Bool, String)
    case message(Kind, String)

    public enum Kind: String, Hashable, Sendable { case visible, secret, info, error }

    /// nil: it means nothing.
    public init?(json: [UInt8]) {
        struct Body: Decodable {
            var type: String, error_type: String?, description: String?, auth_message_type: String?, auth_message: String?
        }
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(json)) else { return nil }
        switch body.type {
        case "success": self = .success
        case "error":
            guard let kind = body.error_type, kind == "error" || kind == "auth_error" else { return nil }
            self = .error(isAuthentication: kind == "auth_error", body.description ?? "")
        case "auth_message":
            guard let kind = body.auth_message_type.flatMap(Kind.init), let text = body.auth_message else { return nil }
            self = .message(kind, text)
        default: return nil
        }
    }
}

/// Cuts the bytes of greetd into its answers.
public struct GreetdReader: Sendable {
    /// greetd's answers are a line or two. One that is longer is none.
    public static let longest = 1 << 20

    private var bytes: [UInt8] = []

    public init() {}

    public enum Found: Hashable, Sendable {
        case reply(GreetdReply)
        /// More bytes have to come.
        case nothing
        case nonsense
    }

    public mutating func add(_ more: ArraySlice<UInt8>) { bytes += more }

    public mutating func next() -> Found {
        guard bytes.count >= 4 else { return .nothing }
        let length = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        guard length <= UInt32(Self.longest) else { return .nonsense }
        let end = 4 + Int(length)
        guard bytes.count >= end else { return .nothing }
        defer { bytes.removeFirst(end) }
        return GreetdReply(json: Array(bytes[4..<end])).map { .reply($0) } ?? .nonsense
    }
}
