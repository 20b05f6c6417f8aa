import Geometry
import Locking
import Stage
import Windows

/// The greeter on the lock screen of the shell: the people, and in their place the sessions, the aids and the ends of the machine's work.
extension Views {
    var greeter: Greeter { lock.greeter }
    /// Whether a page of the greeter stands in the place of the clock's page and the field.
    var isGreeterPage: Bool { lock.screen.showsEnds || greeter.isOn && (!lock.screen.isOpen || lockPage != .people) }
    /// The lock screen of a session has the ends of the machine's work alone.
    private var lockPage: GreetPage { greeter.isOn ? greeter.page : .power }

    /// A line of a page.
    struct GreeterRow {
        var id: String
        var text: Text
        var detail: Text?
        var symbol: Symbol?
        /// A person, with a picture.
        var person: GreeterPerson?
        var tone = Tone.primary
        /// nil: nothing to choose or switch.
        var isOn: Bool?
        var isSwitch = false
        var press: LockAct?
    }

    var greeterRows: [GreeterRow] {
        guard greeter.starting == nil else { return [] }
        switch lockPage {
        case .people:
            guard let facts = greeter.facts else { return [] }
            let other = GreeterRow(id: "other", text: .message(.otherPerson), symbol: .add, press: .greet(.other))
            return facts.people.map {
                GreeterRow(id: "person/\($0.name)", text: .verbatim($0.title), person: $0, press: .greet(.person($0.name)))
            } + [other]
        case .sessions:
            return greeter.sessions.map {
                GreeterRow(
                    id: "session/\($0.id)", text: .verbatim($0.title), symbol: .desktop, isOn: $0.id == greeter.session?.id,
                    press: .greet(.session($0.id)))
            }
        case .aids: return aidRows
        case .power:
            return status.ends.map { end in
                let press: LockAct = greeter.isOn ? .greet(.end(end)) : .end(end)
                return switch end {
                case .suspend: GreeterRow(id: "suspend", text: .message(.suspend), symbol: .moon, press: press)
                case .update: GreeterRow(id: "update", text: .message(.updateAndRestart), symbol: .rotate, press: press)
                case .restart: GreeterRow(id: "restart", text: .message(.restartNow), symbol: .rotate, press: press)
                case .turnOff:
                    GreeterRow(id: "turn-off", text: .message(.turnOffNow), symbol: .power, tone: .destructive, press: press)
                }
            }
        }
    }

    private var aidRows: [GreeterRow] {
        var rows = [
            GreeterRow(
                id: "text-size", text: .message(.textSize), detail: .verbatim("\(Int(clamping: (appearance.textScale * 100).rounded())) %"),
                symbol: .textSize, press: .greet(.textSize)),
            GreeterRow(
                id: "contrast", text: .message(.increasedContrast), symbol: .sun, isOn: appearance.increasedContrast, isSwitch: true,
                press: .greet(.contrast)),
        ]
        if greeter.facts?.hasReader ?? false {
            rows.append(
                GreeterRow(
                    id: "reader", text: .message(.screenReader), symbol: .speaker, isOn: greeter.isReading, isSwitch: true,
                    press: .greet(.reader)))
        }
        rows.append(
            GreeterRow(
                id: "keys", text: .message(.keysOnScreen), symbol: .keyboard, isOn: facts.lock.keys == .letters, isSwitch: true,
                press: .greet(.keys)))
        if facts.keyboards.count > 1, facts.keyboards.indices.contains(lock.screen.layout) {
            rows.append(
                GreeterRow(
                    id: "layout", text: .message(.keyboardLayouts), detail: .verbatim(facts.keyboards[lock.screen.layout].name),
                    symbol: .keyboard, press: .nextLayout))
        }
        return rows
    }

    // MARK: Places

    private var isTinyGreeter: Bool { room.width < 280 }
    private var greeterRowHeight: Double {
        isTinyGreeter ? max(touch, line(.headline) + 12) : max(60, line(.headline) + line(.caption) + 20)
    }
    private var greeterGap: Double { isTinyGreeter ? 4 : 8 }
    private var footHeight: Double { max(touch, line(.callout) + 16) }
    /// On the pages behind the people stand a way back and a title.
    private var greeterHead: Double { lockPage == .people ? 0 : max(touch, line(.title)) + 4 }

    /// Where the rows are, and where the clock begins; the clock goes where they need its room.
    private var greeterPlan: (list: Rect, clock: Double?) {
        let bar = room.y + lockBarHeight
        guard lockPage == .people else {
            let top = (workspace.idiom.round == nil ? bar : room.y + 8) + greeterHead
            return (Rect(room.x, top, room.width, room.maxY - top), nil)
        }
        let bottom = room.maxY - footHeight - (isTinyGreeter ? 8 : 20) - troubleHeight
        var probe = canvas()
        let clock = addLockClock(&probe, below: bar, above: bottom),
            needed = min(2.2, Double(greeterRows.count)) * (greeterRowHeight + greeterGap)
        guard clock == bar || bottom - clock < needed else { return (Rect(room.x, clock, room.width, bottom - clock), bar) }
        return (Rect(room.x, bar, room.width, bottom - bar), nil)
    }

    private var greeterLength: Double { Double(greeterRows.count) * (greeterRowHeight + greeterGap) + greeterGap }

    /// As `lockList`, for the rows of the greeter.
    var greeterList: (window: Rect, length: Double)? {
        guard !greeterRows.isEmpty else { return nil }
        let window = greeterPlan.list
        return window.height > 0 ? (window, max(0, greeterLength - window.height)) : nil
    }

    private func greeterRect(_ index: Int, in window: Rect) -> Rect {
        let width = min(window.width - (isTinyGreeter ? 8 : 32), scaled(420)), spare = max(0, window.height - greeterLength)
        // Short lists stand a little above the middle.
        let first = window.minY + greeterGap + (spare * 0.3).rounded()
        return Rect(
            (window.center.x - width / 2).rounded(), first + Double(index) * (greeterRowHeight + greeterGap) - lock.scroll, width,
            greeterRowHeight)
    }

    // MARK: Keys

    private func greeterID(_ row: GreeterRow) -> ControlID { ControlID(.lock, "greeter/\(row.id)") }

    /// Where the focus begins on a page: at what holds now, or the first row.
    public var greeterFirst: ControlID? {
        guard isGreeterPage else { return nil }
        let rows = greeterRows
        if lockPage == .people, let front = greeter.front { return ControlID(.lock, "greeter/person/\(front.name)") }
        return (rows.first { $0.isOn ?? false && !$0.isSwitch } ?? rows.first).map(greeterID)
    }

    /// The next row of the list, and how far the list has to scroll to show it whole.
    public func greeterRow(after id: ControlID, step: Int) -> (id: ControlID, way: Double)? {
        guard isGreeterPage, let list = greeterList else { return nil }
        let rows = greeterRows
        guard let here = rows.firstIndex(where: { greeterID($0) == id }), rows.indices.contains(here + step) else { return nil }
        let rect = greeterRect(here + step, in: list.window).inset(by: -greeterGap)
        let way = rect.minY < list.window.minY ? rect.minY - list.window.minY : max(0, rect.maxY - list.window.maxY)
        return (greeterID(rows[here + step]), way)
    }

    // MARK: The page

    func addGreeter(_ out: inout Canvas) {
        if greeter.starting != nil { return addStarting(&out) }
        let plan = greeterPlan
        if let top = plan.clock { _ = addLockClock(&out, below: top, above: plan.list.maxY) }
        let rows = greeterRows
        let before = out.window
        out.window = out.placed(plan.list)
        for (index, row) in rows.enumerated() { addGreeterRow(&out, row, greeterRect(index, in: plan.list), plan.list) }
        out.window = before
        if lockPage == .people { addGreeterFoot(&out) } else { addGreeterHead(&out, above: plan.list) }
        if lock.screen.isHeldUp { addLockWords(&out, .message(.heldUpBehindLock)) }
    }

    private func addGreeterRow(_ out: inout Canvas, _ row: GreeterRow, _ rect: Rect, _ window: Rect) {
        guard rect.maxY > window.minY, rect.minY < window.maxY else { return }
        let id = greeterID(row), side = isTinyGreeter ? min(28, rect.height - 8) : 40.0, radius = min(18, rect.height / 2)
        out.fill(id, .panel, rect, radius: radius)
        out.press(id, rect, radius: radius)
        let sign = Rect(rect.x + (isTinyGreeter ? 8 : 12), rect.center.y - side / 2, side, side)
        if let person = row.person {
            addFace(&out, id, person, sign)
        } else if let symbol = row.symbol {
            out.symbol(id, symbol, row.tone == .primary ? .secondary : row.tone, in: sign, side: 22)
        }
        var end = rect.maxX - 12
        // On a watch a word has the room of the switch.
        let isSwitch = row.isSwitch && !isTinyGreeter
        if isSwitch {
            end -= out.toggleRoom
        } else if row.isOn ?? false {
            out.symbol(id, part: 6, .check, .accent, in: Rect(end - 24, rect.y, 24, rect.height), side: 18)
            end -= 30
        }
        let left = sign.maxX + (isTinyGreeter ? 8 : 12), width = end - left
        if let detail = row.detail {
            let top = rect.center.y - (line(.headline) + line(.caption)) / 2
            out.text(id, row.text, .headline, row.tone, Rect(left, top, width, line(.headline)))
            out.text(id, part: 5, detail, .caption, .secondary, Rect(left, top + line(.headline), width, line(.caption)))
        } else {
            // A long word stands in two lines where the row has room for them.
            let lines = rect.height >= 2 * line(.headline) ? 2 : 1
            out.text(
                id, row.text, .headline, row.tone, Rect(left, rect.y, width, rect.height).inset(by: Insets(2, 0, 2, 0)), .leadingMiddle,
                lines: lines)
        }
        if isSwitch { out.toggle(id, isOn: row.isOn ?? false, in: rect) }
        let spoken: Text = row.detail.map { .list([row.text, $0], ", ") } ?? row.text
        out.control(
            id, row.isSwitch ? .toggle : .button, spoken, rect, press: row.press.map { .lockScreen($0) }, chosen: row.isOn ?? false,
            focusRadius: radius)
    }

    /// The picture of a person, over the initials, which show as long as there is none.
    func addFace(_ out: inout Canvas, _ id: ControlID, _ person: GreeterPerson, _ rect: Rect) {
        let style: TextStyle = rect.width > 60 ? .largeTitle : .headline
        out.fill(id, part: 7, .accent, rect, radius: rect.width / 2)
        let initial = Text.verbatim(person.title.prefix(1).uppercased()), shrunk = min(1, rect.height * 0.7 / line(style))
        let place = Rect(rect.x, rect.center.y - line(style) * shrunk / 2, rect.width, line(style) * shrunk)
        out.text(id, part: 9, initial, style, .onAccent, place, .center, shrunk: shrunk)
        if let picture = person.picture { out.add(id, 8, .art(.picture(picture, radius: rect.width / 2), size: rect.size), rect) }
    }

    private var troubleHeight: Double { greeter.trouble == nil && greeter.facts != nil ? 0 : line(.callout) * (isTinyGreeter ? 1 : 2) + 4 }

    /// The session to start, the aids, and the end of the machine's work.
    private func addGreeterFoot(_ out: inout Canvas) {
        let height = footHeight, y = room.maxY - height - (isTinyGreeter ? 4 : 12)
        let buttons = greeterButtons(width: room.width - (isTinyGreeter ? 8 : 24))
        addGreeterButtons(&out, buttons, Rect(room.center.x - buttons.width / 2, y, buttons.width, height), onWallpaper: false)
        let words: Text? = greeter.trouble.map { .message(.notStarted, [$0]) } ?? (greeter.facts == nil ? .message(.readingPeople) : nil)
        guard let words else { return }
        let width = min(room.width - 24, scaled(420)), rect = Rect(room.center.x - width / 2, y - troubleHeight, width, troubleHeight - 4)
        out.text("lock/words", words, .callout, .onWallpaper, rect, .center, lines: isTinyGreeter ? 1 : 2)
        out.control("lock/words", .label, words, rect, focusable: false, hittable: false)
    }

    /// Words at the lower edge.
    private func addLockWords(_ out: inout Canvas, _ words: Text) {
        let width = min(room.width - 24, scaled(420)), height = line(.callout) * 3
        let rect = Rect((room.center.x - width / 2).rounded(), room.maxY - height - 8, width, height)
        out.text("lock/words", words, .callout, .onWallpaper, rect, .center, lines: 3)
        out.control("lock/words", .label, words, rect, focusable: false, hittable: false)
    }

    /// How wide the buttons are together, and how wide that of the session is; 0: it shows its symbol alone.
    private func greeterButtons(width: Double) -> (width: Double, session: Double) {
        let small = footHeight, others = Double(status.ends.isEmpty ? 1 : 2) * (small + greeterGap)
        guard greeter.sessions.count > 1 else { return (others - greeterGap, -1) }
        let title = Text.width(of: greeter.session?.title ?? "") * scaled(TextStyle.callout.size)
        let session = min(max(scaled(110), min(scaled(260), title + 40)).rounded(), width - others)
        return session < scaled(110) ? (others + small, 0) : (others + session, session)
    }

    private func addGreeterButtons(_ out: inout Canvas, _ plan: (width: Double, session: Double), _ rect: Rect, onWallpaper: Bool) {
        let tone: Tone = onWallpaper ? .onWallpaper : .primary
        var x = rect.x
        func button(_ name: String, _ symbol: Symbol?, _ shown: Text?, _ spoken: Text, _ width: Double, _ act: GreetAct) {
            let id = ControlID(.lock, "greeter/\(name)"), place = Rect(x, rect.y, width, rect.height)
            if !onWallpaper { out.fill(id, .panel, place, radius: rect.height / 2) }
            out.press(id, place, radius: rect.height / 2)
            if let shown { out.text(id, shown, .callout, tone, middle(place.inset(by: Insets(0, 14, 0, 14)), .callout), .center) }
            if let symbol { out.symbol(id, symbol, tone, in: place.inset(by: 10), side: 22) }
            out.control(id, .button, spoken, place, press: .lockScreen(.greet(act)), focusRadius: rect.height / 2)
            x += width + greeterGap
        }
        if plan.session >= 0 {
            let title = greeter.session?.title ?? "", isNamed = plan.session > 0
            button(
                "sessions", isNamed ? nil : .desktop, isNamed ? .verbatim(title) : nil, .detailed(.loginSession, title),
                isNamed ? plan.session : rect.height, .page(.sessions))
        }
        button("aids", .textSize, nil, .message(.aids), rect.height, .page(.aids))
        if !status.ends.isEmpty { button("power", .power, nil, .message(.power), rect.height, .page(.power)) }
    }

    /// The same in the upper corner beside the field, where there is room. Returns the lower edge.
    func addGreeterCorner(_ out: inout Canvas, below top: Double) -> Double {
        guard greeter.isOn, !isTinyGreeter, workspace.idiom.round == nil, room.height - keysHeight >= scaled(300) else { return top }
        let buttons = greeterButtons(width: room.width - touch - 30)
        addGreeterButtons(&out, buttons, Rect(room.maxX - buttons.width - 10, top, buttons.width, footHeight), onWallpaper: true)
        return top + footHeight
    }

    private func addGreeterHead(_ out: inout Canvas, above list: Rect) {
        let height = greeterHead - 4, y = list.y - greeterHead, id: ControlID = "lock/close"
        let message: Message =
            switch lockPage {
            case .people: .logIn
            case .sessions: .loginSession
            case .aids: .aids
            case .power: .power
            }
        // On a round screen the way back stands where the disc is wider.
        let width = min(room.width - 16, scaled(420)), left = isTinyGreeter ? room.x + 2 : room.center.x - width / 2
        let back = Rect(left, y, touch, height)
        out.press(id, back.inset(by: 4), radius: 18)
        out.symbol(id, .chevronBack, .onWallpaper, in: back, side: 22)
        out.control(id, .button, .message(.back), back.inset(by: 2), press: .lockScreen(.close), focusRadius: 18)
        let space = Rect(back.maxX, y, (isTinyGreeter ? room.maxX - 2 : left + width - touch) - back.maxX, height)
        let title = middle(space, .title), shrunk = min(1, title.width / max(1, scaled(TextStyle.title.size) * 9))
        out.text("lock/title", .message(message), .title, .onWallpaper, title, .center, shrunk: max(0.6, shrunk))
        out.control("lock/title", .label, .message(message), title, focusable: false, hittable: false)
    }

    /// A session starts: this is the last picture of the greeter.
    private func addStarting(_ out: inout Canvas) {
        guard let starting = greeter.starting else { return }
        let width = min(room.width - 24, scaled(420)), height = line(.headline) * 3
        let words: Text = starting.isSlow ? .message(.sessionSlow) : .message(.sessionStarts, [starting.session.title])
        let rect = Rect((room.center.x - width / 2).rounded(), (room.center.y - height / 2).rounded(), width, height)
        out.text("lock/words", words, .headline, .onWallpaper, rect, .center, lines: 3)
        out.control("lock/words", .label, words, rect, focusable: false, hittable: false)
        if starting.isSlow, !starting.isDone { addLockBack(&out) }
    }

    // MARK: The field

    /// The name above the field.
    var lockPerson: Text {
        guard greeter.isOn else { return .verbatim(facts.person) }
        switch greeter.person {
        case .listed(let name): return .verbatim(greeter.people.first { $0.name == name }?.title ?? name)
        case .typed(let name): return .verbatim(name.text.oneLine(60))
        case .typing, nil: return .message(.otherPerson)
        }
    }

    /// The person whose picture stands above the name.
    var lockFace: GreeterPerson? {
        guard greeter.isOn, case .listed(let name) = greeter.person else { return nil }
        return greeter.people.first { $0.name == name }
    }
}
