import Foundation
import Glibc
import MullionTesting

/// A program that is controlled by lines of JSON.
final class Script {
    typealias Object = [String: Any]
    let process = Process()
    private let input = Pipe(), output = Pipe()
    private var buffer = Data()
    /// Output that was not consumed yet.
    var lines: [Object] = []

    var descriptor: Int32 { output.fileHandleForReading.fileDescriptor }

    static func folder(_ file: String = #filePath) -> URL {
        URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Clients")
    }

    init(_ name: String, _ arguments: [String] = [], _ bus: TestBus) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-W", "ignore", Script.folder().appendingPathComponent(name).path] + arguments
        process.environment = bus.environment
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { end() }

    func end() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGCONT)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func write(_ request: Object) throws {
        try input.fileHandleForWriting.write(contentsOf: JSONSerialization.data(withJSONObject: request) + Data([10]))
    }

    func read() {
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count <= 0 { break }
            buffer.append(contentsOf: bytes[..<count])
        }
        while let end = buffer.firstIndex(of: 10) {
            let line = buffer[buffer.startIndex..<end]
            if let object = try? JSONSerialization.jsonObject(with: line) as? Object { lines.append(object) }
            buffer = Data(buffer[(end + 1)...])
        }
    }

    /// The commands that a player got, in order.
    var commands: [String] { lines.compactMap { $0["command"] as? String } }
}
