import Geometry
import Multitasking
import Windows

/// Measures the home screen with 5,000 icons, and the first frames of the control centre and the settings: the core alone, without drawing.
public enum HomeBench {
    public struct Result: Sendable {
        public var name: String
        /// The median of the time for one frame or one letter.
        public var milliseconds: Double
        public var target: Double
    }

    public static func run(icons: Int = 5000) -> [Result] {
        var out: [Result] = []
        var system = System(idiom: .pad), now = Moment.milliseconds(1000)
        func send(_ event: Event) {
            _ = system.handle(event, at: now)
            now = now + 0.016
        }
        func measure(_ name: String, target: Double, before: () -> Void = {}, _ body: () -> Void) {
            let clock = ContinuousClock()
            let times = (0..<25).map { _ in
                before()
                let start = clock.now
                body()
                let took = start.duration(to: clock.now)
                return Double(took.components.attoseconds) * 1e-15 + Double(took.components.seconds) * 1e3
            }
            out.append(Result(name: name, milliseconds: times.sorted()[times.count / 2], target: target))
        }
        func frame() { _ = system.items(at: now) }
        func open(_ name: String, _ action: Action) {
            measure("first frames of \(name)", target: 8) {
                send(.action(action))
                frame()
                send(.action(.home))
                now = now + 2
                _ = system.isMoving(at: now)
            }
        }
        send(.screenChanged(Screen(size: Size(1180, 820))))
        let names = ["Éditeur de Texte", "문서 편집기", "テキスト エディター", "Text Editor"]
        let apps = (0..<icons).map {
            App(
                id: "org.example.App\($0)", name: "\(names[$0 % 4]) \($0)", keywords: ["editor", "text", "document", "write"],
                command: ["true"])
        }
        open("the control centre", .controlCentre)
        open("the settings", .controlPage(.settings))
        send(.appsChanged(apps))
        measure("a frame of \(icons) icons", target: 8) {
            now = now + 0.016
            frame()
        }
        for text in ["t", "te", "편", "zzz"] {
            measure("a search of \(icons) icons for \(text)", target: 16, before: { send(.action(.search(text: ""))) }) {
                send(.action(.search(text: text)))
                frame()
            }
        }
        open("the control centre, \(icons) icons", .controlCentre)
        open("the settings, \(icons) icons", .controlPage(.settings))
        return out
    }
}
