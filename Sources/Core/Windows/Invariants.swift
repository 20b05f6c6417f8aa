import Geometry
import OrderedCollections

/// Invariants that hold after every event. Tests check them after each step. Each line names the rule that it guards.
extension Workspace {
    public func violations() -> [String] {
        var found: [String] = []
        func check(_ holds: Bool, _ what: @autoclosure () -> String) { if !holds { found.append(what()) } }

        var places: [WindowID: Int] = [:]
        for window in arrangement.ask({ $0.windows }) { places[window, default: 0] += 1 }
        for window in waiting + confinement.keptOut { places[window, default: 0] += 1 }
        for (window, count) in places {
            check(count == 1, "\(window) is in \(count) places")
            check(windows[window]?.isMapped == true, "\(window) has a place but is not mapped")
        }
        for (name, other) in elsewhere {
            let all = other.ask { $0.windows }
            check(Set(all).count == all.count, "a window is in 2 places of the arrangement \(name), in \(all)")
        }
        for window in windows.values where window.closing != nil {
            check(window.isMapped, "\(window.id) is asked to close, and is not mapped")
        }
        for window in windows.values where window.isMapped {
            check(places[window.id] != nil || isDialog(window), "mapped \(window.id) is nowhere")
        }
        for window in windows.values where (window.placeholder != nil) != placeholders.contains(window.id) {
            found.append("W-20: it is not known whether \(window.id) is a placeholder")
        }
        for id in placeholders where windows[id]?.isMapped != true { found.append("W-20: the placeholder \(id) is not mapped") }
        let named = windows.values.filter { $0.facts.parent != nil }
        check(children == named.map(\.id), "who names a parent is not known")
        check(childrenOf == Dictionary(grouping: named.map(\.id)) { windows[$0]!.facts.parent! }, "who names whom is not known")
        for window in named {
            var above = window.facts.parent, steps = 0
            while let next = above, steps <= windows.count { (above, steps) = (windows[next]?.facts.parent, steps + 1) }
            guard above == nil else { return found + ["W-17: the parents of \(window.id) lead back to it"] }
        }
        found += arrangement.ask { $0.violations() } + confinementViolations()
        check(arrangement.kind == idiom.arrangement, "the idiom \(idiom.name) has the arrangement \(arrangement.kind)")
        for id in sinking {
            if case .dialog = place(of: id) {} else { found.append("M-03: \(id) goes away as a sheet and is none") }
        }
        if screen.map({ $0.usable.width > 120 && $0.usable.height > 120 }) ?? false { found += presentationViolations() }
        if let focus, let blocker = blocker(of: focus) { found.append("M-02: \(focus) is active behind \(blocker)") }
        if let focus { check(isShown(focus), "the active \(focus) is not shown") }
        let shown = shownRoots.filter { $0 != pip?.window }
        check(focus != nil || shown.isEmpty, "windows are shown and none is active")
        // A window that fills the screen lies behind the others of its app (V-01).
        if idiom.depth != nil, screen != nil, let focus, fullSpace != root(of: focus) {
            check(placed.last?.id == root(of: focus), "V-02: the active \(focus) is not in front")
        }
        found += idiomViolations(shown)
        if isHome {
            check(shown.isEmpty, "windows are shown at home: \(shown)")
            check(focus == nil, "\(focus!) is active at home")
        }
        for window in waiting { check(!isShown(window), "W-19: waiting \(window) is shown") }
        if let screen, let pip, pip.stashed == nil {
            let frame = pipFrame(pip, on: screen)
            check(
                screen.usable.contains(frame, tolerance: 1) || screen.usable.width < 120 || screen.usable.height < 120,
                "W-06: Picture in Picture leaves the screen: \(frame)")
        }
        if let screen, !screen.usable.isEmpty {
            for space in spaces {
                guard let split = space.split else { continue }
                let frames = splitFrames(split, fraction: split.fraction, on: screen)
                check(!frames.first.intersects(frames.second), "W-11: neighbours overlap")
            }
        }
        check(dividerDrag != nil || !windows.values.contains { $0.drawnFor != nil }, "law 4: a picture is stretched after the resize ended")
        if let drag = dividerDrag { check(currentSpace?.split != nil, "law 4: a divider is dragged that is not there: \(drag)") }
        return found
    }
}

extension Workspace {
    /// Violations of an idiom's promises. `shown`: windows in sight, without dialogs and the picture.
    fileprivate func idiomViolations(_ shown: [WindowID]) -> [String] {
        var found: [String] = []
        func check(_ holds: Bool, _ what: @autoclosure () -> String) { if !holds { found.append(what()) } }
        if idiom.arrangement == .single { check(shown.count <= 1, "S-11: \(shown) are shown at once") }
        check(pip == nil || idiom.places.contains(.pictureInPicture), "W-06: the idiom \(idiom.name) shows a picture")
        check(idiom.places.contains(.splitView) || spaces.allSatisfy { $0.split == nil }, "W-04: the idiom \(idiom.name) shows a pair")
        check(idiom.arrangement == .pad || slideOver.stack.isEmpty, "W-01: the idiom \(idiom.name) has Slide Over")
        check(!isHome || idiom.offers.contains(.home), "the idiom \(idiom.name) offers no home, and it is in front")
        if idiom.depth != nil, let focus {
            let clear = shown.filter { presence(of: $0) == 1 }
            check(clear == [root(of: focus)], "V-02: \(clear) are as clear as the active \(focus)")
        } else if idiom.depth == nil {
            check(gazed == nil && fullSpace == nil, "V-01: the idiom \(idiom.name) knows where a person looks")
        }
        return found
    }

    fileprivate func presentationViolations() -> [String] {
        guard hasChildren else { return [] }
        var found: [String] = []
        let all = frames(), lines = modalLines()
        for id in windows.keys {
            if root(of: id, lines) != root(of: id) || presentation(of: id, lines) != presentation(of: id)
                || hiddenBase(of: id, lines) != hiddenBase(of: id)
            {
                found.append("M-08: \(id) stands on \(root(of: id)), and its line says \(root(of: id, lines))")
            }
            guard let presentation = presentation(of: id), let frame = all[id], let place = all[root(of: id)], windows[id]!.isMapped else {
                continue
            }
            switch presentation {
            case .fullScreen where frame.inset(by: Insets(-bar(of: id), 0, 0, 0)) != place:
                found.append("M-04: the full-screen \(id) does not cover its window: \(frame)")
            case .popover where !place.contains(frame, tolerance: 1):
                found.append("M-11: the popover \(id) leaves its window: \(frame)")
            case .popover where idiom.isCompact(place.size), .currentContext where idiom.isCompact(place.size):
                found.append("M-06: \(id) is a \(presentation.rawValue) in a compact place")
            default: break
            }
        }
        return found
    }
}
