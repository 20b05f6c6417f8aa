import Descriptors
import Glibc

/// The lamp beside the camera, as the kernel offers it in a folder such as /sys/class/leds: "white:torch" or "white:flash".
package struct FlashLight {
    package var name: String
    package var largest: UInt32
    private var folder: String

    /// nil: there is none.
    package init?(in folder: String) {
        let names = Backlight.entries(of: folder).sorted()
        // The torch is made to stay on.
        for function in ["torch", "flash"] {
            for name in names.prefix(256) where name.lowercased().contains(function) {
                guard let largest = Backlight.number(in: "\(folder)/\(name)/max_brightness"), largest > 0 else { continue }
                (self.name, self.largest, self.folder) = (name, largest, "\(folder)/\(name)")
                return
            }
        }
        return nil
    }

    package var isOn: Bool { Backlight.number(in: "\(folder)/brightness") ?? 0 > 0 }
}
