import Descriptors
import Glibc
import LifeService
import LinuxLibrary
import Testing

@Suite("Files with state")
struct StateFileTests {
    private func file(_ bytes: [UInt8], flags: UInt32 = 0) -> Descriptor {
        let file = Descriptor(memfd_create("test", flags), owner: "test")
        _ = bytes.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) }
        return file
    }

    private func failure(_ file: borrowing Descriptor, _ size: Int) -> LifeError? {
        do throws(LifeError) {
            _ = try StateFile.read(file, size: size)
            return nil
        } catch {
            return error
        }
    }

    @Test func whatIsMadeIsReadAndCannotBeChanged() throws {
        for bytes: [UInt8] in [[], [1, 2, 3], [UInt8](repeating: 7, count: LifeLimits.state)] {
            let made = StateFile.make(of: bytes)
            #expect(try StateFile.read(made, size: bytes.count) == bytes)
            #expect(pwrite(made.number, [9], 1, 0) < 0 && ftruncate(made.number, off_t(bytes.count) + 1) < 0)
        }
    }

    @Test func aFileThatIsLongerGivesItsBeginning() throws {
        let long = file([1, 2, 3, 4])
        // Wherever its owner has read to.
        lseek(long.number, 3, SEEK_SET)
        #expect(try StateFile.read(long, size: 2) == [1, 2])
        #expect(try StateFile.read(long, size: 0) == [])
    }

    @Test func aFileThatIsShorterThanWasSaidIsRefused() {
        let short = file([1, 2, 3])
        #expect(failure(short, 4)?.text == "the file has 3 bytes, and the request says 4")
        #expect(failure(short, LifeLimits.state + 1)?.kind == .tooLarge)
        ftruncate(short.number, 0)
        #expect(failure(short, 3)?.kind == .badFile)
    }

    /// Not every file system can say that it need not wait. Then the answer is a refusal, and never a wait.
    @Test func aFileOnADiskIsReadIfItIsInMemory() throws {
        let path = "/var/tmp/mullion-state-\(getpid())"
        let disk = Descriptor(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), owner: "test")
        defer { unlink(path) }
        try #require(write(disk.number, [5, 6, 7] as [UInt8], 3) == 3)
        if let refusal = failure(disk, 3) {
            #expect(refusal.text == "the file cannot be read: it cannot be read without waiting: use memfd_create")
        } else {
            #expect(try StateFile.read(disk, size: 3) == [5, 6, 7])
            #expect(failure(disk, 9)?.text == "the file has 3 bytes, and the request says 9")
        }
    }

    @Test func whatIsNoFileIsRefusedAndNotWaitedFor() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        let reading = Descriptor(ends[0], owner: "test"), writing = Descriptor(ends[1], owner: "test")
        #expect(failure(reading, 1)?.text.contains("memfd_create") == true)
        #expect(failure(writing, 1)?.kind == .badFile)
        let folder = Descriptor(open("/", O_RDONLY | O_CLOEXEC), owner: "test")
        #expect(failure(folder, 1)?.kind == .badFile)
        let closed = Descriptor.none
        #expect(failure(closed, 1)?.kind == .badFile)
    }

    @Test func namesAndProgressHaveLimits() {
        func refused(_ body: () throws -> Void) -> Bool { (try? body()) == nil }
        #expect(refused { try LifeLimits.check(name: "") } && refused { try LifeLimits.check(name: String(repeating: "ü", count: 129)) })
        #expect(!refused { try LifeLimits.check(name: String(repeating: "ü", count: 128)) })
        for value in [-0.01, 1.01, .nan, .infinity] { #expect(refused { try LifeLimits.check(progress: value) }) }
        #expect(!refused { try LifeLimits.check(progress: 0) } && !refused { try LifeLimits.check(progress: 1) })
    }
}
