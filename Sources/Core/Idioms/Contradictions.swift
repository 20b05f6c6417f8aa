/// Errors in an idiom: numbers out of range, and parts that do not fit together.
extension Idiom {
    public struct Contradiction: Hashable, Sendable {
        /// The names of the fields from the idiom down, such as `["split", "snaps"]`.
        public var field: [String]
        public var message: String
    }

    public var contradictions: [Contradiction] {
        var found: [Contradiction] = []
        func check(_ holds: Bool, _ field: [String], _ message: @autoclosure () -> String) {
            if !holds { found.append(Contradiction(field: field, message: message())) }
        }
        func range(_ value: Double, _ range: ClosedRange<Double>, _ field: String...) {
            check(range.contains(value), field, range.expected)
        }
        let isName =
            (1...32).contains(name.utf8.count)
            && name.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
        check(isName, ["name"], "a name is 1 to 32 lower-case letters, digits and hyphens")
        check(
            !Idiom.reservedNames.contains(name), ["name"],
            "\"\(name)\" has another meaning where an idiom is named: call the file otherwise")
        check(places.contains(.fullScreen), ["places"], "\"full-screen\" is missing: every window needs a place")
        for (name, place) in Places.names where places.contains(place) && !arrangement.places.contains(place) {
            check(false, ["places"], "the arrangement \"\(arrangement.rawValue)\" has no place \"\(name)\"")
        }
        check(dressing != .titleBar || arrangement == .free, ["dressing"], "title bars need the arrangement \"free\"")
        check(dressing != .dots || arrangement == .pad, ["dressing"], "dots need the arrangement \"pad\"")
        check(dressing != .barBelow || depth != nil, ["dressing"], "bars below windows need windows at depths")
        check(depth == nil || arrangement == .free, ["depth"], "windows at depths need the arrangement \"free\"")
        let isTitle = title.utf8.count <= 64 && !title.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
        check(isTitle, ["title"], "a title has at most 64 bytes, and no control characters")
        check(dialogs != .windows || arrangement == .free, ["dialogs"], "dialogs as windows need the arrangement \"free\"")
        check(
            switcher.shows != .windows || arrangement == .free, ["switcher", "shows"],
            "cards of single windows need the arrangement \"free\"")
        check(free.menuBar == 0 || arrangement == .free, ["free", "menuBar"], "a menu bar needs the arrangement \"free\"")
        check(!home.dockStands || arrangement == .free, ["home", "dockStands"], "a dock that stands needs the arrangement \"free\"")
        check(homeLine == nil || zones.bottom != .nothing, ["homeLine"], "a home line needs a lower edge with a meaning: zones.bottom")
        check(
            !free.spaces || (arrangement == .free && depth == nil), ["free", "spaces"],
            "further spaces need the arrangement \"free\" without depths")
        check(status.place != .menuBar || free.menuBar > 0, ["status", "place"], "the menu bar has the height 0: free.menu-bar")
        range(status.height, 16...100, "status", "height")
        range(zones.trailingShare, 0...1, "zones", "trailingShare")
        check(Set(keys.map(\.key)).count == keys.count, ["keys"], "a key has one action")
        check(closing != .putsAway || arrangement == .free, ["closing"], "windows are put away in the arrangement \"free\" only")
        if let round {
            range(round.inset, 0...0.4, "round", "inset")
            range(round.smallest, 0.1...1, "round", "smallest")
            range(round.palest, 0...1, "round", "palest")
            range(round.begins, 0...0.95, "round", "begins")
        }
        if let wrist { range(wrist.paleness, 0...1, "wrist", "paleness") }
        if let depth {
            range(depth.distance, 100...100_000, "depth", "distance")
            range(depth.nearest, -depth.distance * 0.8...0, "depth", "nearest")
            range(depth.farthest, 0...100_000, "depth", "farthest")
            range(depth.step, 1...10_000, "depth", "step")
            range(depth.recede, 0...10_000, "depth", "recede")
            range(depth.opacity, 0.1...1, "depth", "opacity")
            range(depth.gaze, 0...1, "depth", "gaze")
            range(depth.haze, 0...0.9, "depth", "haze")
            range(depth.feather, 0...200, "depth", "feather")
            range(depth.barWidth, 40...1000, "depth", "barWidth")
            range(depth.barHeight, 2...60, "depth", "barHeight")
            range(depth.barGap, 0...60, "depth", "barGap")
            range(depth.control, 8...100, "depth", "control")
        }
        range(target, 1...400, "target")
        range(edge, 0...200, "edge")
        range(slop, 0...200, "slop")
        range(compactWidth, 0...10_000, "compactWidth")
        for strip in [cutOuts.top, cutOuts.right, cutOuts.bottom, cutOuts.left] { range(strip, 0...400, "cutOuts") }
        range(cornerRadius, 0...200, "cornerRadius")
        range(leastScale, 0...1, "leastScale")
        range(zoomsBelow, 0...1, "zoomsBelow")
        range(split.thickness, 0...200, "split", "thickness")
        range(split.edge, 0...0.5, "split", "edge")
        range(split.radius, 0...200, "split", "radius")
        check(!split.snaps.isEmpty && split.snaps.count <= 16, ["split", "snaps"], "1 to 16 shares are expected")
        for share in split.snaps {
            check(
                share > split.edge && share < 1 - split.edge, ["split", "snaps"],
                "a share between edge and 1 - edge is expected, not \(share)")
        }
        range(slideOver.width, 100...10_000, "slideOver", "width")
        range(slideOver.margin, 0...400, "slideOver", "margin")
        range(slideOver.topStrip, 0...200, "slideOver", "topStrip")
        range(slideOver.bottomStrip, 0...200, "slideOver", "bottomStrip")
        range(picture.margin, 0...400, "picture", "margin")
        range(picture.radius, 0...200, "picture", "radius")
        range(picture.smallest, 0.05...1, "picture", "smallest")
        range(picture.largest, 0.05...1, "picture", "largest")
        check(
            picture.smallest <= picture.first && picture.first <= picture.largest, ["picture", "first"],
            "a share between smallest and largest is expected")
        range(free.titleBar, 0...200, "free", "titleBar")
        range(free.radius, 0...200, "free", "radius")
        range(free.pointerBand, 0...100, "free", "pointerBand")
        range(free.fingerBand, 0...100, "free", "fingerBand")
        range(free.corner, 0...200, "free", "corner")
        range(free.snap, 0...200, "free", "snap")
        range(free.snapCorner, 0...1000, "free", "snapCorner")
        range(free.cascade, 0...400, "free", "cascade")
        range(free.smallest, 1...2000, "free", "smallest")
        range(free.menuBar, 0...200, "free", "menuBar")
        for (home, field) in [(home, ["home"])] + (smallScreen.map { [($0.home, ["smallScreen", "home"])] } ?? []) {
            check((1...40).contains(home.columns), field + ["columns"], "a number from 1 to 40 is expected")
            check((1...40).contains(home.columnsAside), field + ["columnsAside"], "a number from 1 to 40 is expected")
            check((20...1000).contains(home.columnWidth), field + ["columnWidth"], "a number from 20 to 1000 is expected")
            range(home.icon, 16...200, "home", "icon")
            range(home.dockIcon, 16...200, "home", "dockIcon")
            range(home.margin, 0...100, "home", "margin")
            check((1...40).contains(home.dockPlaces ?? 1), field + ["dockPlaces"], "a number from 1 to 40 is expected")
        }
        check((1...4).contains(switcher.rows), ["switcher", "rows"], "a number from 1 to 4 is expected")
        if let line = homeLine {
            range(line.width, 1...4000, "homeLine", "width")
            range(line.share, 0.01...1, "homeLine", "share")
            range(line.height, 1...100, "homeLine", "height")
            range(line.rise, 1...200, "homeLine", "rise")
        }
        if let small = smallScreen {
            check(small.places.contains(.fullScreen), ["smallScreen", "places"], "\"full-screen\" is missing: every window needs a place")
            range(small.side, 0...10_000, "smallScreen", "side")
            range(small.narrowSide, 0...10_000, "smallScreen", "narrowSide")
            range(small.narrowRatio, 1...20, "smallScreen", "narrowRatio")
        }
        range(views.growth, 0.5...4, "views", "growth")
        range(views.text, 0.5...2, "views", "text")
        range(views.marginSide, 0...400, "views", "marginSide")
        range(views.marginTop, 0...400, "views", "marginTop")
        range(views.marginShare, 0...0.2, "views", "marginShare")
        range(views.focusRing, 1...20, "views", "focusRing")
        range(remote.hold, 0.1...10, "remote", "hold")
        range(remote.again, 0.05...5, "remote", "again")
        range(remote.pointerSpeed, 1...10_000, "remote", "pointerSpeed")
        range(remote.pointerFastest, 1...20_000, "remote", "pointerFastest")
        range(remote.pointerRamp, 0.05...10, "remote", "pointerRamp")
        range(remote.pointerScroll, 1...20_000, "remote", "pointerScroll")
        range(remote.pointerPatience, 1...3600, "remote", "pointerPatience")
        range(rest.dimsAfter, 0...86_400, "rest", "dimsAfter")
        range(rest.moves, 1...3600, "rest", "moves")
        range(pull.slope, 0...20, "pull", "slope")
        range(pull.slopeOnHandles, 0...20, "pull", "slopeOnHandles")
        range(pull.handleRest, 0...10, "pull", "handleRest")
        range(pull.distance, 1...2000, "pull", "distance")
        for (value, field) in life.times { check(value.range.contains(value.seconds), ["life", field], value.range.expected) }
        check((0...1).contains(life.memorySome), ["life", "memorySome"], (0.0...1).expected)
        check((0...1).contains(life.memoryFull), ["life", "memoryFull"], (0.0...1).expected)
        for (label, value) in Mirror(reflecting: gestures).children {
            if let label, let value = value as? Double {
                check((0...10_000).contains(value), ["gestures", label], (0.0...10_000).expected)
            }
        }
        check((1...1000).contains(gestures.mostKeyRepeats), ["gestures", "mostKeyRepeats"], "a number from 1 to 1000 is expected")
        check(life.crashes >= 1 && life.crashes <= 1000, ["life", "crashes"], "a number from 1 to 1000 is expected")
        check(life.mostTasks >= 1 && life.mostTasks <= 10_000, ["life", "mostTasks"], "a number from 1 to 10000 is expected")
        return found
    }
}

extension ClosedRange<Double> {
    fileprivate var expected: String { "a number from \(lowerBound) to \(upperBound) is expected" }
}

extension Idiom {
    /// Names that no idiom may have: a configuration, an option or a command takes these words instead of an idiom's name.
    public static let reservedNames: Set<String> = ["automatic", "help", "true", "false"]
}

extension LifecycleRules {
    /// Every time, with the seconds that it may have. Kernel and timers take no more than a month; what is drawn from a connection
    /// or waited for while the session ends is felt after a minute.
    fileprivate var times: [(value: (seconds: Double, range: ClosedRange<Double>), field: String)] {
        let month = 0.0...2_678_400, soon = 0.0...60
        return [
            ((grace, month), "grace"), ((savePatience, soon), "savePatience"), ((changePatience, month), "changePatience"),
            ((silence, soon), "silence"), ((taskPatience, month), "taskPatience"), ((taskWarning, month), "taskWarning"),
            ((taskQuota, month), "taskQuota"), ((taskQuotaPeriod, 1...month.upperBound), "taskQuotaPeriod"),
            ((callPatience, month), "callPatience"),
            ((drain, soon), "drain"), ((retry, 0.1...month.upperBound), "retry"), ((memoryPeriod, 0.5...10), "memoryPeriod"),
            ((crashWindow, month), "crashWindow"), ((reconnectPatience, month), "reconnectPatience"), ((endPatience, soon), "endPatience"),
            ((closePatience, soon), "closePatience"), ((leavePatience, soon), "leavePatience"),
            ((shutdownPatience, soon), "shutdownPatience"),
            ((shutdownLeavePatience, soon), "shutdownLeavePatience"),
        ]
    }
}
