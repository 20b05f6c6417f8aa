import ArgumentParser
import Status
import Windows

/// Settings of the device.
struct CtlDevice: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Wireless networks, Bluetooth and the light of the screen.",
        subcommands: [Wireless.self, Bluetooth.self, Brightness.self])

    struct Wireless: Acting {
        static let configuration = CommandConfiguration(commandName: "wifi", abstract: "Switch wireless networks on or off.")
        @OptionGroup var shell: ShellChoice
        @Argument var state = CtlAudio.Switch.toggle
        var action: Action { .device(.wireless(state.value)) }
    }

    struct Bluetooth: Acting {
        static let configuration = CommandConfiguration(commandName: "bluetooth", abstract: "Switch Bluetooth on or off.")
        @OptionGroup var shell: ShellChoice
        @Argument var state = CtlAudio.Switch.toggle
        var action: Action { .device(.bluetooth(state.value)) }
    }

    struct Brightness: Acting {
        static let configuration = CommandConfiguration(commandName: "brightness", abstract: "Set the light of the screen.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "From 0 (the darkest that can be read) to 1.") var share: Double
        var action: Action { .device(.brightness(share)) }
    }
}
