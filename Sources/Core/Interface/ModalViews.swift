import Geometry
import Modality
import Stage
import Windows

/// Views that the shell shows for programs (M-05): alerts, action sheets and activity views, over their windows.
extension Views {
    /// All visible ones of a layer, back to front.
    ///
    /// - Parameter isLow: those over windows of the space, below Slide Over; else those over Slide Over, Picture in Picture or the screen.
    func modals(isLow: Bool) -> Canvas {
        var out = canvas()
        guard !interface.modals.isEmpty, interface.overview?.isGone(at: now) ?? true else { return out }
        for (index, modal) in interface.modals.enumerated() {
            guard isLow == (layer(of: modal.content) == .windowViews), let host = host(of: modal.content) else { continue }
            // Only the last view of a line is live (M-08). One over the whole screen stands on every line.
            out.isInert =
                !modal.isOpen
                || interface.modals[(index + 1)...].contains {
                    $0.isOpen && ($0.content.window == nil || $0.content.window == modal.content.window)
                }
            // A finger can pull a card a little above its place.
            let presence = max(0, min(2, modal.presence(at: now)))
            // Below the edge, the shadow of a card still reaches into the screen.
            guard modal.isOpen || presence > 0 else { continue }
            if let sharing = modal.content.sharing {
                addActivity(&out, modal.content, sharing, over: host, presence: presence)
            } else {
                addModal(&out, modal.content, over: host, presence: presence)
            }
            out.opacity = 1
            out.shift = .zero
            out.isInert = false
        }
        return out
    }

    /// The layer of a view for a program.
    public func layer(of view: ModalView) -> ScreenLayer {
        view.window.map { workspace.layer(of: workspace.root(of: $0)) == .space } ?? false ? .windowViews : .views
    }

    /// The rectangle that a view covers; nil while its window is not shown.
    public func host(of view: ModalView) -> Rect? {
        guard let window = view.window else { return screen.bounds }
        guard workspace.isShown(window) else { return nil }
        return stage.frame(of: window, at: now).map(own)
    }

    private struct ModalLayout {
        var panel: Rect
        var title: Rect
        var message: Rect
        /// nil: the view has none, or there is no room.
        var picture: Rect?
        var titleLines: Int
        var messageLines: Int
        /// The button of each choice.
        var buttons: [Rect]

        /// The card of a view that has something marked stands at the top if the mark is behind it at the bottom.
        mutating func moveAway(from mark: Rect, in place: Rect) {
            guard mark.maxY > panel.minY - 8, mark.center.y > place.center.y else { return }
            let way = Vector(0, place.minY + 12 - panel.minY)
            panel = panel.offset(by: way)
            title = title.offset(by: way)
            message = message.offset(by: way)
            buttons = buttons.map { $0.offset(by: way) }
        }
    }

    private func addModal(_ canvas: inout Canvas, _ view: ModalView, over host: Rect, presence: Double) {
        let id = ControlID(.modal, view.id.raw), choices = modalChoices(of: view)
        let mirror = canvas.mirror
        if let mark = view.mark {
            addMark(&canvas, view, mark, over: host, presence: presence)
        } else {
            addBehind(&canvas, view, over: host, presence: presence)
        }
        var layout = layout(view, choices, in: host)
        if let mark = view.mark { layout.moveAway(from: own(mark.frame), in: host.intersection(room)) }
        canvas.mirror = mirror == nil ? nil : layout.panel
        if view.kind == .alert {
            canvas.shift = .zero
        } else {
            slide(&canvas, layout.panel, over: host, presence: presence)
        }
        ground(&canvas, id, .alert, .verbatim(view.title), layout.panel, radius: 18)
        addAsker(&canvas, view, in: layout.panel)
        canvas.text(id.part("title"), .verbatim(view.title), .headline, .primary, layout.title, .center, lines: layout.titleLines)
        if layout.messageLines > 0 {
            canvas.text(
                id.part("message"), .verbatim(view.message), .callout, .secondary, layout.message, .center, lines: layout.messageLines)
            canvas.control(id.part("message"), .label, .verbatim(view.message), layout.message, focusable: false)
        }
        if let picture = view.picture, let rect = layout.picture {
            canvas.add(id.part("picture"), 0, .art(.picture(picture, radius: 10), size: rect.size), rect)
        }
        for (rect, choice) in zip(layout.buttons, choices) {
            let index = choice.number, button = id.part("choice/\(index)")
            let isPreferred = view.preferred == index || choices.count == 1
            canvas.fill(button, isPreferred ? .accent : .control, rect, radius: 12)
            canvas.press(button, rect, radius: 12)
            if view.switches.indices.contains(index) {
                let isOn = view.switches[index], words = Rect(rect.x + 12, rect.y, rect.width - 20 - canvas.toggleRoom, rect.height)
                canvas.text(button, choice.text, .body, .primary, words)
                canvas.toggle(button, isOn: isOn, in: rect)
                canvas.control(button, .toggle, choice.text, rect, press: choice.press, chosen: isOn)
                continue
            }
            if let window = choice.window, let size = workspace[window]?.contentSize, !size.isEmpty {
                let box = Rect(rect.x + 8, rect.y + 4, (rect.height - 8) * 1.5, rect.height - 8)
                addThumbnail(&canvas, button, window, Rect(origin: .zero, size: size), canvas.placed(box.fitting(size)), radius: 4)
                let words = Rect(box.maxX + 12, rect.y, rect.maxX - box.maxX - 20, rect.height)
                canvas.text(button, choice.text, .headline, .primary, words, .leadingMiddle)
                canvas.control(button, .button, choice.text, rect, press: choice.press)
                continue
            }
            let tone: Tone = choice.role == .destructive ? .destructive : isPreferred ? .onAccent : .primary
            canvas.text(
                button, choice.text, .headline, isPreferred && choice.role == .destructive ? .onAccent : tone,
                rect.inset(by: Insets(0, 8, 0, 8)), .center)
            canvas.control(button, .button, choice.text, rect, press: choice.press)
        }
        canvas.mirror = mirror
    }

    /// Adds the name of the asking program, above a line at the top of the card. The program's own words do not appear there.
    func addAsker(_ canvas: inout Canvas, _ view: ModalView, in panel: Rect) {
        guard let asker = view.asker else { return }
        let id = ControlID(.modal, view.id.raw).part("asker"), height = askerHeight(of: view), side = min(scaled(20), height - 12)
        let name: Text = asker.isEmpty ? .message(.someProgram) : self.name(of: asker)
        let icon = Rect(panel.x + 16, panel.y + ((height - side) / 2).rounded(), side, side)
        if asker.isEmpty {
            canvas.symbol(id, .window, .secondary, in: icon, side: side)
        } else {
            canvas.icon(id, self.icon(of: asker), icon, size: side)
        }
        let words = Rect(icon.maxX + 8, panel.y + ((height - line(.callout)) / 2).rounded(), panel.maxX - icon.maxX - 24, line(.callout))
        canvas.text(id, name, .callout, .secondary, words)
        canvas.fill(id, .control, Rect(panel.x, panel.y + height - 1, panel.width, 1))
        canvas.control(id, .label, name, words, focusable: false)
    }

    /// 0 for a view of the shell, which names no asker.
    func askerHeight(of view: ModalView) -> Double { view.asker == nil ? 0 : line(.callout) + 16 }

    /// Dims the area that a view covers.
    func addBehind(_ canvas: inout Canvas, _ view: ModalView, over host: Rect, presence: Double) {
        let id = ControlID(.modal, view.id.raw)
        canvas.opacity = min(1, presence)
        // Windows are not mirrored for right-to-left languages.
        canvas.mirror = nil
        canvas.fill(id.part("scrim"), .scrim, host)
        // A touch beside a view dismisses the view if it can be dismissed; otherwise the view swallows the touch.
        canvas.control(
            id.part("behind"), .panel, .verbatim(view.title), host,
            press: view.kind == .alert ? nil : .dismissView(view.id.raw), focusable: false)
    }

    /// The part of the screen that a person marks lies clear, and the rest is dimmed. Around a point nothing is: its colour counts.
    private func addMark(_ canvas: inout Canvas, _ view: ModalView, _ mark: ModalMark, over host: Rect, presence: Double) {
        let id = ControlID(.modal, view.id.raw).part("mark"), frame = own(mark.frame)
        canvas.opacity = min(1, presence)
        canvas.mirror = nil
        if mark.isPoint {
            let ring = Rect(frame.x - 16, frame.y - 16, 32, 32), around = ring.inset(by: -2)
            canvas.add(id, 0, .art(.outline(.pill, radius: 18, width: 6), size: around.size), around)
            canvas.add(id, 1, .art(.outline(.focus, radius: 16, width: 2), size: ring.size), ring)
        } else {
            let rest = [
                Rect(host.x, host.y, host.width, frame.minY - host.minY), Rect(host.x, frame.maxY, host.width, host.maxY - frame.maxY),
                Rect(host.x, frame.minY, frame.minX - host.minX, frame.height),
                Rect(frame.maxX, frame.minY, host.maxX - frame.maxX, frame.height),
            ]
            for (index, part) in rest.enumerated() where part.width > 0 && part.height > 0 {
                canvas.fill(id.part("rest/\(index)"), .scrim, part)
            }
            let edge = frame.inset(by: -2)
            canvas.add(id, 0, .art(.outline(.focus, radius: 2, width: 2), size: edge.size), edge)
        }
        let name: Text =
            mark.isPoint
            ? .message(.markedPoint, [whole(mark.frame.x), whole(mark.frame.y)])
            : .message(.markedPart, [whole(mark.frame.width), whole(mark.frame.height)])
        canvas.control(id, .label, name, host, drag: .mark(view.id), focusable: false)
    }

    private func whole(_ length: Double) -> String { "\(Int(clamping: length.rounded()))" }

    /// The view slides up and back down (M-14).
    func slide(_ canvas: inout Canvas, _ panel: Rect, over host: Rect, presence: Double) {
        canvas.opacity = 1
        canvas.shift = Vector(0, (1 - presence) * way(of: panel, over: host))
    }

    private func way(of panel: Rect, over host: Rect) -> Double { max(host.maxY, room.maxY) - panel.minY + 8 }

    /// The place of the card of a view, and how far it slides until it is out of sight. nil: an alert, or its window is not
    /// shown.
    public func slidingCard(of view: ModalView) -> (frame: Rect, way: Double)? {
        guard view.kind != .alert, let host = host(of: view) else { return nil }
        let panel =
            view.sharing.map { activityPanel(of: $0, below: askerHeight(of: view), in: host) }
            ?? layout(view, modalChoices(of: view), in: host).panel
        return (onScreen(panel), way(of: panel, over: host) * growth)
    }

    private struct ModalChoice {
        var text: Text
        var role: ModalView.Choice.Role
        var press: Action
        var window: WindowID?
        /// Among the choices that the program named.
        var number = 0
    }

    /// A view without choices gets a button that acknowledges it, and an action sheet whose program names no choice that cancels
    /// gets one that dismisses it (M-09). A choice goes with its window.
    private func modalChoices(of view: ModalView) -> [ModalChoice] {
        let id = view.id.raw
        if view.choices.isEmpty { return [ModalChoice(text: .message(.ok), role: .preferred, press: .chooseView(id, 0))] }
        let named = view.choices.enumerated().filter { $1.window.map { workspace[$0]?.isMapped ?? false } ?? true }.map {
            ModalChoice(text: .verbatim($1.label), role: $1.role, press: .chooseView(id, $0), window: $1.window, number: $0)
        }
        let needsCancel = view.kind == .actionSheet && !view.choices.contains { $0.role == .cancel }
        return needsCancel
            ? named + [ModalChoice(text: .message(.cancel), role: .cancel, press: .dismissView(id), number: view.choices.count)] : named
    }

    /// An alert stands in the middle of its window, an action sheet at its bottom. If large text leaves too little room, the
    /// choices take precedence over the message.
    private func layout(_ view: ModalView, _ choices: [ModalChoice], in host: Rect) -> ModalLayout {
        let place = host.intersection(room)
        var width = max(min(place.width - 24, scaled(view.kind == .alert ? 320 : 400)), 120).rounded()
        // A long message gets a wider card: most of the height is for the message.
        for wider in [480.0, 640]
        where view.kind == .alert
            && Double(Views.lines(view.message, .callout, line(.callout), in: width - 40)) * line(.callout) > place.height * 0.45
        {
            width = max(width, min(place.width - 24, scaled(wider)).rounded())
        }
        let inner = width - 40
        let titleLines = min(3, Views.lines(view.title, .headline, line(.headline), in: inner))
        let wanted = view.message.isEmpty ? 0 : Views.lines(view.message, .callout, line(.callout), in: inner)
        var button = max(44, line(.body) + 20), gap = 8.0
        let isPair = view.kind == .alert && choices.count == 2 && choices.allSatisfy { self.isShort($0.text, in: (width - 32) / 2) }
        var columns = isPair ? 2 : 1
        func buttonsHeight() -> Double {
            let rows = Double((choices.count + columns - 1) / columns)
            return rows * (button + gap) - gap
        }
        let above = askerHeight(of: view) + (view.asker == nil ? 20 : 14)
        let head = above + line(.headline) * Double(titleLines) + 8
        if head + 16 + buttonsHeight() + 12 > place.height - 16 {
            columns = 2
            gap = 4
        }
        if head + 16 + buttonsHeight() + 12 > place.height - 16 { button = 44 }
        let left = place.height - 16 - head - 16 - buttonsHeight() - 12
        let messageLines = max(0, min(wanted, Int(clamping: left / line(.callout))))
        let message = line(.callout) * Double(messageLines)
        // A picture takes the room that the words leave.
        let side = min((inner * 0.625).rounded(), left - message - 12), picture = view.picture == nil || side < 60 ? 0 : side
        let height = head + message + (picture > 0 ? picture + 12 : 0) + 16 + buttonsHeight() + 12
        let y = view.kind == .alert ? (place.center.y - height / 2).rounded() : place.maxY - height - 12
        let panel = Rect((place.center.x - width / 2).rounded(), max(place.minY, y), width, height)
        let title = Rect(panel.x + 20, panel.y + above, inner, line(.headline) * Double(titleLines))
        let body = Rect(panel.x + 20, title.maxY + 8, inner, message)
        let box = picture > 0 ? Rect(panel.x + 20, body.maxY + (message > 0 ? 12 : 0), inner, picture) : nil
        let top = (box?.maxY ?? body.maxY) + 16, cell = (width - 24 - Double(columns - 1) * 8) / Double(columns)
        let buttons = choices.indices.map { index in
            Rect(
                panel.x + 12 + Double(index % columns) * (cell + 8), top + Double(index / columns) * (button + gap), cell, button)
        }
        return ModalLayout(
            panel: panel, title: title, message: body, picture: box, titleLines: titleLines, messageLines: messageLines, buttons: buttons)
    }

    private func isShort(_ text: Text, in width: Double) -> Bool {
        guard case .verbatim(let words) = text else { return true }
        return Views.lines(words, .headline, line(.headline), in: width - 16) == 1
    }

    /// An estimate, because the core does not measure text. East Asian characters are as wide as the font is high; a line of
    /// them can end one character early, because some must not begin a line. Letters differ, so their share is generous.
    static func lines(_ text: String, _ style: TextStyle, _ height: Double, in width: Double) -> Int {
        let em = height * style.size / style.lineHeight, letter = em * (style.isBold ? 0.61 : 0.52)
        var lines = 0
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var length = 0.0, isWide = false
            for scalar in paragraph.unicodeScalars {
                if scalar.value >= 0x1100 { isWide = true }
                length += scalar.value < 0x1100 ? letter : em
            }
            let usable = isWide && length > width ? width - em : width
            lines += max(1, Int(clamping: (length / max(1, usable)).rounded(.up)))
        }
        return lines
    }
}
