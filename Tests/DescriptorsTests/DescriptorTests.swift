import CDescriptors
import Descriptors
import Glibc
import Testing

/// Owned descriptors are closed exactly once.
@Suite struct DescriptorTests {
    /// A pipe's ends, as numbers that are not in the ledger.
    private func pipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        #expect(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    /// The ledger keeps the pointer.
    private func text(_ owner: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(owner.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    private func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }

    /// The other end reads an end of file as soon as this one is closed. The number may belong to another test by
    /// then.
    private func isHungUp(_ number: Int32) -> Bool {
        var item = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, 0) == 1 && item.revents & Int16(POLLHUP) != 0
    }

    /// Zeroed memory owns nothing; as a plain number it would be descriptor 0.
    @Test func zeroIsNone() {
        var fd = owned_fd()
        #expect(!owned_fd_is_open(fd) && owned_fd_number(fd) == -1)
        let wasOpen = isOpen(0)
        owned_fd_close(&fd)
        #expect(isOpen(0) == wasOpen)
        #expect(lent_fd_number(lent_fd()) == -1)
        let none = Descriptor.none.number, failed = Descriptor(-1, owner: "nothing").number
        #expect(none == -1 && failed == -1)
    }

    @Test func closesOnceWhenItsOwnerGoes() {
        let (read, write) = pipe()
        let reader = Descriptor(read, owner: "test")
        do {
            var writer = Descriptor(write, owner: "test")
            let number = writer.number
            #expect(number == write && !isHungUp(read))
            writer.close()
            let isOpen = writer.isOpen
            #expect(isHungUp(read) && !isOpen)
            writer.close()
        }
        let (otherRead, otherWrite) = pipe()
        do { _ = Descriptor(otherWrite, owner: "test") }
        #expect(isHungUp(otherRead))
        close(otherRead)
        let isOpen = reader.isOpen
        #expect(isOpen)
    }

    /// A number that other code has closed, and that belongs to another file by now, stays open.
    @Test func neverClosesWhatIsAnothers() {
        let (read, write) = pipe(), (otherRead, otherWrite) = pipe()
        let refusals = Descriptors.report().refusals
        var fd = owned_fd_take(write, text("test"))
        // In one step, so that no other test gets the number in between.
        #expect(dup2(otherWrite, write) == write)
        let lost = Descriptors.report().lost
        #expect(lost.contains { $0.number == write && $0.owner == "test" })
        owned_fd_close(&fd)
        #expect(isOpen(write) && !isHungUp(otherRead))
        #expect(Descriptors.report().refusals > refusals)
        #expect(!Descriptors.report().lost.contains { $0.number == write })
        for number in [read, write, otherRead, otherWrite] { close(number) }
    }

    /// Two copies of a struct own one descriptor: the second one closes nothing, even if the number is in use again.
    @Test func aCopyClosesNothing() {
        let (read, write) = pipe()
        var first = owned_fd_take(write, text("test")), copy = first
        owned_fd_close(&first)
        #expect(isHungUp(read))
        let again = dup2(read, write)
        var second = owned_fd_take(again, text("another"))
        owned_fd_close(&copy)
        #expect(isOpen(again))
        owned_fd_close(&second)
        close(read)
    }

    @Test func reportNamesOwners() throws {
        let (read, write) = pipe()
        let reader = Descriptor(read, owner: "reader of the test")
        let entry = try #require(Descriptors.report(others: [write: "somebody"]).open.first { $0.number == read })
        #expect(entry.owner == "reader of the test" && entry.file?.hasPrefix("pipe:") == true)
        #expect(Descriptors.report(others: [write: "somebody"]).open.first { $0.number == write }?.owner == "somebody")
        #expect(Descriptors.report().open.first { $0.number == write }?.owner == nil)
        close(write)
        _ = consume reader
    }
}
