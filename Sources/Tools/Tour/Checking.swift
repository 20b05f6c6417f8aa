import Chrome
import Control
import Geometry
import Windows

/// Checks and their results. A failed check does not throw; it is recorded.
extension Guide {
    func check(_ what: String, _ passed: Bool, _ found: String) {
        report.checks.append(Check(what: what, passed: passed, found: found))
    }

    /// Looks again until it is so, or the time is up.
    func equal<T: Equatable>(_ what: String, _ looking: @autoclosure () throws -> T, _ wanted: T) {
        let found: T
        do {
            _ = try eventually(within: 1) { try looking() == wanted }
            found = try looking()
        } catch {
            return check(what, false, "\(error)")
        }
        check(what, found == wanted, found == wanted ? "\(found)" : "\(found), not \(wanted)")
    }

    /// The same for a number.
    func near(_ what: String, _ looking: @autoclosure () throws -> Double, _ wanted: Double, within tolerance: Double) {
        let found: Double
        do {
            _ = try eventually(within: 1) { try abs(looking() - wanted) <= tolerance }
            found = try looking()
        } catch {
            return check(what, false, "\(error)")
        }
        check(what, abs(found - wanted) <= tolerance, "\(short(found)), wanted \(short(wanted)) ± \(short(tolerance))")
    }

    /// Checks that a window is in the expected place.
    func place(_ key: String, _ wanted: WindowReport.PlaceName) throws {
        let id = try id(key)
        _ = try eventually { try state()[id]?.place == wanted }
        let found = try state()[id]?.place
        check(
            "\(name(id)): \(wanted.rawValue)", found == wanted,
            found.map { $0 == wanted ? $0.rawValue : "it is \($0.rawValue)" } ?? "it is gone")
    }

    func active(_ key: String) throws {
        let id = try id(key)
        _ = try eventually { try state().focus == id }
        let focus = try state().focus
        check("\(name(id)) is active", focus == id, focus.map(name) ?? "no window is active")
    }

    /// Checks that a part of the picture changed between two moments.
    func changed(_ what: String, _ before: Picture, _ after: Picture, in rect: Rect? = nil, atLeast share: Double = 0.002) {
        let part = difference(before, after, in: rect)
        check(what, part >= share, "\(percent(part)) of the pixels differ")
    }

    func unchanged(_ what: String, _ before: Picture, _ after: Picture, in rect: Rect? = nil, atMost share: Double = 0.002) {
        let part = difference(before, after, in: rect)
        check(what, part <= share, "\(percent(part)) of the pixels differ")
    }

    private func difference(_ before: Picture, _ after: Picture, in rect: Rect?) -> Double {
        let pixels = rect.map { Int(clamping: $0.width) * Int(clamping: $0.height) } ?? after.width * after.height
        return Double(after.difference(from: before, in: rect, tolerance: 12).count) / Double(max(1, pixels))
    }

    // MARK: After every step

    /// Invariants at rest: nothing overlaps, every app has its configured size, and the screen shows each window's
    /// own picture at its place.
    func checkRest(allowsLate: Bool, on picture: Picture) throws {
        // The dots of a window may begin to fade in just now: a timer brings them back after a touch.
        let isAtRest = try eventually { try !self.state().moving }, state = try self.state()
        check("everything came to rest", isAtRest, isAtRest ? "nothing moves" : "something moves")
        guard let screen = state.screen else { return check("there is a screen", false, "none") }
        let shown = state.windows.filter { $0.shown && $0.frame != nil }
        checkOverlap(shown, on: screen.bounds)
        for window in shown { checkSize(window, allowsLate: allowsLate) }
        let views = try views()
        checkViews(views, on: screen.bounds)
        // Views that dim or cover the screen change how windows look.
        guard Set(state.open).isDisjoint(with: ["switcher", "expose", "alert", "notifications", "control-centre"]) else { return }
        let panels = views.filter { $0.role == .panel }.map { $0.frame.inset(by: -30) }
        // A dialog dims its window (M-02), and throws a wide shadow on it.
        let parents = Set(shown.compactMap { $0.place == .dialog ? $0.parent : nil })
        // Free windows lie on each other.
        for window in shown where !parents.contains(window.id) && (window.place != .free || window.active) {
            try checkPicture(window, among: shown, in: state, under: panels, scale: screen.scale, on: picture)
        }
    }

    /// Checks that every control of the shell has a name and a sufficient touch target, and every panel is on the
    /// screen (X-05).
    private func checkViews(_ views: [ViewReport], on screen: Rect) {
        // Bars of a desk with free windows are as high as a pointer needs (docs/limits.md).
        let views = views.filter { $0.id != "indicator" && !$0.id.hasPrefix("menu-bar") }
        guard !views.isEmpty else { return }
        let nameless = views.filter { $0.name.isEmpty }.map(\.id)
        check("the shell\u{2019}s own controls have names", nameless.isEmpty, nameless.first ?? "all \(views.count)")
        let small = views.filter { $0.press != nil && (min($0.target.width, $0.target.height) < 43.9) }
        check(
            "and are large enough for a finger", small.isEmpty,
            small.first.map { "\($0.id): \(words($0.target))" } ?? "44 points or more each way")
        for panel in views where panel.role == .panel && !screen.contains(panel.frame, tolerance: 0.5) {
            check("\(panel.id) is on the screen", false, words(panel.frame))
        }
    }

    private func checkOverlap(_ shown: [WindowReport], on screen: Rect) {
        let arranged = shown.filter { [.full, .splitLeft, .splitRight, .splitTop, .splitBottom].contains($0.place) }
        for (index, a) in arranged.enumerated() {
            for b in arranged.dropFirst(index + 1) {
                let shared = (a.picture ?? a.frame!).intersection(b.picture ?? b.frame!)
                let isFree = shared.width < 0.5 || shared.height < 0.5
                check(
                    "\(name(a.id)) and \(name(b.id)) do not overlap", isFree,
                    isFree ? "\(words(a.frame!)) and \(words(b.frame!))" : "they share \(words(shared))")
            }
        }
        for window in shown where !screen.contains(window.frame!, tolerance: 0.5) {
            check("\(name(window.id)) is on the screen", false, words(window.frame!))
        }
    }

    private func checkSize(_ window: WindowReport, allowsLate: Bool) {
        let name = name(window.id)
        if window.late, !allowsLate { check("\(name) answers in time", false, "it owes an answer") }
        // A free window chooses its size until a person does.
        if window.place == .free, window.told == .zero { return }
        guard window.place != .dialog, let frame = window.frame else { return }
        guard let told = window.told, !(window.late && allowsLate) else { return }
        // Shown in part (W-11): its picture fills the place, and extends beyond it in one direction.
        if let picture = window.picture, picture.width > frame.width + 1 || picture.height > frame.height + 1 {
            let fills = picture.inset(by: -1).intersection(frame) == frame
            return check(
                "\(name) is shown in part, and fills its place", fills, "shown at \(words(picture)), scale \(short(window.scale ?? 1))")
        }
        let isTold = told == frame.size || isLargerOfSameShape(told, than: frame.size, window)
        check("\(name) was told the size of its place", isTold, isTold ? words(told) : "\(words(told)), its place is \(words(frame.size))")
        if window.size == told { return check("\(name) has that size", true, words(window.size)) }
        // It drew another size, so its whole picture must be inside its place (W-11).
        guard let picture = window.picture else { return }
        check(
            "\(name) drew another size and stays inside its place", (window.shownFrame ?? frame).contains(picture, tolerance: 1),
            "drew \(words(window.size)), shown at \(words(picture)), scale \(short(window.scale ?? 1))")
    }

    /// Whether an app that cannot be as small as its place was sent a size with the place's aspect ratio, so that it
    /// fills the place when it is scaled down (W-11).
    private func isLargerOfSameShape(_ told: Size, than place: Size, _ window: WindowReport) -> Bool {
        let cannotBeSmaller =
            window.minimum.width > place.width || window.minimum.height > place.height
            || window.size.width > place.width || window.size.height > place.height
        let across = told.width / max(1, place.width), down = told.height / max(1, place.height)
        return cannotBeSmaller && across >= 1 && down >= 1 && abs(across / down - 1) < 0.02
    }

    /// Checks that the screen shows the window's own picture at its place.
    private func checkPicture(
        _ window: WindowReport, among shown: [WindowReport], in state: StateReport, under panels: [Rect], scale: Double,
        on picture: Picture
    ) throws {
        guard let rect = window.picture, rect.width > 8, rect.height > 8 else { return }
        var covers = panels
        if window.place != .pictureInPicture, window.place != .slideOver, let card = state.slideOver.card {
            covers.append(card.inset(by: -30))
        }
        for other in shown where other.id != window.id && (other.place == .pictureInPicture || other.place == .dialog) {
            covers.append((other.frame ?? .zero).inset(by: -30))
        }
        if let divider = state.divider, window.place != .pictureInPicture { covers.append(divider.frame.inset(by: -2)) }
        // The dots, the line at the bottom, the handles at the edges, rounded corners.
        covers.append(Rect(rect.center.x - 24, rect.minY - 2, 48, 20))
        let bounds = state.screen!.bounds
        covers.append(Rect(bounds.center.x - 70, bounds.maxY - 10, 140, 8))
        if state.slideOver.hidden || state.pictureInPicture?.stashed != nil {
            let screen = state.screen!.bounds
            covers += [Rect(0, 0, 26, screen.height), Rect(screen.maxX - 26, 0, 26, screen.height)]
        }
        let own = try look(window.id)
        let name = name(window.id)
        let isSharp = abs((window.scale ?? 1) - 1) < 0.001
        guard isSharp, !isLive(window.id),
            var likeness = picture.likeness(to: own, at: rect, scale: scale, covered: covers)
        else {
            return checkBrightness(of: name, own, at: rect, covered: covers, scale: scale, on: picture)
        }
        // An app may draw something new between the two pictures: a page that loads, a control that fades.
        for _ in 0..<4 where likeness < 0.97 {
            pause(300)
            likeness = try look().likeness(to: look(window.id), at: rect, scale: scale, covered: covers) ?? likeness
        }
        check("the screen shows \(name) at its place", likeness >= 0.97, "\(percent(likeness)) of its pixels are there")
    }

    /// Checks the brightness of a scaled or moving window.
    private func checkBrightness(
        of name: String, _ own: Picture, at rect: Rect, covered: [Rect], scale: Double, on picture: Picture
    ) {
        let isCovered = covered.contains { $0.intersects(rect.inset(by: rect.width * 0.2)) }
        guard !isCovered, let mine = own.meanColour(), let there = picture.meanColour(in: rect.scaled(scale).inset(by: 1))
        else { return }
        guard mine.alpha > 240 else {
            // The background shows through.
            let isSeen = picture.singleColour(in: rect.scaled(scale).inset(by: 1), tolerance: 8) == nil
            return check("the screen shows \(name) at its place", isSeen, isSeen ? "its picture is there" : "one colour alone")
        }
        let distance = mine.distance(to: there)
        check("the screen shows \(name) at its place", distance < 40, "mean colours differ by \(distance) of 255")
    }
}

extension Picture {
    /// The share of matching pixels, outside of the items that cover the window. Everything is in points except for `scale`.
    /// nil if the sizes do not match.
    func likeness(to own: Picture, at rect: Rect, scale: Double, covered: [Rect]) -> Double? {
        let area = rect.scaled(scale).rounded
        guard abs(Double(own.width) - area.width) <= 1, abs(Double(own.height) - area.height) <= 1 else { return nil }
        let covers = covered.map { $0.scaled(scale) }.filter { $0.intersects(area) }
        let left = Int(clamping: area.x), top = Int(clamping: area.y)
        var seen = 0, same = 0
        for y in Swift.stride(from: 4, to: own.height - 4, by: 2) {
            for x in Swift.stride(from: 4, to: own.width - 4, by: 2) {
                let sx = left + x, sy = top + y
                guard sx >= 0, sy >= 0, sx < width, sy < height else { continue }
                let point = Point(Double(sx), Double(sy))
                if covers.contains(where: { $0.contains(point) }) { continue }
                seen += 1
                let mine = own[x, y]
                // Translucent pixels show the background.
                if mine.alpha < 250 || self[sx, sy].distance(to: mine) <= 10 { same += 1 }
            }
        }
        return seen > 0 ? Double(same) / Double(seen) : 1
    }
}

extension Rect {
    func scaled(_ k: Double) -> Rect { Rect(x * k, y * k, width * k, height * k) }
}

func short(_ value: Double) -> String {
    let hundredths = (value * 100).rounded()
    guard abs(hundredths) < 1e15 else { return "\(value)" }
    let whole = Int(clamping: hundredths)
    if whole % 100 == 0 { return "\(whole / 100)" }
    let rest = String(abs(whole % 100))
    let tail = rest.count == 1 ? "0" + rest : (rest.hasSuffix("0") ? String(rest.dropLast()) : rest)
    return "\(value < 0 ? "-" : "")\(abs(whole / 100)).\(tail)"
}

func percent(_ share: Double) -> String { "\(short(share * 100)) %" }
func words(_ size: Size) -> String { "\(short(size.width)) × \(short(size.height))" }
func words(_ rect: Rect) -> String { "\(words(rect.size)) at (\(short(rect.x)), \(short(rect.y)))" }
