import Control
import Geometry

/// Input by a user while the clients act.
extension Generator {
    /// Usually where windows are; sometimes at an edge, where the shell's own gestures begin.
    private func place() -> Point {
        dice.chance(0.9)
            ? Point(Double(dice.number(60..<1120)), Double(dice.number(60..<760)))
            : Point(dice.pick([3.0, 590, 1177])!, dice.pick([3.0, 410, 817])!)
    }

    func moveHands() {
        let finger = Int32(dice.number(0..<3))
        switch dice.number(0..<14) {
        case 0...2: player.play(.input(.touchDown(touch: finger, at: place())))
        case 3...5: player.play(.input(.touchMotion(touch: finger, at: place())))
        case 6: player.play(.input(.touchUp(touch: finger)))
        case 7: player.play(.input(.touchCancel(touch: finger)))
        case 8, 9: player.play(.input(.pen(at: place(), pressure: dice.pick([0, 0.5])!)))
        case 10: player.play(.input(dice.chance(0.5) ? .penAway : .penButton(button: .init(code: 0x14b), pressed: dice.chance(0.5))))
        case 11: player.play(.input(.pointerMotion(at: place())))
        case 12: player.play(.input(.pointerButton(button: dice.pick([.left, .right])!, pressed: dice.chance(0.5))))
        default:
            player.play(
                .input(
                    .touchpad(
                        gesture: dice.pick([.swipe, .pinch, .hold])!, phase: dice.pick([.begin, .update, .end, .cancel])!, fingers: 3,
                        by: Point(4, 2), scale: 1.1)))
        }
    }

    /// Releases everything, and closes the shell's own views.
    func liftHands() {
        for finger in 0..<3 { player.play(.input(.touchUp(touch: Int32(finger)))) }
        player.play(.input(.penAway))
        for button in [InputRequest.Button.left, .right] { player.play(.input(.pointerButton(button: button, pressed: false))) }
        player.play(.input(.press(keys: "Escape")))
    }
}
