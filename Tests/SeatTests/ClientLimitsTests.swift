import Seat
import Testing

@Suite("Limits: what a client may have")
struct ClientLimitsTests {
    @Test("an interface counts as one thing, and every kind but objects names some")
    func interfaces() {
        let named = ClientLimits.Counted.allCases.flatMap(\.interfaces)
        #expect(Set(named).count == named.count)
        for kind in ClientLimits.Counted.allCases {
            #expect(kind.interfaces.isEmpty == (kind == .objects))
            #expect(kind.most <= ClientLimits.Counted.objects.most && kind.most > 0)
        }
        #expect(Set(ClientLimits.Counted.allCases.map(\.text)).count == ClientLimits.Counted.allCases.count)
    }

    @Test("as many clients as there are descriptors for, and never fewer than sixteen")
    func clients() {
        #expect(ClientLimits.clients(openFiles: 1024) == 192)
        #expect(ClientLimits.clients(openFiles: 0) == 16 && ClientLimits.clients(openFiles: 300) == 16)
        #expect(ClientLimits.clients(openFiles: nil) == Int(Int32.max) && ClientLimits.clients(openFiles: .max) == Int(Int32.max))
    }

    @Test("the newest goes: of a process that has too many, or when all are too many")
    func connections() {
        #expect(ClientLimits.turnedAway(ofProcess: 128, all: 192, most: 192) == nil)
        let process = ClientLimits.turnedAway(ofProcess: 129, all: 500, most: 192)
        #expect(process?.error == "limit: 128 connections of one process")
        #expect(process?.reason == "more than 128 connections of one process")
        #expect(ClientLimits.turnedAway(ofProcess: 0, all: 193, most: 192)?.error == "limit: 192 clients at once")
    }

    @Test("a locked session gives no clipboard away, and pastes that nobody answers do not pile up")
    func pastes() {
        #expect(ClientLimits.mayPaste(isLocked: false, waiting: 0) && ClientLimits.mayPaste(isLocked: false, waiting: 63))
        #expect(!ClientLimits.mayPaste(isLocked: false, waiting: 64))
        #expect(!ClientLimits.mayPaste(isLocked: true, waiting: 0))
    }
}
