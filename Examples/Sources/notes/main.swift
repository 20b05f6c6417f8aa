import Glibc
import MullionKit
import Toolkit

// A note whose text, cursor and scroll place survive the end of the app, whatever ends it.

exit(
    App.run(id: "org.mullion.Notes") {
        let notes = Notes()
        notes.open()
        return notes
    })
