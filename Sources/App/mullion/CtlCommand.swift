import ArgumentParser
import Control
import Journal
import Multitasking
import Windows

struct CtlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl", abstract: "Look into a running shell and drive it.",
        discussion: """
            Lengths are points, times milliseconds. A window is named by its number, which `mullion ctl windows` shows; \
            where it may be left out, the active window is meant.

            Everything here goes through the control socket, which docs/control.md describes.
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "LOOK:",
                subcommands: [
                    CtlState.self, CtlWindows.self, CtlScreenshot.self, CtlFollow.self, CtlLog.self, CtlKeys.self,
                    CtlVersion.self, CtlStatus.self, CtlStatistics.self, CtlDescriptors.self, CtlConfiguration.self, CtlExplain.self,
                    CtlViewList.self,
                    CtlApps.self,
                ]),
            CommandGroup(
                name: "HOME, DOCK, APP SWITCHER, APP SHELF:",
                subcommands: [
                    CtlHome.self, CtlSearch.self, CtlOpen.self, CtlNewWindow.self, CtlAppAction.self, CtlMenu.self, CtlDock.self,
                    CtlSwitcher.self, CtlCloseSpace.self, CtlShelf.self, CtlExpose.self, CtlControls.self, CtlPanel.self,
                    CtlPress.self, CtlAdjust.self, CtlMark.self, CtlKeyFocus.self, CtlScroll.self, CtlDismiss.self, CtlLooks.self,
                    CtlIdiom.self,
                    CtlTabletMode.self, CtlTile.self, CtlMinimize.self,
                    CtlHide.self, CtlQuitApp.self, CtlSwitch.self, CtlMenuBar.self, CtlMagnify.self, CtlDepth.self, CtlGaze.self,
                    CtlSurroundings.self, CtlWrist.self,
                ]),
            CommandGroup(
                name: "ARRANGE WINDOWS:",
                subcommands: [
                    CtlFull.self, CtlSplit.self, CtlSlide.self, CtlPicture.self, CtlClose.self, CtlFocus.self,
                    CtlDivider.self, CtlSwap.self, CtlSlideOver.self, CtlPictureInPicture.self, CtlSpace.self,
                    CtlWaiting.self, CtlLaunch.self,
                ]),
            CommandGroup(
                name: "THE LIFE OF APPS:",
                subcommands: [
                    CtlLife.self, CtlKeep.self, CtlStop.self, CtlEndTask.self, CtlEndInhibitor.self, CtlForgetShortcuts.self,
                    CtlOpenWithoutState.self,
                ]),
            CommandGroup(
                name: "NOTIFICATIONS:",
                subcommands: [CtlNotifications.self, CtlNotice.self, CtlQuiet.self, CtlFocusMode.self, CtlNotifying.self]),
            CommandGroup(name: "SOUND:", subcommands: [CtlAudio.self]),
            CommandGroup(name: "DEVICE:", subcommands: [CtlDevice.self, CtlTray.self, CtlPrompt.self, CtlSettings.self]),
            CommandGroup(
                name: "TOUCH, POINT AND TYPE:",
                subcommands: [
                    CtlTap.self, CtlDrag.self, CtlPinch.self, CtlTouch.self, CtlClick.self, CtlPointer.self, CtlKey.self,
                    CtlType.self,
                ]),
            CommandGroup(
                name: "THE SHELL ITSELF:",
                subcommands: [
                    CtlKeyboard.self, CtlKeyPointer.self, CtlRotate.self, CtlResize.self, CtlScale.self, CtlWait.self, CtlClock.self,
                    CtlReload.self,
                    CtlSend.self, CtlBringBack.self, CtlStartClean.self, CtlLock.self, CtlLogOut.self, CtlQuit.self,
                ]),
        ])
}

/// Chooses the shell to talk to.
struct ShellChoice: ParsableArguments {
    @Option(
        name: .customLong("shell"),
        help: ArgumentHelp(
            "The shell to talk to: the name of its Wayland socket, or the path of its control socket. Otherwise the one "
                + "that $\(ControlPath.variable) names, or the newest.",
            valueName: "name"))
    var name: String?

    func connect() throws -> ControlClient { try ControlClient(finding: name) }

    /// Connects for audio commands. Right after the start of the shell, the sound server may not be ready yet.
    func connectForSound() throws -> ControlClient {
        let client = try connect()
        // If something is still missing then, the answer to the request itself says so.
        _ = try? client.ask(.wait(WaitRequest(until: .sound, timeout: 12_000)))
        return client
    }
}

/// A subcommand that sends one request and prints nothing on success.
protocol Asking: ParsableCommand {
    var shell: ShellChoice { get }
    var request: ControlRequest { get throws }
}

extension Asking {
    mutating func run() throws { try shell.connect().ask(request) }
}

extension WindowID: ExpressibleByArgument {
    public init?(argument: String) {
        guard let raw = UInt32(argument) else { return nil }
        self.init(raw)
    }
}

extension Side: ExpressibleByArgument {}

extension Corner: ExpressibleByArgument {
    private static let words: [(String, Corner)] = [
        ("top-left", .topLeft), ("top-right", .topRight), ("bottom-left", .bottomLeft), ("bottom-right", .bottomRight),
    ]

    public init?(argument: String) {
        guard let known = Corner.words.first(where: { $0.0 == argument || $0.1.rawValue == argument }) else { return nil }
        self = known.1
    }

    public static var allValueStrings: [String] { words.map(\.0) }
}

extension Destination: ExpressibleByArgument {
    private static let words: [(String, Destination)] = [
        ("full", .fullScreen), ("left", .splitView(.left)), ("right", .splitView(.right)), ("top", .splitView(.top)),
        ("bottom", .splitView(.bottom)), ("slide", .slideOver), ("pip", .pictureInPicture),
    ]

    public init?(argument: String) {
        guard let known = Destination.words.first(where: { $0.0 == argument }) else { return nil }
        self = known.1
    }

    public static var allValueStrings: [String] { words.map(\.0) }
}
