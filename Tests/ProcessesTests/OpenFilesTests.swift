import Foundation
import Glibc
import Testing

@testable import Processes

@Suite struct OpenFilesTests {
    @Test("a file is open elsewhere as long as another process has it, however often that one opened it")
    func elsewhere() throws {
        let path = NSTemporaryDirectory() + "mullion-held-" + UUID().uuidString.prefix(8)
        let own = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(own >= 0)
        defer {
            unlink(path)
            unlink(path + ".ready")
            close(own)
        }
        #expect(!OpenFiles.isOpenElsewhere(path) && !OpenFiles.isOpenElsewhere("/no/such/file"))
        let launcher = try Launcher()
        try launcher.launch(
            ["sh", "-c", "exec 3<\(path) 4<\(path); : >\(path).ready; exec sleep 60"], environment: ProcessInfo.processInfo.environment)
        for _ in 0..<500 where access(path + ".ready", F_OK) != 0 { usleep(10000) }
        #expect(OpenFiles.isOpenElsewhere(path) && !OpenFiles.isOpenElsewhere(path + ".ready"))
        _ = launcher.endAll(patience: 2000)
        #expect(!OpenFiles.isOpenElsewhere(path))
    }
}
