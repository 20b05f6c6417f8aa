import Geometry
import Seat
import Testing

/// What was copied stays when its app ends (law 5).
@Suite("What was copied")
struct CopiedTests {
    private let text = ["text/plain;charset=utf-8", "UTF8_STRING", "text/html", "application/x-own"]

    /// A seat and its clock, which the effects set.
    private struct Room {
        var seat = Seat()
        var now = Moment.zero + 100
        var alarm: Moment?
        var reading: UInt32?
        var isOffered = false, isOnDisk = false
        var asked: [CopiedForm] = []

        mutating func note(_ effects: [CopyEffect]) {
            for effect in effects {
                switch effect {
                case .read(let number, let forms): (reading, asked) = (number, forms)
                case .endReading: reading = nil
                case .forget: isOffered = false
                case .offer: isOffered = true
                case .keepText: isOnDisk = true
                case .forgetText: isOnDisk = false
                case .wake(let moment): alarm = moment
                case .paste: break
                }
            }
            #expect(seat.violations() == [])
        }

        mutating func send(_ event: CopyEvent) { note(seat.handle(event, at: now)) }

        mutating func copy(_ types: [String], by client: UInt64? = 1) {
            isOffered = false
            send(.copied(types, by: client))
        }

        mutating func arrive(_ form: Int, _ bytes: Int? = 10) { send(.arrived(reading ?? 0, form: form, bytes: bytes)) }

        /// Everything that was asked for arrives.
        mutating func arriveAll() { for form in asked.indices { arrive(form) } }

        mutating func wait(_ seconds: Double) {
            now = now + seconds
            guard let alarm, alarm <= now else { return }
            self.alarm = nil
            note(seat.copyTimeIsUp(at: now))
        }

        mutating func end(_ client: UInt64) {
            note(seat.clientGone(client))
            send(.sourceGone)
        }

        mutating func lock(_ isLocked: Bool) {
            for event in isLocked ? [LockEvent.asked(LockerID(1), isDark: false)] : [.unlocked(LockerID(1)), .gone(LockerID(1))] {
                _ = seat.handle(event, canStart: false, at: now)
            }
            note(seat.lockChanged(at: now))
        }
    }

    // MARK: The table

    @Test("the first type of the same text is read, web pages and lists of files too, and a picture only without plain text")
    func table() {
        func plan(_ types: String...) -> [String] { CopiedForms.plan(for: types).map(\.type) }
        #expect(plan("text/html", "text/plain", "text/plain;charset=utf-8", "image/png") == ["text/plain;charset=utf-8", "text/html"])
        #expect(plan("image/bmp", "image/jpeg", "image/png", "text/html") == ["text/html", "image/png"])
        #expect(plan("text/uri-list", "x-special/gnome-copied-files") == ["text/uri-list", "x-special/gnome-copied-files"])
        #expect(plan("application/x-own", "SAVE_TARGETS") == [])
        #expect(plan() == [])
        #expect(CopiedForms.plan(for: text)[0].offered == ["text/plain;charset=utf-8", "UTF8_STRING"])
        #expect(CopiedForms.plan(for: ["image/png"]).allSatisfy { !$0.isText })
    }

    @Test("what is marked as a secret is not read, whatever the mark says, and replaces what was kept")
    func secret() {
        var room = Room()
        room.copy(text)
        room.arriveAll()
        #expect(room.isOnDisk)
        room.now = room.now + 5
        room.copy(text + [CopiedForms.secretMark], by: 2)
        #expect(room.reading == 1 && !room.isOnDisk && room.seat.copied.state == .nothing)
        room.end(2)
        #expect(!room.isOffered)
    }

    // MARK: Its owner ends

    @Test("the shell offers what has arrived when its owner is gone, an X11 program's too", arguments: [1, nil] as [UInt64?])
    func ends(_ owner: UInt64?) {
        var room = Room()
        room.copy(text, by: owner)
        room.arriveAll()
        #expect(room.seat.copied.state == .read && room.alarm == nil && !room.isOffered)
        if let owner { room.end(owner) } else { room.send(.cleared(by: nil)) }
        #expect(room.isOffered && room.isOnDisk && room.seat.copied.state == .offered)
        room.copy(text, by: 3)
        #expect(!room.isOnDisk && room.seat.copied.state == .waits || room.seat.copied.state == .reads)
    }

    @Test("what has not arrived in time, or is too long, is left out; the rest is offered")
    func missing() {
        var room = Room()
        room.copy(text + ["text/uri-list"])
        #expect(room.asked.count == 3)
        room.arrive(0)
        room.arrive(1, room.asked[1].most + 1)
        #expect(room.reading != nil)
        room.wait(Copied.patience)
        #expect(room.reading == nil && room.seat.copied.forms.map(\.type) == ["text/plain;charset=utf-8"])
        room.end(1)
        #expect(room.isOffered)
        // Nothing at all.
        room.copy(text, by: 2)
        room.wait(1)
        room.wait(Copied.patience)
        #expect(room.seat.copied.state == .nothing)
        room.end(2)
        #expect(!room.isOffered && !room.isOnDisk)
    }

    @Test("what a killed owner may have written in part is left out, and so is nothing at all")
    func whole() {
        #expect(CopiedForms.isWhole(bytes: 1 << 20, isOwnerThere: true) && CopiedForms.isWhole(bytes: 4096, isOwnerThere: false))
        #expect(!CopiedForms.isWhole(bytes: 4097, isOwnerThere: false) && !CopiedForms.isWhole(bytes: 0, isOwnerThere: true))
    }

    @Test("an owner that ends while it hands over leaves what is complete")
    func endsBetween() {
        var room = Room()
        room.copy(text)
        room.arrive(0)
        room.end(1)
        #expect(room.isOffered && room.reading == nil && room.seat.copied.forms.count == 1)
        room.arrive(1)
        #expect(room.seat.copied.forms.count == 1, "what arrives late belongs to nothing")
    }

    @Test("an app that takes it back as its window closes, and ends within ten seconds, has ended; otherwise it is gone")
    func withdrawn() {
        for (byRequest, waits) in [(true, 9.0), (true, 11), (false, 9), (false, 11)] {
            var room = Room()
            room.copy(text)
            room.arriveAll()
            room.send(byRequest ? .cleared(by: 1) : .sourceGone)
            #expect(!room.isOffered && !room.isOnDisk && room.seat.copied.state == .withdrawn)
            room.wait(waits)
            room.note(room.seat.clientGone(1))
            #expect(room.isOffered == (waits < 10) && room.isOnDisk == room.isOffered)
        }
    }

    @Test("another program empties it for good, also what the shell offers")
    func emptied() {
        var room = Room()
        room.copy(text)
        room.arriveAll()
        room.send(.cleared(by: 2))
        #expect(room.seat.copied.state == .nothing && !room.isOnDisk)
        room.end(1)
        #expect(!room.isOffered)
        room.now = room.now + 5
        room.copy(text)
        room.arriveAll()
        room.end(1)
        room.send(.cleared(by: 1))
        #expect(room.seat.copied.state == .nothing && !room.isOnDisk)
    }

    @Test("the end of an X11 program empties only what an X11 program copied")
    func x11() {
        #expect(Copied.mayClear(byX11: true, isOfX11: true) && Copied.mayClear(byX11: false, isOfX11: true))
        #expect(!Copied.mayClear(byX11: true, isOfX11: false) && Copied.mayClear(byX11: false, isOfX11: false))
    }

    @Test("who copies again and again is read once a second, and what is last is read")
    func often() {
        var room = Room()
        room.copy(text)
        #expect(room.reading == 1)
        var readings: Set<UInt32> = []
        for _ in 0..<95 {
            room.wait(0.1)
            if let reading = room.reading { readings.insert(reading) }
            room.copy(text)
        }
        #expect((8...11).contains(readings.count), "\(readings)")
        room.wait(1)
        #expect(room.seat.copied.state == .reads)
        room.arriveAll()
        room.end(1)
        #expect(room.isOffered)
    }

    // MARK: The lock and the next session

    @Test("while the session is locked, nothing is read and no text is on the disk")
    func locked() {
        var room = Room()
        room.copy(text)
        room.lock(true)
        #expect(room.reading == nil && room.alarm == nil)
        room.lock(false)
        #expect(room.reading == 2)
        room.arriveAll()
        #expect(room.isOnDisk)
        room.lock(true)
        #expect(!room.isOnDisk)
        room.end(1)
        #expect(room.isOffered && !room.isOnDisk)
        room.copy(text, by: 2)
        room.wait(60)
        #expect(room.reading == 2)
        room.lock(false)
        #expect(room.reading == 3)
        room.arriveAll()
        #expect(room.isOnDisk)
    }

    @Test("a text comes back in the next session, unless a program has copied since; a picture is not on the disk")
    func restored() {
        var kept = CopiedForms.plan(for: text)
        for index in kept.indices { kept[index].bytes = 5 }
        var room = Room()
        room.isOnDisk = true
        room.send(.restored(kept))
        #expect(room.isOffered && room.isOnDisk)
        room = Room()
        room.isOnDisk = true
        room.copy(["application/x-own"])
        room.send(.restored(kept))
        #expect(!room.isOffered && !room.isOnDisk)
        room.now = room.now + 5
        room.copy(["image/png"])
        room.arriveAll()
        room.end(1)
        #expect(room.isOffered && !room.isOnDisk)
    }

    @Test("what the shell itself copies is kept for the next session, and nobody is asked for it")
    func own() {
        var room = Room()
        room.copy(text)
        room.send(.ownCopied([CopiedForm(type: "text/plain", offered: ["text/plain"], isText: true, most: 100, bytes: 3)]))
        #expect(room.reading == nil && room.alarm == nil && room.isOnDisk && room.seat.copied.state == .offered)
    }
}
