import Glibc
import MullionKit
import Toolkit

// A navigator without a map: it speaks the prompts of a route with espeak-ng. Music is lowered while it speaks, spoken
// audio pauses, and both come back.

exit(
    App.run(id: "org.mullion.Navigator") {
        let navigator = Navigator()
        navigator.open()
        return navigator
    })
