import Glibc
import MullionKit
import Toolkit

// A call simulator: it rings, is accepted or declined, and the other side speaks through espeak-ng. It shows what calls do
// to everything else that sounds.

exit(
    App.run(id: "org.mullion.Phone") {
        let phone = Phone()
        phone.open()
        return phone
    })
