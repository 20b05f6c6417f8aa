import Control
import Foundation
import Journal
import MullionTesting
import Testing

/// The output of a wire-level client of `Tests/Clients`: one JSON object on its last line.
struct ScriptAnswer: Decodable {
    var globals: [String: Int]?
    var ended: Bool?
    var error: [JSON]?
    var ways: [String]?
    var late: Int?
    var mine: Int?
    /// The steps that the script reports, by name.
    var steps: [String: JSON]?

    /// A protocol error: its object without the number ("ext_session_lock_v1"), and its code.
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
    /// Runs a script of `Tests/Clients` to its end, and reads its answer. Fails if the script does.
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
