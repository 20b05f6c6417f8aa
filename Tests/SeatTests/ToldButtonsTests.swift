import Seat
import Testing

@Suite("P-05: a surface gets the release of what was pressed there")
struct ToldButtonsTests {
    private enum Step { case press(UInt32), release(UInt32), pressOverNothing(UInt32), focus }

    /// Which presses and releases are delivered.
    private func delivered(_ steps: [Step]) -> [Bool] {
        var told = ToldButtons(), found: [Bool] = []
        for step in steps {
            switch step {
            case .press(let button): found.append(told.delivers(button, pressed: true, hasFocus: true))
            case .release(let button): found.append(told.delivers(button, pressed: false, hasFocus: true))
            case .pressOverNothing(let button): found.append(told.delivers(button, pressed: true, hasFocus: false))
            case .focus: told.focusChanged()
            }
        }
        return found
    }

    @Test("a press, and its release, once")
    func pair() {
        #expect(delivered([.press(1), .press(2), .release(1), .release(1), .release(2)]) == [true, true, true, false, true])
    }

    @Test("a surface that the pointer came to with a button down gets no release of it")
    func moved() {
        #expect(delivered([.press(1), .focus, .release(1), .press(2), .release(2)]) == [true, false, true, true])
    }

    @Test("a press over nothing reaches whoever waits for one, and its release nobody")
    func nowhere() {
        #expect(delivered([.pressOverNothing(1), .focus, .release(1)]) == [true, false])
    }
}
