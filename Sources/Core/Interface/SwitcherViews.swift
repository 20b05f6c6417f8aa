import Geometry
import Stage
import Windows

/// Apps, or the windows of an app, in turn: a key steps through them while Super is held, and its release chooses (W-25).
public struct Switcher: Hashable, Codable, Sendable {
    /// For apps, the window of each that was used last.
    public var windows: [WindowID]
    public var index: Int
    /// Whether it shows the windows of one app.
    public var isOfWindows: Bool
    /// Whether the release of Super chooses.
    public var isHeld: Bool
    /// Whether it is drawn. A short press of the keys switches without a view.
    public var isSeen: Bool

    public init(windows: [WindowID], index: Int, isOfWindows: Bool, isHeld: Bool) {
        self.windows = windows
        self.index = index
        self.isOfWindows = isOfWindows
        self.isHeld = isHeld
        isSeen = !isHeld
    }

    public var chosen: WindowID? { windows.indices.contains(index) ? windows[index] : nil }

    /// The next or the previous one, from the last to the first again.
    public mutating func step(_ way: Int) {
        guard !windows.isEmpty else { return }
        index = ((index + way) % windows.count + windows.count) % windows.count
    }

    /// Leaves out windows that are gone.
    public mutating func keep(_ isThere: (WindowID) -> Bool) {
        let chosen = self.chosen
        windows.removeAll { !isThere($0) }
        index = chosen.flatMap { windows.firstIndex(of: $0) } ?? min(index, max(0, windows.count - 1))
    }
}

extension Views {
    func addSwitcher(_ canvas: inout Canvas, _ switcher: Switcher) {
        guard switcher.isSeen, !switcher.windows.isEmpty else { return }
        canvas.shift = .zero
        let cell = switcher.isOfWindows ? Size(176, 116) : Size(96, 96), padding = 12.0
        let fitting = max(1, Int(clamping: (room.width - 48 - 2 * padding) / cell.width))
        // Of more than fit, those around the chosen one are shown.
        let count = min(fitting, switcher.windows.count)
        let first = max(0, min(switcher.index - count / 2, switcher.windows.count - count))
        let name = line(.headline) + 12
        let size = Size(Double(count) * cell.width + 2 * padding, cell.height + 2 * padding + name)
        let panel = kept(
            Rect((room.center.x - size.width / 2).rounded(), (room.center.y - size.height / 2).rounded(), size.width, size.height))
        ground(&canvas, "switch", .panel, .message(.appSwitcher), panel, radius: 20, shadow: 0.2)
        let names = WindowNames(workspace)
        for (place, index) in (first..<first + count).enumerated() {
            let window = switcher.windows[index], isChosen = index == switcher.index
            let rect = Rect(panel.x + padding + Double(place) * cell.width, panel.y + padding, cell.width, cell.height)
            let id = ControlID(.switching, index), key = rect.inset(by: 4)
            if isChosen { canvas.fill(id, part: 9, .control, key, radius: 12) }
            canvas.press(id, key, radius: 12)
            let app = workspace[window]?.app ?? ""
            if switcher.isOfWindows {
                let picture = rect.inset(by: 14)
                let size = workspace[window]?.contentSize ?? picture.size
                addThumbnail(
                    &canvas, id, window, Rect(origin: .zero, size: size), canvas.placed(size.isEmpty ? picture : picture.fitting(size)),
                    radius: 6)
            } else {
                canvas.icon(id, icon(of: app), Rect(center: rect.center, size: Size(64, 64)))
            }
            let title = workspace[window]?.facts.title ?? ""
            let text: Text =
                switcher.isOfWindows && !title.isEmpty
                ? .verbatim(title) : app.isEmpty ? .verbatim(workspace.appName(of: window)) : self.name(of: app)
            let said: Text = switcher.isOfWindows ? .verbatim(names.title(of: window)) : text
            canvas.control(
                id, .button, said, key, press: switcher.isOfWindows || app.isEmpty ? .focus(window: window) : .openApp(app: app),
                target: rect, chosen: isChosen, focusRadius: 12)
            if isChosen {
                let box = Rect(panel.x + padding, rect.maxY + 4, panel.width - 2 * padding, line(.headline))
                canvas.text("switch/name", text, .headline, .primary, box, .center)
            }
        }
    }
}
