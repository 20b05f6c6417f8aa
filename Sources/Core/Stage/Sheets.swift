import Geometry
import OrderedCollections
import Windows

/// Sheets: dialogs that slide up over their window and down again (M-02, M-03, M-14).
extension Stage {
    /// Which way a dialog stands on its window; nil if it is none.
    public func presentation(of id: WindowID) -> WindowHints.Presentation? { shown[id]?.presentation }

    /// Whether a person pulls it by the grip of a sheet. A dialog that covers its window uses the window's grip.
    public func isPulled(_ id: WindowID) -> Bool { isSheet(id) && !(presentation(of: id)?.isCovering ?? false) }

    /// Whether it has a grip. A popover has none: it goes by a touch elsewhere. A Slide Over card has its own strips.
    public func hasGrip(_ id: WindowID, _ workspace: Workspace) -> Bool {
        switch presentation(of: id) {
        case .popover: false
        case .fullScreen, .currentContext: workspace.idiom.dressing == .dots && shown[id]?.level != .slideOver
        // The dots would cover the title of a dialog that is a window with a title bar, which closes it.
        case .sheet, nil: workspace.modality == .sheets || workspace.idiom.dressing != .titleBar
        }
    }

    /// A popover that a person dismissed fades where it is, with the views on it.
    func isFading(_ id: WindowID, _ workspace: Workspace, _ lines: ModalLines) -> Bool {
        workspace.hiddenBase(of: id, lines).map { workspace.isPopover($0, lines) } ?? false
    }

    func arrow(
        of id: WindowID, _ presentation: WindowHints.Presentation?, _ workspace: Workspace, _ parts: [WindowID: Rect],
        _ lines: ModalLines
    ) -> PopoverArrow? {
        guard presentation == .popover, let parent = workspace[id]?.facts.parent, let over = workspace.frame(of: parent, parts),
            let place = workspace.frame(of: workspace.root(of: id, lines), parts)
        else { return nil }
        return workspace.popoverArrow(of: id, over: over, in: place, lines)
    }

    /// The rim of a popover, with the arrow to its item. As light or dark as the app's picture in it (M-13).
    func addPopover(_ id: WindowID, _ shown: Shown, _ frame: Rect, _ opacity: Double, to items: inout [Item]) {
        let rim = frame.inset(by: -Stage.popoverRim), card = look(of: id).card
        items.append(Item(.shadow, id, .shadow(blur: Stage.shadowBlur), rim, radius: 14, opacity: opacity * Stage.shadowOpacity))
        items.append(Item(.card, id, .fill(card), rim, radius: 14, opacity: opacity))
        guard let arrow = shown.arrow, !shown.place.isEmpty else { return }
        let tip = frame.map(arrow.tip, from: shown.place), long = 10.0, wide = 24.0
        let box: Rect
        switch arrow.side {
        case .top, .bottom:
            let x = max(rim.minX + 12, min(rim.maxX - 12 - wide, tip.x - wide / 2))
            box = Rect(x, arrow.side == .top ? rim.minY - long : rim.maxY, wide, long)
        case .left, .right:
            let y = max(rim.minY + 12, min(rim.maxY - 12 - wide, tip.y - wide / 2))
            box = Rect(arrow.side == .left ? rim.minX - long : rim.maxX, y, long, wide)
        }
        items.append(Item(.popoverArrow, id, .art(.arrow(arrow.side, card), size: box.size), box, opacity: opacity))
    }

    public static let popoverRim = 5.0

    /// An invisible line in a popover, where the adapter measures how light or dark its app draws (M-13). A sheet has a visible one.
    func addPopoverRule(_ id: WindowID, _ frame: Rect, _ opacity: Double, to items: inout [Item]) {
        guard shown[id]?.presentation == .popover, frame.width > 64, frame.height > 8, shown[id]?.place.size == frame.size else { return }
        items.append(
            Item(
                .popoverRule, id, .fill(look(of: id).rule), Rect(frame.x + 16, frame.y + 2, frame.width - 32, 2),
                opacity: opacity * Stage.unseen))
    }

    /// Less than one step of a colour.
    private static let unseen = 0.001

    /// The paints of the shell's decorations around an app's content: as light or dark as the content (M-13).
    private func look(of id: WindowID) -> (card: Paint, rule: Paint, text: Tone, symbol: Tone) {
        switch bars.isOnLight(id) {
        case true?: (.cardOnLight, .separatorOnLight, .onLight, .onLight)
        case false?: (.cardOnDark, .separatorOnDark, .onDark, .onDark)
        case nil: (.card, .separator, .primary, .secondary)
        }
    }

    /// Whether a window is drawn on another one.
    public func isSheet(_ id: WindowID) -> Bool { read(id) { $0.base != nil } ?? false }

    /// The frame of a window with the bar that the shell draws above it: of a sheet, or of a freely stacked window. Its own frame if it
    /// has no bar.
    public func sheetCard(of id: WindowID, _ frame: Rect, _ workspace: Workspace) -> Rect {
        let bar = workspace.bar(of: id)
        guard bar > 0, let place = shown[id]?.place, place.height > 0 else { return frame }
        let height = bar * frame.height / place.height
        return Rect(frame.x, frame.y - height, frame.width, frame.height + height)
    }

    /// A control on the bar that the shell draws above a window.
    public enum BarControl: String, CaseIterable, Sendable {
        case close, minimize, zoom

        var symbol: Symbol {
            switch self {
            case .close: .close
            case .minimize: .minimize
            case .zoom: .fullScreen
            }
        }
    }

    /// The controls on the bar of a window whose content has this frame: at the end of a sheet's bar, and at the beginning of the
    /// bar of a freely stacked window.
    func barControls(of id: WindowID, _ frame: Rect, _ workspace: Workspace) -> [(control: BarControl, frame: Rect)] {
        if let measures = workspace.idiom.depth, let bar = spaceBar(of: id, frame, workspace) { return spaceControls(bar, measures) }
        let card = sheetCard(of: id, frame, workspace), bar = card.height - frame.height
        guard bar > 0 else { return [] }
        let controls: [(control: BarControl, frame: Rect)] =
            workspace.isFree(id)
            ? BarControl.allCases.enumerated().map { ($0.element, Rect(card.minX + Double($0.offset) * bar, card.minY, bar, bar)) }
                .filter { $0.1.maxX <= card.maxX - bar }
            : [(.close, Rect(card.maxX - bar, card.minY, bar, bar))]
        return mirrored(controls, in: card)
    }

    /// The same controls in the places for people who read from right to left.
    func mirrored(_ controls: [(control: BarControl, frame: Rect)], in bar: Rect) -> [(control: BarControl, frame: Rect)] {
        guard mirrorsBars == true else { return controls }
        return controls.map { ($0.control, Rect(bar.minX + bar.maxX - $0.frame.maxX, $0.frame.y, $0.frame.width, $0.frame.height)) }
    }

    /// The same, where the window is shown now.
    public func barControls(of id: WindowID, _ workspace: Workspace, at now: Moment) -> [(control: BarControl, frame: Rect)] {
        frame(of: id, at: now).map { barControls(of: id, $0, workspace) } ?? []
    }

    /// Its bar, below its content: a card, the title and the controls.
    func addBar(_ window: Window, _ frame: Rect, _ opacity: Double, _ workspace: Workspace, to items: inout [Item]) {
        let id = window.id, card = sheetCard(of: id, frame, workspace), bar = card.height - frame.height
        guard bar > 0 else { return }
        let look = look(of: id), controls = barControls(of: id, frame, workspace)
        // The window with the keys has coloured controls, the front window of another app grey ones, and the rest look farther away (W-25).
        let stance = workspace.isFree(id) ? stance(of: id, workspace) : nil
        let isWeak = stance == .inactive, isKey = stance == .key
        items.append(
            Item(
                .card, id, .fill(look.card), card, radius: shown[id]?.base == nil && workspace.tile(of: id) != nil ? 0 : 10,
                opacity: opacity))
        // A carried sheet is too small for text.
        guard shown[id]?.place.size == frame.size else { return }
        let side = max(bar, bar * Double(controls.count)), isLow = !isPulled(id) && shown[id]?.base != nil
        let title = Rect(card.x + side, card.y + ((bar - 20) / 2).rounded() + (isLow ? 6 : 0), max(0, card.width - 2 * side), 20)
        if title.width > 20, !window.facts.title.isEmpty {
            items.append(
                Item(
                    .sheetTitle, id, .art(.text(.verbatim(window.facts.title), .headline, look.text, .center, lines: 1), size: title.size),
                    title,
                    opacity: isWeak ? opacity * 0.55 : opacity))
        }
        let size = stance == nil ? Size(18, 18) * min(1, bar / 40) : Size(12, 12) * min(1, bar / 32)
        for (control, frame) in controls {
            let part: Item.Part =
                switch control {
                case .close: .sheetClose
                case .minimize: .barMinimize
                case .zoom: .barZoom
                }
            if stance != nil {
                let disc = Rect(center: frame.center, size: Size(20, 20) * min(1, bar / 32))
                let paint: Paint = !isKey ? look.rule : control == .close ? .badge : .accent
                items.append(Item(part.disc, id, .fill(paint), disc, radius: disc.height / 2, opacity: opacity * (isWeak ? 0.6 : 1)))
            }
            items.append(
                Item(
                    part, id, .art(.symbol(control.symbol, isKey ? .onAccent : look.symbol), size: size.rounded),
                    Rect(center: frame.center, size: size.rounded),
                    opacity: isWeak ? opacity * 0.55 : opacity))
        }
    }

    /// How a freely stacked window stands to the others (W-25).
    enum Stance {
        /// It has the keys.
        case key
        /// It is the front window of an app without the keys.
        case main
        case inactive
    }

    func stance(of id: WindowID, _ workspace: Workspace) -> Stance {
        if workspace.focus.map({ workspace.root(of: $0) }) == id { return .key }
        return workspace.isMain(id) ? .main : .inactive
    }

    /// The line between the bar and the content. The picture beside its ends shows how light the app is there,
    /// but not while the sheet is dimmed.
    func addBarRule(_ window: Window, _ frame: Rect, _ opacity: Double, _ workspace: Workspace, isDimmed: Bool, to items: inout [Item]) {
        guard workspace.bar(of: window.id) > 0, frame.width > 64, frame.height > 8, shown[window.id]?.place.size == frame.size else {
            return
        }
        items.append(
            Item(
                isDimmed ? .dimmedSheetRule : .sheetRule, window.id, .fill(look(of: window.id).rule),
                Rect(frame.x + 16, frame.y, frame.width - 32, 2), opacity: opacity))
    }

    /// A window that covers the content beside a line decides what is drawn there, and says nothing of the app (M-13). The line then
    /// counts for nothing, and the bar keeps the tone of its own app.
    func leaveCoveredRules(_ items: inout [Item]) {
        for index in items.indices where items[index].key.part == .sheetRule {
            let rule = items[index], beside = rule.frame.inset(by: Insets(0, -16, -8, -16))
            let isCovered = items[(index + 1)...].contains { above in
                guard let window = above.key.window, window != rule.key.window, above.opacity > 0.5 else { return false }
                return [.window, .card, .letterbox].contains(above.key.part) && (above.clip ?? above.frame).intersects(beside)
            }
            guard isCovered, let window = rule.key.window else { continue }
            items[index] = Item(.dimmedSheetRule, window, rule.kind, rule.frame, opacity: rule.opacity)
        }
    }

    /// The target of a finger on the bar of a sheet.
    func barHit(_ point: Point, _ id: WindowID, _ frame: Rect, _ workspace: Workspace) -> Hit? {
        let card = sheetCard(of: id, frame, workspace), bar = card.height - frame.height
        guard bar > 0, card.contains(point), point.y < frame.minY else { return nil }
        if workspace.blocker(of: id) != nil { return .inert(id) }
        if let control = barControls(of: id, frame, workspace).first(where: { $0.frame.contains(point) })?.control {
            return .view(ControlID(.sheet, "\(id.raw)/\(control.rawValue)"))
        }
        return .window(id, .grip)
    }

    /// How far a sheet has slid in: 0 below the screen, 1 in its place.
    func presence(of sheet: WindowID, _ screen: Screen, at now: Moment) -> Double {
        guard let shown = shown[sheet] else { return 0 }
        let y = shown.frame.y.value(at: now), way = Stage.below(screen, shown.place).y - shown.place.y
        return way > 0 ? max(0, min(1, 1 - (y - shown.place.y) / way)) * max(0, min(1, shown.opacity.value(at: now))) : 1
    }

    /// A finger takes a sheet and everything on it.
    public mutating func takeSheet(_ id: WindowID, _ workspace: Workspace, at now: Moment) -> Rect? {
        guard let frame = frame(of: id, at: now) else { return nil }
        held.append(id)
        for index in indices(of: id, workspace) {
            shown.values[index].frame.stop(at: now)
            shown.values[index].pace = nil
            shown.values[index].catching = nil
        }
        return frame
    }

    /// The sheet and everything on it catch up by this spring with a finger that has moved already.
    public mutating func catchUp(sheet id: WindowID, _ workspace: Workspace, by spring: Spring) {
        guard held.contains(id) else { return }
        for index in indices(of: id, workspace) { shown.values[index].catching = spring }
    }

    /// The finger holds the sheet this many points below its place.
    public mutating func holdSheet(_ id: WindowID, down way: Double, _ workspace: Workspace, at now: Moment) {
        guard held.contains(id) else { return }
        for index in indices(of: id, workspace) {
            let place = shown.values[index].place
            shown.values[index].follow(place.offset(by: Vector(0, way)), at: now)
        }
    }

    /// The finger lets go. Everything on the sheet keeps its speed, too.
    public mutating func letGoOfSheet(_ id: WindowID, _ workspace: Workspace, at now: Moment) {
        for index in indices(of: id, workspace) where shown.keys[index] != id { shown.values[index].release(at: now) }
        letGo(id, at: now)
    }

    private func indices(of sheet: WindowID, _ workspace: Workspace) -> [Int] {
        shown.keys.indices.filter { workspace.stands(shown.keys[$0], on: sheet) }
    }

    /// Shows that a sheet has to be answered first: it jumps a little, and falls back.
    public mutating func nudge(_ id: WindowID, _ workspace: Workspace, at now: Moment, spring: Spring) {
        guard spring.response > 0, !workspace.isPopover(id), !held.contains(id), !workspace.sinking.contains(id) else { return }
        for index in indices(of: id, workspace) {
            let place = shown.values[index].frame.target
            shown.values[index].frame.retarget(
                place, at: now, spring: Spring(response: spring.response, damping: 0.5),
                velocity: Vector(0, -workspace.idiom.gestures.sheetNudge))
        }
    }
}
