import Geometry
import Locking
import MullionTesting
import Status
import Windows

extension CoreWorld {
    /// A view of the greeter, by the name that `CutTests` gives it.
    mutating func greet(_ name: String) {
        send(.status(.ends(MachineEnd.allCases)))
        send(.lockScreen(.greeter(.begins)))
        if name == "greeter begins" { return }
        let people = [GreeterPerson(name: "ann", title: "Ann"), GreeterPerson(name: "ben", title: "Ben")]
        let sessions = ["mullion", "other"].map { GreeterSession(id: $0, title: "S", command: [$0]) }
        send(.lockScreen(.greeter(.found(GreeterFacts(people: people, sessions: sessions, hasReader: true)))))
        if let page = GreetPage.allCases.first(where: { name == "greeter \($0.rawValue)" }), page != .people {
            press(ControlID(.lock, "greeter/\(page.rawValue)"))
        }
        if name == "greeter name" { press("lock/greeter/other") }
        guard ["greeter broken", "greeter starts", "greeter slow"].contains(name) else { return }
        press("lock/greeter/person/ann")
        let end: TalkEnd = name == "greeter broken" ? .broken("dead") : .allowed
        send(.lockScreen(.talk(system.lockScreen.lastNumber, .ends(end))))
        if name == "greeter slow" { wait(9000) }
    }

    private mutating func press(_ id: ControlID) {
        guard let control = system.controls(at: now).last(where: { $0.id == id }) else { return }
        send(.lockScreen(.input(.down(1, at: control.frame.center))))
        send(.lockScreen(.input(.up(1))))
    }
}
