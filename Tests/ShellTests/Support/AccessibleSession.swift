import Control
import Foundation
import Geometry
import Glibc
import MullionTesting

/// A private session bus with the real accessibility bus of at-spi2-core on it, and a real client of that.
final class AccessibleSession {
    /// What the client says of a control.
    struct Node {
        var id: String
        var role: String
        var name: String
        var frame: Rect
        var actions: [String]
        var states: [String]
    }

    private let bus: PrivateBus
    private var client = Process()
    private var input = Pipe(), output = Pipe()
    private var buffer: [UInt8] = []

    var address: String { bus.address }

    init() throws {
        let service = "/usr/share/dbus-1/services/org.a11y.Bus.service"
        guard FileManager.default.fileExists(atPath: service) else {
            throw ShellUnderTest.Failure("the accessibility bus is not installed: apt-get install at-spi2-core")
        }
        let plain = try String(contentsOfFile: service, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("SystemdService") }
        bus = try PrivateBus(services: ["org.a11y.Bus": plain.joined(separator: "\n")])
    }

    /// Starts the client, and waits until it finds the shell. A client that looked before the shell had come keeps what
    /// it saw for a while; another one is started then.
    func connect() throws {
        for _ in 0..<40 {
            try startClient()
            for _ in 0..<10 {
                if try !nodes().isEmpty { return }
                usleep(150_000)
            }
            kill(client.processIdentifier, SIGKILL)
            client.waitUntilExit()
        }
        throw ShellUnderTest.Failure("the shell does not come to the accessibility bus")
    }

    private func startClient() throws {
        (client, input, output, buffer) = (Process(), Pipe(), Pipe(), [])
        client.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let script = URL(filePath: TestClient.folder).deletingLastPathComponent().appending(path: "AccessibilityTests/client.py")
        client.arguments = ["-W", "ignore", script.path(percentEncoded: false)]
        client.environment = bus.environment
        client.standardInput = input
        client.standardOutput = output
        try client.run()
        guard try answer(within: 20 * ShellUnderTest.patience)["answer"] as? String == "ready" else {
            throw ShellUnderTest.Failure("the client did not start: apt-get install gir1.2-atspi-2.0 python3-gi")
        }
    }

    deinit {
        if client.isRunning { kill(client.processIdentifier, SIGKILL) }
    }

    // MARK: Asking

    private func answer(within seconds: Double) throws -> [String: Any] {
        let fd = output.fileHandleForReading.fileDescriptor
        let end = Date().addingTimeInterval(seconds)
        while Date() < end {
            if let line = buffer.firstIndex(of: 10) {
                let data = Data(buffer[..<line])
                buffer.removeFirst(line + 1)
                if let object = try JSONSerialization.jsonObject(with: data) as? [String: Any], object["event"] == nil { return object }
                continue
            }
            var entry = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 100) > 0 else { continue }
            var chunk = [UInt8](repeating: 0, count: 65536)
            let count = read(fd, &chunk, chunk.count)
            guard count > 0 else {
                throw ShellUnderTest.Failure("the accessibility client ended: apt-get install gir1.2-atspi-2.0 python3-gi")
            }
            buffer += chunk[..<count]
        }
        throw ShellUnderTest.Failure("the accessibility client did not answer")
    }

    private func ask(_ request: [String: Any]) throws -> Any? {
        try input.fileHandleForWriting.write(contentsOf: JSONSerialization.data(withJSONObject: request) + Data([10]))
        let answer = try answer(within: 20 * ShellUnderTest.patience)["answer"]
        return answer is NSNull ? nil : answer
    }

    /// Every control of the shell that the bus knows; empty while the shell is not there.
    func nodes() throws -> [Node] {
        guard let root = try ask(["do": "walk"]) as? [String: Any] else { return [] }
        var found: [Node] = []
        func walk(_ object: [String: Any]) {
            let sides = (object["screen"] as? [Any])?.compactMap { ($0 as? NSNumber)?.doubleValue } ?? []
            found.append(
                Node(
                    id: object["id"] as? String ?? "", role: object["role"] as? String ?? "", name: object["name"] as? String ?? "",
                    frame: sides.count == 4 ? Rect(sides[0], sides[1], sides[2], sides[3]) : .zero,
                    actions: object["actions"] as? [String] ?? [], states: object["states"] as? [String] ?? []))
            for child in object["children"] as? [[String: Any]] ?? [] { walk(child) }
        }
        walk(root)
        return found
    }

    /// As a person who hears the screen does: what it is, and what it is called.
    func find(_ role: String, _ name: String) throws -> Node? { try nodes().first { $0.role == role && $0.name == name } }

    /// - Parameter index: of the action.
    func press(_ node: Node, index: Int = 0) throws -> Bool { try ask(["do": "press", "id": node.id, "index": index]) as? Bool ?? false }

    /// Asks for the keyboard's focus on it.
    func focus(_ node: Node) throws -> Bool { try ask(["do": "focus", "id": node.id]) as? Bool ?? false }
}
