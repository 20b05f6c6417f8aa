import Chrome
import Control
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

/// Finds and uses the shell's own controls.
extension ShellUnderTest {
    /// The controls that can be used now.
    func views() throws -> [ViewReport] { try client.ask(.get(.views), for: [ViewReport].self) }

    func find(_ id: String) throws -> ViewReport? { try views().last { $0.id == id } }

    func view(_ id: String) throws -> ViewReport {
        let views = try views()
        guard let view = views.last(where: { $0.id == id }) else {
            throw Failure("there is no control \"\(id)\"; there are \(views.map(\.id).joined(separator: ", "))")
        }
        return view
    }

    func isOpen(_ name: String) throws -> Bool { try state().open.contains(name) }

    /// Waits until it exists and everything is at rest.
    @discardableResult
    func waitForView(_ id: String, within seconds: Double = 10) throws -> ViewReport {
        try wait("the control \"\(id)\"", within: seconds) { try find(id) != nil }
        try settle()
        return try view(id)
    }

    /// The four ways to use a control.
    enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case touch, pointer, keyboard, command

        var testDescription: String { rawValue }
    }

    func operate(_ id: String, by way: Way) throws {
        let view = try view(id)
        switch way {
        case .touch: try tap(view.frame.center)
        case .pointer: try click(view.frame.center)
        case .keyboard:
            try goTo(id)
            try press("Return")
        case .command: try perform(.press(view: ControlID(rawValue: id)))
        }
        try settle()
    }

    /// Moves the keyboard focus there, control by control.
    func goTo(_ id: String) throws {
        for _ in 0..<80 {
            if try view(id).focused { return }
            try press("Tab")
        }
        throw Failure("the Tab key does not come to \"\(id)\"")
    }

    func touch(_ id: String) throws {
        try tap(try view(id).frame.center)
        try settle()
    }

    /// Long-presses it.
    func hold(_ id: String, milliseconds: Double = 750) throws {
        try client.input(.tap(at: try view(id).frame.center, hold: milliseconds))
        try settle()
    }

    /// The picture of the control, in pixels of the screen.
    func pixels(of view: ViewReport) throws -> Picture {
        let scale = try state().screen?.scale ?? 1
        return try picture().cropped(
            to: Rect(
                view.frame.x * scale, view.frame.y * scale, view.frame.width * scale, view.frame.height * scale))
    }

    /// Checks that everything is at rest, and every visible window is where it should be.
    func expectInOrder() throws {
        try settle()
        let state = try state()
        guard !state.open.contains("switcher"), !state.open.contains("expose"), !state.home else { return }
        for window in state.windows where window.shown {
            guard let frame = window.frame, let shown = window.shownFrame, frame.isNear(shown) else {
                throw Failure("\(window.appID) is not in its place: \(window)")
            }
        }
    }

    /// The same, and none of the shell's views is open.
    func expectNothingOpen() throws {
        try expectInOrder()
        let state = try state()
        if state.open != [] || state.moving { throw Failure("left behind: \(state.open), moving: \(state.moving)") }
    }

    func windows(of app: String) throws -> [WindowReport] { try state().windows.filter { $0.app == app && $0.place != .unmapped } }
}

extension Picture {
    /// The share of pixels with roughly this colour.
    func share(of hex: UInt32, tolerance: Int = 24) -> Double {
        let wanted = Pixel(hex)
        guard !pixels.isEmpty else { return 0 }
        return Double(pixels.count { Pixel(raw: $0).distance(to: wanted) <= tolerance }) / Double(pixels.count)
    }
}
