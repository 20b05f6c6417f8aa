import Geometry
import Locking
import Stage
import Status
import Windows

/// The field for the password on the lock screen of the shell, and the shell's own keys for it.
extension Views {
    /// Adds the field with its words and keys. Returns its top.
    func addUnlocking(_ out: inout Canvas, below top: Double) -> Double {
        guard !isTinyLock else { return addTinyUnlocking(&out) }
        let keys = keysHeight
        let room = Rect(room.x, top, room.width, room.maxY - top - keys)
        let width = min(room.width - 24, scaled(340)), fieldHeight = max(44, line(.body) + 20)
        let words = lockWords, wordLines = room.height < scaled(170) ? 1 : 3
        let wordsHeight = line(.callout) * Double(wordLines),
            name = room.height < fieldHeight + wordsHeight + line(.title) + 16 ? 0 : line(.title)
        let face = name > 0 && lockFace != nil && room.height - fieldHeight - wordsHeight - name > 150 ? 80.0 : 0
        let height = face + name + (name > 0 ? 8 : 0) + fieldHeight + 6 + wordsHeight
        // Near the keys, where the eyes are.
        let space = room.height - height, first = (room.y + max(0, keys > 0 ? space - 12 : space / 2)).rounded()
        let x = (room.center.x - width / 2).rounded(), y = first + face
        if face > 0, let lockFace {
            addFace(&out, "lock/face", lockFace, Rect((room.center.x - face / 2).rounded() + 4, first, face - 8, face - 8))
        }
        if name > 0 {
            let rect = Rect(x, y, width, name)
            out.text("lock/person", lockPerson, .title, .onWallpaper, rect, .center)
            out.control("lock/person", .label, lockPerson, rect, focusable: false, hittable: false)
        }
        let field = Rect(x, y + name + (name > 0 ? 8 : 0), width, fieldHeight)
        addLockField(&out, field)
        let text = Rect(x, field.maxY + 6, width, wordsHeight)
        if let words {
            let shrunk = wordLines == 1 && appearance.textScale * textGrowth > 1 ? 0.6 : 1
            out.text("lock/words", words, .callout, .onWallpaper, text, .center, lines: wordLines, shrunk: shrunk)
            out.control("lock/words", .label, words, text, focusable: false, hittable: false)
        }
        addLockBack(&out)
        let left = self.room.x + touch + 10
        addEmergency(&out, in: Rect(left, self.room.y, min(scaled(150), self.room.width / 2 - touch), touch))
        if keys > 0 {
            addKeys(&out, Rect(self.room.x, self.room.maxY - keys, self.room.width, keys))
        } else {
            addLayoutButton(&out, below: text)
        }
        return first - 8
    }

    /// On a watch: the field with the words in it, and the digits below, with the way back among them.
    private var isTinyLock: Bool { room.width < Views.tinyLock }
    private static let tinyLock = 280.0
    private var tinyField: Double { max(36, min(touch, (room.height / 5).rounded())) }

    private func addTinyUnlocking(_ out: inout Canvas) -> Double {
        addLockField(&out, Rect(room.x + 4, room.y + 2, room.width - 8, tinyField))
        addKeys(&out, Rect(room.x, room.maxY - keysHeight, room.width, keysHeight))
        return room.y
    }

    /// The words below the field: how long to wait, what went wrong, or what PAM says.
    private var lockWords: Text? {
        let state = lock.screen
        if let seconds = state.remaining(at: now) {
            return .message(.lockTryAgain, ["\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"])
        }
        let said = state.words.joined(separator: "\n")
        switch state.trouble {
        case .wrong: return said.isEmpty ? .message(.wrongPassword) : .list([.message(.wrongPassword), .verbatim(said)], "\n")
        case .outdated: return .list([.message(.passwordExpired), .message(.passwordExpiredNow)], "\n")
        case .closed: return said.isEmpty ? .message(.lockClosed) : .verbatim(said)
        // On a small screen the words alone, without the way around it.
        case .broken where greeter.isOn && room.height >= 560: return .message(.loginBroken)
        case .broken: return .message(room.height < 560 ? .lockUnchecked : .lockBroken)
        case .slow: return .message(.lockSlow)
        case nil: break
        }
        if state.isWorking { return .message(.lockChecking) }
        // A question that has no room in the field.
        var asked = ""
        if case .asks(let words, _) = state.talk?.step, !Views.isStandard(words) {
            let room = min(room.width - 24, scaled(340)) - 2 * touch - 22
            if Text.width(of: words) * scaled(TextStyle.body.size) > room { asked = words }
        }
        let all = [said, asked].filter { !$0.isEmpty }
        if !all.isEmpty { return .verbatim(all.joined(separator: "\n")) }
        return state.asksMore ? .message(.lockAnother) : fingerWords
    }

    private func addLockField(_ out: inout Canvas, _ rect: Rect) {
        let state = lock.screen, id: ControlID = "lock/field"
        out.shadow(id, rect, radius: rect.height / 2, blur: 12, opacity: 0.25)
        out.fill(id, .panel, rect, radius: rect.height / 2)
        var prompt = Text.message(.password), isShown = isAnswerShown, isOpen = false
        if case .asks(let words, let shows) = state.talk?.step {
            // The standard question is the word for it in the language of the person.
            if !Views.isStandard(words) { prompt = .verbatim(words) }
            (isOpen, isShown) = (shows, isShown || shows)
        }
        let isName = greeter.asksName
        if isName { (prompt, isShown, isOpen) = (.message(.userName), true, true) }
        let isTiny = isTinyLock, buttons = isTiny || isOpen ? touch : 2 * touch
        let words = Rect(rect.x + 18, rect.center.y - line(.body) / 2, rect.width - buttons - 22, line(.body))
        if state.field.isEmpty {
            // A long word is smaller where it has no line of its own.
            let said = isTiny ? lockWords ?? prompt : prompt, small = isTiny && lockWords != nil
            let place = small ? Rect(words.x, rect.center.y - line(.caption), words.width, 2 * line(.caption)) : words
            out.text(id, said, small ? .caption : .body, .secondary, place, small ? .leadingMiddle : .leading, lines: small ? 2 : 1)
        } else {
            let whole = isShown ? state.field.text : state.field.dots
            let most = max(4, Int(clamping: (words.width / (scaled(TextStyle.body.size) * 0.62)).rounded(.down)) - 1)
            out.text(id, .verbatim((whole.count > most ? "…" + whole.suffix(most) : whole) + "|"), .body, .primary, words)
        }
        // A screen reader says how much of a secret is written, and not what.
        let said = isTiny ? lockWords.map { .list([prompt, $0], ", ") } ?? prompt : prompt
        let spoken: Text = state.field.isEmpty ? said : .list([prompt, .verbatim(isOpen ? state.field.text : state.field.dots)], ", ")
        out.control(
            id, .field, spoken, Rect(rect.x, rect.y, rect.width - buttons - 4, rect.height).inset(by: 1), press: .lockScreen(.open),
            chosen: true, focusable: false)
        if !isTiny, !isOpen { addReveal(&out, rect) }
        let go = Rect(rect.maxX - touch - 2, rect.center.y - touch / 2, touch, touch), submit: ControlID = "lock/submit"
        if state.canSubmit { out.fill(submit, .accent, go.inset(by: 5), radius: touch / 2 - 5) }
        out.press(submit, go.inset(by: 5), radius: touch / 2 - 5)
        out.symbol(submit, .chevronForward, state.canSubmit ? .onAccent : .secondary, in: go, side: 20)
        out.control(
            submit, .button, .message(greeter.isOn ? .logIn : .unlock), go.inset(by: 2),
            press: state.canSubmit ? .lockScreen(.submit) : nil, focusRadius: 18)
    }

    /// Whether PAM asks for a password in its own words, for which there is one in the language of the person.
    private static func isStandard(_ prompt: String) -> Bool { ["password:", "password", ""].contains(prompt.lowercased()) }

    private var isAnswerShown: Bool { lock.screen.isRevealed && !lock.isPictured }

    private func addReveal(_ out: inout Canvas, _ rect: Rect) {
        let eye = Rect(rect.maxX - 2 * touch - 2, rect.center.y - touch / 2, touch, touch), reveal: ControlID = "lock/reveal"
        out.symbol(reveal, isAnswerShown ? .eye : .eyeClosed, .secondary, in: eye, side: 20)
        out.control(
            reveal, .toggle, .message(.showPassword), eye.inset(by: 2), press: lock.isPictured ? nil : .lockScreen(.reveal),
            chosen: isAnswerShown, focusRadius: 18)
    }

    func addLockBack(_ out: inout Canvas) {
        let rect = Rect(room.x + 6, room.y + (workspace.idiom.round == nil ? 0 : 8), touch, touch), id: ControlID = "lock/close"
        out.press(id, rect.inset(by: 4), radius: 18)
        out.symbol(id, .chevronBack, .onWallpaper, in: rect, side: 22)
        out.control(id, .button, .message(.back), rect.inset(by: 2), press: .lockScreen(.close), focusRadius: 18)
    }

    /// The layout of real keyboards: a wrong one makes a right password wrong.
    private func addLayoutButton(_ out: inout Canvas, below rect: Rect) {
        guard let here = letters else { return }
        let width = min(room.width - 24, scaled(260)), height = max(44, line(.callout) + 16)
        let button = Rect((room.center.x - width / 2).rounded(), rect.maxY + 8, width, height), id: ControlID = "lock/layout"
        guard button.maxY <= room.maxY else { return }
        let isOne = facts.keyboards.count < 2
        out.press(id, button, radius: height / 2)
        out.text(id, .verbatim(here.name), .callout, .onWallpaper, button.inset(by: 6), .center)
        out.control(
            id, isOne ? .label : .button, .detailed(.keyboardLayouts, here.name), button, press: isOne ? nil : .lockScreen(.nextLayout),
            focusable: !isOne, focusRadius: height / 2)
    }

    // MARK: Keys

    /// The letters of the layout in use.
    private var letters: ScreenLetters? {
        facts.keyboards.indices.contains(lock.screen.layout) ? facts.keyboards[lock.screen.layout] : facts.keyboards.first
    }

    /// The keys that are shown.
    var lockKeys: LockKeys {
        guard lock.screen.isOpen else { return .none }
        let chosen = lock.screen.keys ?? facts.lock.keys
        // There is no room for more.
        if isTinyLock, chosen != .none { return .digits }
        guard chosen == .auto else { return chosen }
        return facts.hasKeyboard && !workspace.idiom.remote.isOn ? .none : .letters
    }

    var keysHeight: Double {
        switch lockKeys {
        case .auto, .none: 0
        case .digits: 4 * digitHeight + (isTinyLock ? 2 : 8)
        case .letters, .signs: isTinyLock ? 4 * digitHeight + 2 : 4 * letterHeight + 12
        }
    }

    private var digitHeight: Double {
        isTinyLock
            ? ((room.height - tinyField - 8) / 4).rounded(.down) : max(34, min(scaled(64), ((room.height * 0.62) / 4).rounded(.down)))
    }
    private var letterHeight: Double { max(40, min(scaled(54), ((room.height * 0.5) / 4).rounded(.down))) }

    private func addKeys(_ out: inout Canvas, _ rect: Rect) {
        switch lockKeys {
        case .auto, .none: break
        case .digits: addDigits(&out, rect)
        case .letters, .signs: addLetters(&out, rect)
        }
    }

    private func addKey(
        _ out: inout Canvas, _ name: String, _ text: Text, _ action: Action?, _ rect: Rect, symbol: Symbol? = nil, radius: Double = 10,
        style: TextStyle = .title, isChosen: Bool = false
    ) {
        let id = ControlID(.lock, "key/\(name)"), cap = rect.inset(by: 3)
        out.fill(id, isChosen ? .accent : .panel, cap, radius: radius)
        out.press(id, cap, radius: radius)
        if let symbol {
            out.symbol(id, symbol, isChosen ? .onAccent : .primary, in: cap, side: 22)
        } else {
            let place = Rect(cap.x + 2, cap.center.y - min(cap.height, line(style)) / 2, cap.width - 4, min(cap.height, line(style)))
            // No sign of a password may look like another one. The widest letters are nearly as wide as they are high.
            let wide = (text.nameWidth.map { max(1.1, $0) } ?? 3) * scaled(style.size)
            let shrunk = min(1, place.width / wide, place.height / line(style))
            out.text(id, text, style, .primary, place, .center, shrunk: shrunk)
        }
        out.control(id, .button, text, cap, press: action, target: rect, chosen: isChosen, focusRadius: radius)
    }

    private func addDigits(_ out: inout Canvas, _ rect: Rect) {
        let height = digitHeight, width = min(scaled(92), (rect.width / 3).rounded(.down))
        let left = (rect.center.x - 1.5 * width).rounded()
        // Digits read from left to right in every language.
        let mirror = out.mirror
        out.mirror = nil
        defer { out.mirror = mirror }
        func cell(_ column: Int, _ row: Int) -> Rect { Rect(left + Double(column) * width, rect.y + Double(row) * height, width, height) }
        for digit in 1...9 {
            let place = cell((digit - 1) % 3, (digit - 1) / 3)
            addKey(
                &out, "\(digit)", .verbatim("\(digit)"), .lockScreen(.type("\(digit)")), place,
                radius: min(place.width, place.height) / 2 - 3)
        }
        let radius = height / 2 - 3
        if isTinyLock {
            addKey(&out, "close", .message(.back), .lockScreen(.close), cell(0, 3), symbol: .chevronBack, radius: radius)
        } else {
            addKey(&out, "letters", .message(.showLetters), .lockScreen(.keys(.letters)), cell(0, 3), radius: radius, style: .callout)
        }
        addKey(&out, "0", .verbatim("0"), .lockScreen(.type("0")), cell(1, 3), radius: radius)
        addKey(&out, "delete", .message(.deleteKey), .lockScreen(.erase), cell(2, 3), symbol: .deleteBack, radius: radius)
    }

    private static let signs: [[String]] = [
        ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"], ["@", "#", "$", "%", "&", "*", "-", "+", "(", ")"],
        ["!", "\"", "'", ":", ";", "/", "?", ",", "."], ["_", "=", "<", ">", "[", "]", "{", "}", "\\", "|", "~", "^", "`", "€"],
    ]

    private func addLetters(_ out: inout Canvas, _ rect: Rect) {
        let state = lock.screen, isSigns = lockKeys == .signs, whole = min(rect.width - 8, scaled(720)), height = letterHeight
        let left = (rect.center.x - whole / 2).rounded(), mirror = out.mirror
        out.mirror = nil
        defer { out.mirror = mirror }
        let caps = (letters?.lettersAlone ?? []).map { row in row.map { state.isShifted ? $0.shifted : $0.plain } }
        let rows = isSigns ? Array(Views.signs[0...2]) : caps
        let most = Double(max(1, rows.prefix(2).map(\.count).max() ?? 1, (rows.count > 2 ? rows[2].count : 0) + 3))
        let width = min((whole / most).rounded(.down), scaled(72))
        for (number, row) in rows.prefix(3).enumerated() {
            let isLast = number == 2, span = Double(row.count) * width
            let x = (rect.center.x - span / 2).rounded(), y = rect.y + 4 + Double(number) * height
            for (index, sign) in row.enumerated() {
                addKey(
                    &out, "\(number)/\(index)", .verbatim(sign), .lockScreen(.type(sign)), Rect(x + Double(index) * width, y, width, height)
                )
            }
            guard isLast else { continue }
            let side = max(width, min(width * 1.5, x - left))
            if !isSigns {
                addKey(
                    &out, "shift", .message(.shiftKey), .lockScreen(.shift), Rect(x - side, y, side, height), symbol: .chevronUp,
                    isChosen: state.isShifted)
            }
            addKey(
                &out, "delete", .message(.deleteKey), .lockScreen(.erase), Rect(x + span, y, side, height), symbol: .deleteBack)
        }
        addLastRow(&out, Rect(left, rect.y + 4 + 3 * height, whole, height), isSigns: isSigns)
    }

    private func addLastRow(_ out: inout Canvas, _ rect: Rect, isSigns: Bool) {
        let side = min(scaled(88), (rect.width / 5).rounded(.down))
        if isSigns {
            // The rest of the signs, as far as there is room.
            let row = Views.signs[3], count = min(row.count, Int(clamping: ((rect.width - side) / max(26, scaled(30))).rounded(.down)))
            let width = ((rect.width - side) / Double(max(1, count))).rounded(.down)
            addKey(
                &out, "letters", .message(.showLetters), .lockScreen(.keys(.letters)), Rect(rect.x, rect.y, side, rect.height),
                style: .callout)
            for (index, sign) in row.prefix(count).enumerated() {
                addKey(
                    &out, "3/\(index)", .verbatim(sign), .lockScreen(.type(sign)),
                    Rect(rect.x + side + Double(index) * width, rect.y, width, rect.height))
            }
            return
        }
        var left = rect.x, right = rect.maxX
        addKey(&out, "signs", .message(.showSigns), .lockScreen(.keys(.signs)), Rect(left, rect.y, side, rect.height), style: .callout)
        left += side
        addKey(
            &out, "digits", .message(.showDigits), .lockScreen(.keys(.digits)), Rect(right - side, rect.y, side, rect.height),
            style: .callout)
        right -= side
        if facts.keyboards.count > 1, let letters {
            let width = min(side * 1.4, (right - left) / 3)
            addKey(
                &out, "layout", .similar(letters.name), .lockScreen(.nextLayout), Rect(left, rect.y, width, rect.height), style: .caption)
            left += width
        }
        addKey(&out, "space", .message(.keySpace), .lockScreen(.type(" ")), Rect(left, rect.y, right - left, rect.height), style: .callout)
    }
}

/// The letters of a layout of keyboards, row by row, for keys on the screen.
public struct ScreenLetters: Hashable, Codable, Sendable {
    public struct Key: Hashable, Codable, Sendable {
        public var plain: String, shifted: String

        public init(plain: String, shifted: String) {
            self.plain = plain
            self.shifted = shifted
        }
    }

    /// For people: "English (US)".
    public var name: String
    public var rows: [[Key]]

    public init(name: String, rows: [[Key]]) {
        self.name = name
        self.rows = rows
    }

    /// Whether it types the letters from a to z.
    public var isLatin: Bool { rows.joined().count { ("a"..."z").contains($0.plain) } >= 20 }

    /// The letters alone. The other signs are on a page of their own.
    var lettersAlone: [[Key]] {
        rows.map { row in row.filter { $0.plain.first?.isLetter ?? false } }
    }
}
