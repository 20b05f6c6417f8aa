import ArgumentParser
import Status
import Windows

/// Settings of the device.
struct CtlDevice: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Wireless networks, Bluetooth, the light of the screen, rotation, power and drives.",
        subcommands: [
            Wireless.self, Join.self, Leave.self, LogIn.self, Forget.self, Bluetooth.self, Pick.self, Unpair.self, Aeroplane.self,
            Brightness.self,
            RotationLock.self, NightLight.self, FlashLight.self, Record.self, PowerProfile.self, End.self, PowerButton.self,
            SwitchUser.self, Open.self,
            Eject.self, Location.self, ForgetKept.self,
        ])

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

    struct Join: Acting {
        static let configuration = CommandConfiguration(
            commandName: "join", abstract: "Join a wireless network of the open list. A person types its password.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its id in `mullion ctl status`.") var id: String
        var action: Action { .device(.network(.join(id))) }
    }

    struct Leave: Acting {
        static let configuration = CommandConfiguration(commandName: "leave", abstract: "Leave the wireless network in use.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .device(.network(.leave)) }
    }

    struct LogIn: Acting {
        static let configuration = CommandConfiguration(
            commandName: "log-in", abstract: "Open the page on which the network in use asks for a login.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .device(.network(.logIn)) }
    }

    struct Forget: Acting {
        static let configuration = CommandConfiguration(commandName: "forget", abstract: "Forget a saved network of the open list.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its id in `mullion ctl status`.") var id: String
        var action: Action { .device(.network(.forget(id))) }
    }

    struct Open: Acting {
        static let configuration = CommandConfiguration(commandName: "open", abstract: "Mount a removable drive, and open its folder.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its id in `mullion ctl status`.") var id: String
        var action: Action { .device(.drive(.open(id))) }
    }

    struct Eject: Acting {
        static let configuration = CommandConfiguration(
            commandName: "eject", abstract: "Unmount a removable drive, so that it can be taken out.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its id in `mullion ctl status`.") var id: String
        var action: Action { .device(.drive(.eject(id))) }
    }

    struct Location: Acting {
        static let configuration = CommandConfiguration(
            commandName: "location", abstract: "Whether an app may know where the device is; `later` refuses it only this time.")
        enum Answer: String, ExpressibleByArgument, CaseIterable { case allow, refuse, later }
        @OptionGroup var shell: ShellChoice
        @Argument(help: "The id of the app.") var app: String
        @Argument(help: "allow, refuse or later.") var answer: Answer
        var action: Action { .device(.location(answer == .later ? .later(app: app) : .allow(app: app, answer == .allow))) }
    }

    struct ForgetKept: Acting {
        static let configuration = CommandConfiguration(
            commandName: "forget-kept", abstract: "Delete what the shell keeps for an app. This cannot be undone.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "The id of the app.") var app: String
        var action: Action { .device(.kept(.delete(app: app))) }
    }

    struct Pick: Acting {
        static let configuration = CommandConfiguration(
            commandName: "pick", abstract: "Connect a Bluetooth device of the open list, pair it first if it is new, or disconnect it.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its path in `mullion ctl status`.") var path: String
        var action: Action { .device(.pairing(.pick(path))) }
    }

    struct Unpair: Acting {
        static let configuration = CommandConfiguration(commandName: "unpair", abstract: "Forget a paired device of the open list.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "Its path in `mullion ctl status`.") var path: String
        var action: Action { .device(.pairing(.forget(path))) }
    }

    struct Aeroplane: Acting {
        static let configuration = CommandConfiguration(commandName: "aeroplane", abstract: "Switch all radios off, or on again.")
        @OptionGroup var shell: ShellChoice
        @Argument var state = CtlAudio.Switch.toggle
        var action: Action { .device(.aeroplane(state.value)) }
    }

    struct RotationLock: Acting {
        static let configuration = CommandConfiguration(
            commandName: "rotation-lock", abstract: "Whether the screen stays as it is when the device is turned.")
        @OptionGroup var shell: ShellChoice
        @Argument var state = CtlAudio.Switch.toggle
        var action: Action { .device(.rotationLock(state.value)) }
    }

    struct NightLight: Acting {
        static let configuration = CommandConfiguration(
            commandName: "night-light", abstract: "Warmer colours, until the schedule next changes them.")
        @OptionGroup var shell: ShellChoice
        @Argument var state = CtlAudio.Switch.toggle
        var action: Action { .device(.nightLight(state.value)) }
    }

    struct FlashLight: Acting {
        static let configuration = CommandConfiguration(commandName: "flash-light", abstract: "The lamp of the camera.")
        @OptionGroup var shell: ShellChoice
        @Argument var state = CtlAudio.Switch.toggle
        var action: Action { .device(.flashLight(state.value)) }
    }

    struct Record: Acting {
        static let configuration = CommandConfiguration(
            commandName: "record", abstract: "Begin or end a film of the screen, in the folder for videos (needs wf-recorder).")
        @OptionGroup var shell: ShellChoice
        @Argument var state = CtlAudio.Switch.toggle
        var action: Action { .device(.record(state.value)) }
    }

    struct PowerProfile: Acting {
        static let configuration = CommandConfiguration(
            commandName: "power-profile", abstract: "Set the balance of speed and battery.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "power-saver, balanced or performance.") var name: String
        var action: Action { .device(.powerProfile(name)) }
    }

    struct End: Acting {
        static let configuration = CommandConfiguration(
            commandName: "end", abstract: "Turn the machine off or restart it, once apps have ended; or let it sleep.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "turn-off, restart, update or suspend.") var how: MachineEnd
        @Flag(help: "Whatever programs hold it up.") var anyway = false
        var action: Action { .device(anyway ? .endAnyway(how) : .end(how)) }
    }

    struct SwitchUser: Acting {
        static let configuration = CommandConfiguration(
            commandName: "switch-user", abstract: "Lock, and show the greeter of the machine.")
        @OptionGroup var shell: ShellChoice
        var action: Action { .device(.switchUser) }
    }

    struct PowerButton: Acting {
        static let configuration = CommandConfiguration(
            commandName: "power-button", abstract: "What the power button does: dark and locked, or lit again; or a menu.")
        @OptionGroup var shell: ShellChoice
        @Flag(help: "A long press.") var long = false
        var action: Action { .device(.powerButton(isLong: long)) }
    }

    struct Brightness: Acting {
        static let configuration = CommandConfiguration(commandName: "brightness", abstract: "Set the light of the screen.")
        @OptionGroup var shell: ShellChoice
        @Argument(help: "From 0 (the darkest that can be read) to 1.") var share: Double
        var action: Action { .device(.brightness(share)) }
    }
}

extension MachineEnd: ExpressibleByArgument {}
