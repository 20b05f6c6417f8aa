import Control
import Foundation
import Journal
import MullionTesting
import Testing

/// What a wire-level client of `Tests/Clients` printed: one JSON object on its last line.
struct ScriptAnswer: Decodable {
    var globals: [String: Int]?
    var ended: Bool?
    var error: [JSON]?
    var ways: [String]?
    var late: Int?
    var mine: Int?
    /// The steps of a script that tells its story, by name.
    var steps: [String: JSON]?

    /// Of a protocol error: the object it is about, "ext_session_lock_v1#7" without the number, and its code.
    var code: String? {
        guard let error, error.count == 3, case .string(let object) = error[0] else { return nil }
        return "\(object.prefix { $0 != "#" }) \(error[1].text)"
    }
}

extension JSON {
    fileprivate var text: String {
        switch self {
        case .string(let text): text
        case .integer(let number): "\(number)"
        default: "?"
        }
    }
}

extension ShellUnderTest {
    /// Runs a script of `Tests/Clients` to its end, and reads its answer. Fails if it does.
    func script(
        _ name: String, _ arguments: String..., environment: [String: String] = [:], within seconds: Double = 40
    ) throws -> ScriptAnswer {
        let words = ["env"] + environment.map { "\($0)=\($1)" } + ["python3", "\(TestClient.folder)/\(name)"] + arguments
        let (status, output) = try run(words, within: seconds)
        guard status == 0, let line = output.split(separator: "\n").last else {
            throw Failure("\(name) \(arguments.joined(separator: " ")) ended with \(status): \(output)")
        }
        return try JSON(parsing: Array(line.utf8)).decoded(as: ScriptAnswer.self)
    }
}
