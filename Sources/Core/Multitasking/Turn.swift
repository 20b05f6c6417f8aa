import AudioSessions
import Windows

/// What one event leads to, in order: effects for the adapters, and what one room wishes of another.
///
/// A room changes its own state at once. What only `System` can do, because it needs several rooms, it asks for here, and
/// `System` does that before the event ends. An effect that follows a wish waits behind it, so that the order stays the one
/// in which things were said.
struct Turn {
    private(set) var effects: [Effect] = []
    private var waiting: [Step] = []

    private enum Step {
        case effect(Effect)
        case wish(Wish)
    }

    var hasWishes: Bool { !waiting.isEmpty }

    mutating func send(_ effect: Effect) {
        if waiting.isEmpty { effects.append(effect) } else { waiting.append(.effect(effect)) }
    }

    mutating func ask(_ wish: Wish) { waiting.append(.wish(wish)) }

    /// Grants what was asked for so far, and what is asked for meanwhile right after the wish that led to it.
    mutating func grantWishes(_ grant: (Wish, inout Turn) -> Void) {
        while !waiting.isEmpty {
            let steps = waiting
            waiting.removeAll()
            for step in steps {
                switch step {
                case .effect(let effect): effects.append(effect)
                case .wish(let wish):
                    grant(wish, &self)
                    grantWishes(grant)
                }
            }
        }
    }
}

/// What a room cannot do itself.
enum Wish {
    /// Bring every room in line with what has changed (`System.settle`). `thrown`: the window that the finger let go of.
    case settle(thrown: WindowID? = nil)
    /// Take the divider that is dragged a step further, towards this place if a finger names one.
    case stepDivider(wanted: Double? = nil)
    /// Tell whoever lies under the pointer now.
    case hover
    /// Tell sound.
    case sound(AudioEvent)
    /// Wake an app, or end a task of it.
    case life(LifeWish)
}
