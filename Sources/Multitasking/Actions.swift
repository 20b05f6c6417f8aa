import Geometry
import Stage
import Windows

/// A person's wishes, carried out.
extension System {
    mutating func perform(_ action: Action, at now: Moment, _ effects: inout [Effect]) throws(Refusal) {
        // What a key or ctl asks for and what a finger holds cannot both win: the finger lets go (law 8).
        if changesLayout(action) { cancelGrab(at: now, &effects) }
        switch action {
        case .fullScreen(let window): try workspace.move(named(window), to: .fullScreen)
        case .splitView(let window, let side): try workspace.move(named(window), to: .splitView(side))
        case .slideOver(let window): try workspace.move(named(window), to: .slideOver)
        case .pictureInPicture(let window): try workspace.move(named(window), to: .pictureInPicture)
        case .close(let window):
            let id = try named(window)
            guard workspace[id] != nil else { throw Refusal("there is no \(id)") }
            effects.append(.close(id))
        case .focus(let window): try workspace.activate(window)
        case .focusNext: try workspace.focusNext()

        case .divider(let fraction, let exact):
            guard fraction.isFinite, (0...1).contains(fraction) else {
                throw Refusal("the divider's place is a number from 0 to 1, not \(fraction)")
            }
            if exact ?? false { try workspace.setDivider(fraction) } else { try workspace.dropDivider(fraction) }
        case .dividerStep(let step): try stepDividerByKey(step)
        case .swapSides: try workspace.swapSplit()

        case .slideOverSide(let side): try workspace.setSlideOverSide(side)
        case .slideOverHide: try workspace.setSlideOverHidden(true)
        case .slideOverShow: try workspace.setSlideOverHidden(false)
        case .slideOverToggle: try workspace.setSlideOverHidden(!workspace.slideOver.isHidden)
        case .slideOverNext: try workspace.flipSlideOver(forward: true)
        case .slideOverPrevious: try workspace.flipSlideOver(forward: false)

        case .pictureCorner(let corner): try workspace.setPictureCorner(corner)
        case .pictureWidth(let width): try workspace.setPictureWidth(width)
        case .pictureStep(let step):
            guard step == 1 || step == -1 else { throw Refusal("a step is 1 or -1, not \(step)") }
            try workspace.setPictureWidth((workspace.pictureWidth ?? 1) * (step > 0 ? 1.2 : 1 / 1.2))
        case .pictureStash(let side):
            try workspace.setPictureStashed(side ?? (workspace.pip?.corner.isLeft ?? false ? .left : .right))
        case .pictureShow: try workspace.setPictureStashed(nil)
        case .pictureToggle:
            let side: Side = workspace.pip?.corner.isLeft ?? false ? .left : .right
            try workspace.setPictureStashed(workspace.pip?.stashed == nil ? side : nil)

        case .nextSpace: try workspace.showNeighbour(1)
        case .previousSpace: try workspace.showNeighbour(-1)
        case .showSpace(let space): try workspace.showSpace(space)

        case .openWaiting(let window, let destination):
            guard let id = window ?? workspace.waiting.first else { throw Refusal("no window is waiting") }
            try workspace.admitWaiting(id, to: destination ?? .fullScreen)
        case .launch(let command, let destination):
            guard let program = command.first, !program.isEmpty else { throw Refusal("a command to launch is missing") }
            effects.append(.launch(workspace.beginLaunch(to: destination, at: now), command: command))

        case .rotate(let turns):
            guard (0...3).contains(turns) else { throw Refusal("a rotation is 0, 1, 2 or 3 quarter turns, not \(turns)") }
            effects.append(.configureScreen(size: nil, scale: nil, rotation: turns))
        case .resizeScreen(let size, let scale):
            if let size, !(1...16384).contains(size.width) || !(1...16384).contains(size.height) {
                throw Refusal("a screen is from 1 to 16384 points wide and high, not \(size.width) x \(size.height)")
            }
            if let scale, !(0.5...8).contains(scale) { throw Refusal("a scale is from 0.5 to 8, not \(scale)") }
            effects.append(.configureScreen(size: size, scale: scale, rotation: nil))
        case .quit: effects.append(.quit)
        }
    }

    private func named(_ window: WindowID?) throws(Refusal) -> WindowID {
        if let window { return window }
        guard let focus = workspace.focus else { throw Refusal("no window is active") }
        return focus
    }

    private func changesLayout(_ action: Action) -> Bool {
        switch action {
        case .launch, .quit, .close: false
        default: true
        }
    }

    /// To the next resting place; past the last one the larger window is left alone (W-04).
    private mutating func stepDividerByKey(_ step: Int) throws(Refusal) {
        guard step == 1 || step == -1 else { throw Refusal("a step is 1 or -1, not \(step)") }
        guard let split = workspace.currentSpace?.split else { throw Refusal("no Split View is in front") }
        let snaps = workspace.idiom.dividerSnaps
        let next = step > 0 ? snaps.first { $0 > split.fraction + 0.01 } : snaps.last { $0 < split.fraction - 0.01 }
        try workspace.dropDivider(next ?? (step > 0 ? 1 : 0))
    }
}
