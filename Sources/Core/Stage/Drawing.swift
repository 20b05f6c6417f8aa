import Geometry
import Windows

/// Turns the state of the stage into items to draw.
extension Stage {
    /// The rectangle in which a window's own picture is drawn, for the frame in which the window is shown.
    ///
    /// A picture that answers the last configure is fitted into the place (W-11): scaled down if it is too large,
    /// letterboxed if it is smaller. An older picture is stretched over the moving frame; while a finger drags the divider, as it was
    /// fitted into the place that it was drawn for (W-04).
    public func contentRect(of window: Window, in frame: Rect, place: Rect) -> Rect {
        contentRect(of: window.content, in: frame, place: place)
    }

    public func contentRect(of id: WindowID, _ workspace: Workspace, at now: Moment) -> Rect? {
        guard let content = workspace.content(of: id), let (frame, place) = read(id, { ($0.frame.value(at: now), $0.place) }) else {
            return nil
        }
        return contentRect(of: content, in: frame, place: place)
    }

    /// The place of a window's own picture when the window has arrived at its own; nil if it shows none.
    public func settledContent(of id: WindowID, _ workspace: Workspace) -> (rect: Rect, size: Size)? {
        guard workspace.isMapped(id), let content = workspace.content(of: id), !content.size.isEmpty,
            let (rest, place) = read(id, { ($0.rest, $0.place) })
        else { return nil }
        return (contentRect(of: content, in: rest, place: place), content.size)
    }

    /// Converts a point of the screen to a window's own unscaled coordinates.
    public func local(_ point: Point, in id: WindowID, _ workspace: Workspace, at now: Moment) -> Point? {
        guard let content = workspace.content(of: id), let (frame, place) = read(id, { ($0.frame.value(at: now), $0.place) }) else {
            return nil
        }
        let rect = contentRect(of: content, in: frame, place: place)
        guard !rect.isEmpty else { return nil }
        return Rect(origin: .zero, size: content.size.isEmpty ? rect.size : content.size).map(point, from: rect)
    }

    private func contentRect(of content: WindowContent, in frame: Rect, place: Rect) -> Rect {
        guard !content.size.isEmpty, !place.isEmpty else { return frame }
        if content.lensRule.zooms, let shown = content.magnified(in: place) {
            return frame == place ? shown : frame.map(shown, from: place)
        }
        guard !content.isStretched else { return frame }
        let place = content.drawnFor ?? place
        let fitted = place.fitting(content.size)
        if frame == place { return fitted }
        return frame.map(fitted, from: place)
    }

    /// The complete list of items at a moment, back to front.
    ///
    /// - Parameters:
    ///   - hidesWindows: whether a view that fills the screen takes the place of all windows but cards (W-09).
    ///   - surroundings: how dark the surroundings of windows are, from 0 to 1.
    ///   - own: the shell's own views on a layer. They lie above the stage's items there.
    public func items(
        _ workspace: Workspace, hidesWindows: Bool = false, surroundings: Double = 0, at now: Moment,
        own: (ScreenLayer) -> [Item] = { _ in [] }
    ) -> [Item] {
        guard let screen = workspace.screen else { return [] }
        var items: [Item] = [], menus: [Menu] = []
        items.reserveCapacity(96)
        for layer in ScreenLayer.allCases {
            switch layer {
            case .wallpaper:
                items.append(Item(.wallpaper, .art(.wallpaper, size: screen.size), screen.bounds))
                items.append(Item(.layer0, .layer(0), screen.bounds))
                items.append(Item(.layer1, .layer(1), screen.bounds))
                if surroundings > 0.004 { items.append(Item(.surroundings, .fill(.locked), screen.bounds, opacity: min(1, surroundings))) }
            case .windows: if !hidesWindows { menus = addBand(layer, workspace, screen, at: now, to: &items) }
            case .menus:
                add(menus, to: &items)
                leaveCoveredRules(&items)
            case .cards: addCards(workspace, screen, at: now, to: &items)
            case .slideOver:
                guard !hidesWindows else { break }
                // It floats above the space even while the space is swiped up.
                addPassing(isAbove: false, workspace, at: now, to: &items)
                add(addBand(layer, workspace, screen, at: now, to: &items), to: &items)
                addPassing(isAbove: true, workspace, at: now, to: &items)
            case .pinched: addPinched(workspace, at: now, to: &items)
            case .lowPicture, .picture, .lifted: add(addBand(layer, workspace, screen, at: now, to: &items), to: &items)
            case .handles: addHandles(workspace, screen, at: now, to: &items)
            case .preview:
                guard let preview else { break }
                items.append(
                    Item(.dropPreview, .fill(.preview), Stage.previewPane(in: preview.value(at: now)), radius: Stage.previewRadius))
            case .panels:
                items.append(Item(.layer2, .layer(2), screen.bounds))
                items.append(Item(.layer3, .layer(3), screen.bounds))
            case .dragIcon: items.append(Item(.dragIcon, .dragIcon, screen.bounds))
            case .aroundDisc:
                if screen.round != nil { items.append(Item(.aroundDisc, .art(.aroundDisc(.locked), size: screen.size), screen.bounds)) }
            case .home, .bars, .switcherGround, .windowViews, .launches, .marks, .views, .switcher, .shelf, .pictureControls, .edges, .dock,
                .picking, .unread, .banners, .status, .panel, .popover, .carried, .overlay, .rest:
                items += own(layer)
            }
        }
        return items
    }

    /// The menus of a window. They may extend over the neighbouring window, so they come after every window of their band.
    private struct Menu {
        var window: WindowID
        var content: Rect
        var opacity: Double
    }

    private func add(_ menus: [Menu], to items: inout [Item]) {
        for menu in menus { items.append(Item(.popups, menu.window, .popups(menu.window), menu.content, opacity: menu.opacity)) }
    }

    private func addBand(_ layer: ScreenLayer, _ workspace: Workspace, _ screen: Screen, at now: Moment, to items: inout [Item]) -> [Menu] {
        let split = layer == .windows ? workspace.currentSpace?.split : nil
        // Draw the frame around a pair while both windows are in place. Behind a dragged or moving window is the
        // wallpaper.
        var hasBackdrop = split.map { !standsTogether($0, workspace, screen, at: now) } ?? true
        var menus: [Menu] = []
        var dimmers = Workspace.Dimmers(), pillPlace: Int?
        for id in order {
            guard let shown = shown[id], ScreenLayer(shown.level, workspace) == layer, passing[id] == nil, let window = workspace[id],
                isVisible(shown, at: now), !isCarded(id, workspace, at: now)
            else { continue }
            let frame = shown.frame.value(at: now)
            let opacity = max(0, min(1, shown.opacity.value(at: now)))
            if shown.level == .space, !hasBackdrop {
                hasBackdrop = true
                items.append(Item(.spaceBackdrop, .fill(.divider), screen.usable, opacity: opacity))
            }
            if split != nil, pillPlace == nil, isOverDivider(shown, frame, workspace, at: now) { pillPlace = items.count }
            addWindow(window, shown, frame, opacity, workspace, &dimmers, at: now, to: &items)
            if !window.popups.isEmpty {
                menus.append(Menu(window: id, content: contentRect(of: window, in: frame, place: shown.place), opacity: opacity))
            }
        }
        if let split, !workspace.idiom.split.fixed, !isCarded(split.first, workspace, at: now), let bar = dividerBar(workspace, at: now) {
            let isUpright = split.axis(on: screen.size) == .horizontal
            let size = isUpright ? Size(4, min(48, bar.height)) : Size(min(48, bar.width), 4)
            items.insert(Item(.dividerPill, .fill(.pill), Rect(center: bar.center, size: size), radius: 2), at: pillPlace ?? items.count)
        }
        return menus
    }

    /// Adds Slide Over cards that were flipped away, or that return behind the front one.
    private func addPassing(isAbove: Bool, _ workspace: Workspace, at now: Moment, to items: inout [Item]) {
        var dimmers = Workspace.Dimmers()
        for (id, card) in passing where card.isAbove == isAbove {
            guard let shown = shown[id], let window = workspace[id], isVisible(shown, at: now) else { continue }
            addWindow(
                window, shown, shown.frame.value(at: now), max(0, min(1, shown.opacity.value(at: now))), workspace, &dimmers, at: now,
                to: &items)
        }
    }

    /// Whether it is a dialog that is too large for its half (`roomForLargeDialog`): it covers the divider, and has the touches there.
    func isOverDivider(_ shown: Shown, _ frame: Rect, _ workspace: Workspace, at now: Moment) -> Bool {
        shown.level == .dialog && dividerBar(workspace, at: now)?.intersects(frame) == true
    }

    /// Whether both windows of a pair are shown side by side, at any divider position, and also while the space
    /// slides.
    private func standsTogether(_ split: Split, _ workspace: Workspace, _ screen: Screen, at now: Moment) -> Bool {
        guard let first = shown[split.first], let second = shown[split.second], first.level == .space, second.level == .space else {
            return false
        }
        let a = first.frame.value(at: now), b = second.frame.value(at: now)
        let isUpright = split.axis(on: screen.size) == .horizontal
        let gap = isUpright ? b.minX - a.maxX : b.minY - a.maxY
        let side = isUpright ? min(a.height, b.height) - screen.usable.height : min(a.width, b.width) - screen.usable.width
        return abs(gap - workspace.idiom.split.thickness) < 6 && abs(side) < 6
    }

    private func addWindow(
        _ window: Window, _ shown: Shown, _ frame: Rect, _ opacity: Double, _ workspace: Workspace,
        _ dimmers: inout Workspace.Dimmers, at now: Moment, to items: inout [Item]
    ) {
        let id = window.id
        var radius = shown.radius.value(at: now)
        let isCard = workspace.layer(of: id) == .slideOver
        if isCard {
            let card = workspace.cardAround(frame)
            items.append(
                Item(.shadow, id, .shadow(blur: Stage.shadowBlur), card, radius: Stage.cardRadius, opacity: opacity * Stage.shadowOpacity))
            items.append(Item(.card, id, .fill(.card), card, radius: Stage.cardRadius, opacity: opacity))
            radius = 0
        } else if shown.presentation == .popover {
            addPopover(id, shown, frame, opacity, to: &items)
        } else if shown.level >= .dialog || (shown.base != nil && shown.level == .space),
            shown.presentation?.isCovering != true || frame != shown.place
        {
            let card = shown.base == nil ? frame : sheetCard(of: id, frame, workspace)
            items.append(Item(.shadow, id, .shadow(blur: Stage.shadowBlur), card, radius: radius, opacity: opacity * Stage.shadowOpacity))
        }
        let hasBar = workspace.bar(of: id) > 0
        let isLoose = hasBar || (workspace.isFree(id) && workspace.tile(of: id) != .full && !window.commit.wantsFullscreen)
        if isLoose, shown.base == nil, workspace.idiom.depth == nil {
            // Shadows put freely stacked windows in layers (W-25), and the one that has the keys stands highest. Those that clients draw
            // lie outside of their windows, and are not in sight.
            radius = max(radius, workspace.tile(of: id) == nil ? workspace.idiom.free.radius : 0)
            // A lifted window has its shadow already.
            if hasBar || shown.level == .space {
                let isKey = stance(of: id, workspace) == .key
                items.append(
                    Item(
                        .shadow, id, .shadow(blur: Stage.shadowBlur), sheetCard(of: id, frame, workspace), radius: radius,
                        opacity: opacity * Stage.shadowOpacity * (isKey ? 1 : 0.6)))
            }
        }
        var feather = 0.0
        if let depth = workspace.idiom.depth, shown.base == nil {
            // The shell rounds windows that draw no border of their own.
            if window.facts.isBare, workspace.fullSpace != id { radius = max(radius, workspace.idiom.free.radius) }
            // The less clearly a window is seen, the softer are its edges, and the fainter is its shadow.
            let softness = depth.opacity < 1 ? max(0, min(1, (1 - opacity) / (1 - depth.opacity))) : 0
            if workspace.fullSpace != id { feather = depth.feather * softness * workspace.perspective(of: id).scale }
            items.append(
                Item(
                    .shadow, id, .shadow(blur: Stage.shadowBlur), frame, radius: radius,
                    opacity: opacity * Stage.shadowOpacity * (feather > 0 ? 1 - softness : 1)))
        }
        if hasBar { addBar(window, frame, opacity, workspace, to: &items) }
        let content = contentRect(of: window, in: frame, place: shown.place)
        if !content.contains(frame, tolerance: 0.5), shown.base == nil || shown.presentation?.isCovering == true {
            items.append(Item(.letterbox, id, .fill(.letterbox), frame, radius: radius, opacity: opacity, feather: feather))
        }
        // Below a bar the upper corners are the bar's.
        var clip = hasBar ? sheetCard(of: id, frame, workspace) : frame
        // A sheet from edge to edge has no lower corners.
        if workspace.idiom.sheetsFillWidth, shown.presentation == .sheet, let room = workspace.screen?.usable,
            shown.place.maxY >= room.maxY - 0.5
        {
            clip.height += radius
        }
        items.append(Item(.window, id, .window(id), content, clip: clip, radius: radius, opacity: opacity, feather: feather))
        let haze = workspace.haze(over: id)
        if haze > 0.004 { items.append(Item(.haze, id, .fill(.haze), frame, radius: radius, opacity: opacity * haze, feather: feather)) }
        if shown.base == nil { addSpaceBar(id, frame, opacity, workspace, to: &items) }
        let dimmer = workspace.dimmer(of: id, &dimmers)
        if hasBar { addBarRule(window, frame, opacity, workspace, isDimmed: dimmer != nil, to: &items) }
        if dimmer == nil { addPopoverRule(id, frame, opacity, to: &items) }
        if let dimmer, let screen = workspace.screen {
            let presence = presence(of: dimmer, screen, at: now)
            let card =
                shown.base == nil
                ? frame
                : shown.presentation == .popover
                    ? frame.inset(by: -Stage.popoverRim) : sheetCard(of: id, frame, workspace)
            if presence > 0 { items.append(Item(.dimming, id, .fill(.scrim), card, radius: radius, opacity: opacity * presence)) }
        }
        if isCard {
            let card = workspace.cardAround(frame)
            let strip = workspace.idiom.slideOver.topStrip
            let pill = Rect(center: Point(card.center.x, card.minY + strip / 2), size: Size(40, 12))
            addGrip(id, pill, bare: true, isOnLight: nil, opacity, to: &items)
            addDots(workspace, card, id, opacity, to: &items)
        } else if (shown.base != nil && hasGrip(id, workspace)) || (shown.level == .space && workspace.idiom.dressing == .dots) {
            let sight = grips.opacity(of: id, at: now)
            if sight > 0 {
                let card = shown.base == nil ? frame : sheetCard(of: id, frame, workspace)
                let pill = Stage.gripPill(of: card, isSheet: isPulled(id), workspace)
                addGrip(id, pill, bare: false, isOnLight: grips.isOnLight(id), opacity * sight, to: &items)
            }
        }
    }

    /// Draws the three dots of the multitasking controls (W-07). `bare`: on the shell's own background. `isOnLight`:
    /// whether they lie on something light; nil if unknown.
    private func addGrip(_ id: WindowID, _ pill: Rect, bare: Bool, isOnLight: Bool?, _ opacity: Double, to items: inout [Item]) {
        let paints: (ground: Paint, dot: Paint) =
            switch isOnLight {
            case true?: (.dotsOnLight, .gripOnLight)
            case false?: (.dotsOnDark, .gripOnDark)
            case nil: (.dots, .grip)
            }
        if !bare {
            // Smaller than the touch target, so that it covers little of a title.
            let ground = Rect(center: pill.center, size: Size(pill.width - 6, pill.height - 2))
            items.append(Item(.grip, id, .fill(paints.ground), ground, radius: ground.height / 2, opacity: opacity))
        }
        for (index, part) in [Item.Part.gripDot0, .gripDot1, .gripDot2].enumerated() {
            let center = Point(pill.center.x + Double(index - 1) * 9, pill.center.y)
            items.append(
                Item(part, id, .fill(bare ? .mark : paints.dot), Rect(center: center, size: Size(4, 4)), radius: 2, opacity: opacity))
        }
    }

    /// Draws one dot for each window of the stack, with a long one for the front window (W-03).
    private func addDots(_ workspace: Workspace, _ card: Rect, _ id: WindowID, _ opacity: Double, to items: inout [Item]) {
        let count = min(6, workspace.stackHeight(of: id))
        let parts: [Item.Part] = [.dot0, .dot1, .dot2, .dot3, .dot4, .dot5]
        let y = card.maxY - workspace.idiom.slideOver.bottomStrip / 2
        let long = count == 1 ? 64.0 : 24.0
        let width = long + Double(count - 1) * 12
        var x = card.center.x - width / 2
        for index in 0..<count {
            let w = index == 0 ? long : 5
            items.append(Item(parts[index], id, .fill(.mark), Rect(x, y - 2.5, w, 5), radius: 2.5, opacity: opacity))
            x += w + 7
        }
    }

    private func addHandles(_ workspace: Workspace, _ screen: Screen, at now: Moment, to items: inout [Item]) {
        for handle in workspace.handles {
            let frame = handle.frame
            switch handle.kind {
            case .slideOver:
                items.append(Item(.slideOverHandle, .fill(.handle), frame, radius: frame.width / 2))
                items.append(Item(.slideOverHandlePill, .fill(.pill), Rect(center: frame.center, size: Size(4, 40)), radius: 2))
            case .picture:
                items.append(Item(.pipTab, .fill(.handle), frame, radius: 10))
                items.append(Item(.pipTabPill, .fill(.pill), Rect(center: frame.center, size: Size(10, 22)), radius: 3))
            }
        }
    }

    // MARK: Touch targets

    /// The bar between the two windows of a pair, as currently drawn.
    public func dividerBar(_ workspace: Workspace, at now: Moment) -> Rect? {
        guard let split = workspace.currentSpace?.split, let screen = workspace.screen,
            let first = frame(of: split.first, at: now), let second = frame(of: split.second, at: now),
            !held.contains(split.first), !held.contains(split.second)
        else { return nil }
        let thickness = workspace.idiom.split.thickness
        if split.axis(on: screen.size) == .horizontal {
            let middle = (first.maxX + second.minX) / 2
            return Rect(middle - thickness / 2, first.minY, thickness, first.height)
        }
        let middle = (first.maxY + second.minY) / 2
        return Rect(first.minX, middle - thickness / 2, first.width, thickness)
    }

    /// The dots at the top of a window, for its multitasking controls and for dragging it. `isAbove`: they stand
    /// above its upper edge.
    public static func gripPill(of frame: Rect, isAbove: Bool = false) -> Rect {
        Rect((frame.center.x - 20).rounded(), frame.minY + (isAbove ? -16 : 4), 40, 12)
    }

    /// A dialog's title is usually where its dots would be. So they stand above the dialog if the screen has room
    /// there.
    public static func gripPill(of frame: Rect, isSheet: Bool, _ workspace: Workspace) -> Rect {
        gripPill(of: frame, isAbove: hasGripAbove(frame, isSheet: isSheet, workspace))
    }

    static func hasGripAbove(_ frame: Rect, isSheet: Bool, _ workspace: Workspace) -> Bool {
        guard isSheet, workspace.modality == .sheets, let room = workspace.screen?.usable else { return false }
        return frame.minY - 20 >= room.minY
    }

    /// For floating windows: wide and soft.
    static let shadowBlur = 44.0
    static let shadowOpacity = 0.2

    static let previewRadius = 22.0

    /// The preview of a dragged window's place, inset from its edges.
    static func previewPane(in place: Rect) -> Rect {
        let margin = min(10, place.width / 8, place.height / 8)
        return place.inset(by: margin)
    }

    /// Half the width of the dots' touch target, in points.
    static let gripReach = 36.0
}
