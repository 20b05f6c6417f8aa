import Glibc
import MullionKit
import Toolkit

// A list of letters: each opens in a window of its own, and a search is a sheet.

exit(
    App.run(id: "org.mullion.Letters") {
        let letters = Letters()
        letters.open()
        return letters
    })
