// Keeps a session until a test kills it, and prints its progress:
//
//     mullion-store-probe FOLDER COMMITS
//
// It prints "found N" (the last commit that is kept, after it has checked that all of it is there), "notice TEXT", "half
// WHAT", and for each commit "begun N" and "committed N".
import Glibc
import Store

/// Returns the bytes that commit `number` leaves at a key; nil: nothing.
func kept(_ number: Int, _ index: Int) -> [UInt8]? {
    guard number > 0, (number + index) % 3 != 0 else { return nil }
    var word = UInt64(number * 64 + index)
    return (0..<(64 << (index % 9)) + number % 5).map { _ in
        word = word &* 6364136223846793005 &+ 1442695040888963407
        return UInt8(truncatingIfNeeded: word >> 56)
    }
}

let keys = 0..<10

func changes(_ number: Int) -> [Change] {
    var changes: [Change] = number % 7 == 0 ? [.removeAll(.state)] : []
    for index in keys {
        changes.append(kept(number, index).map { .put(.state, key: "app \(index)", $0) } ?? .remove(.state, key: "app \(index)"))
    }
    return changes + [.put(.arrangement, key: "number", Array("\(number)".utf8))]
}

func say(_ text: String) {
    let line = text + "\n"
    _ = write(1, line, line.utf8.count)
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let commits = Int(arguments[2]) else {
    say("usage: mullion-store-probe FOLDER COMMITS")
    exit(2)
}
let store = Store(folder: arguments[1], copyInterval: 8)
for notice in store.notices { say("notice \(notice)") }
var number = 0
do throws(StoreError) {
    number = try store.read(.arrangement, key: "number").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    let there = try store.read(.state)
    let expected = keys.compactMap { index in kept(number, index).map { Entry(key: "app \(index)", bytes: $0) } }
    if there != expected { say("half commit \(number)") }
} catch {
    say("half \(error)")
}
say("found \(number)")

for next in number + 1..<number + 1 + commits {
    say("begun \(next)")
    store.commit(changes(next))
    var isDone = false
    while !isDone {
        var item = pollfd(fd: store.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&item, 1, -1)
        for report in store.drain() {
            switch report {
            case .committed:
                say("committed \(next)")
                isDone = true
            case .notice(let notice): say("notice \(notice)")
            case .failed(_, let error):
                say("failed \(error)")
                isDone = true
            case .read, .caughtUp: break
            }
        }
    }
}
store.close()
say("closed")
