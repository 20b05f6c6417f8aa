import Control
import Geometry
import Journal
import MullionTesting
import Multitasking
import Testing
import Tour
import Windows

extension RunningShell {
    /// Rule W-10: apps do not learn how they are arranged. They know their size, and whether they are active.
    @Suite(.serialized) struct NothingLearntTests {
        /// The messages of a resize and a change of focus, and no others.
        private static let ordinary: Set<String> = [
            "xdg_toplevel.configure", "xdg_surface.configure", "wl_buffer.release", "wl_callback.done",
            "wl_display.delete_id", "wl_keyboard.enter", "wl_keyboard.leave", "wl_keyboard.modifiers",
            "wl_pointer.enter", "wl_pointer.leave", "wl_pointer.frame", "wl_pointer.motion", "xdg_wm_base.ping",
            "wl_data_device.selection", "zwp_primary_selection_device_v1.selection",
            "wp_presentation_feedback.sync_output", "wp_presentation_feedback.presented",
            "wp_presentation_feedback.discarded", "wl_registry.global", "wl_surface.enter",
        ]

        private static func everywhere(_ id: WindowID) -> [Action] {
            [
                .splitView(window: id, side: .left), .splitView(window: id, side: .right), .divider(fraction: 1.0 / 3),
                .slideOver(window: id), .slideOverSide(.left), .slideOverHide, .slideOverShow,
                .pictureInPicture(window: id), .pipWidth(400), .pipStash(nil), .pipShow, .fullScreen(window: id),
            ]
        }

        @Test func everyConfigureIsTheSameButForSizeAndActivated() throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\n") { shell in
                let other = try TestClient(shell), client = try TestClient(shell)
                let start = try client.mark()
                for action in Self.everywhere(client.id) { try shell.perform(action) }
                _ = try client.mark()

                // What the shell reports as sent …
                let told = try shell.configures(of: client.id)
                #expect(told.count > 6)
                #expect(Set(told.map(\.rest)) == [["maximized", "tiled_left", "tiled_right", "tiled_top", "tiled_bottom"]])
                #expect(Set(try shell.configures(of: other.id).map(\.rest)) == Set(told.map(\.rest)))
                // … is exactly what the client received.
                let got = try client.events(since: start)
                let states = got.filter { $0.name == "xdg_toplevel.configure" }.map { event in
                    Set(event.a[2]?.array?.compactMap(\.integer) ?? []).subtracting([4])
                }
                #expect(Set(states) == [[1, 5, 6, 7, 8]])
                let names = Set(got.map(\.name)).subtracting(["client.synced"])
                #expect(names.subtracting(Self.ordinary).isEmpty, "\(names)")
            }
        }

        /// Windows that open in the same turn of the loop are arranged together: one that is hidden at its end gets
        /// none of the intermediate states. A client that ignored a size gets it again when it is shown.
        @Test func whoComesWithManyIsToldOnce() throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n") { shell in
                _ = try shell.start(["python3", "\(TestClient.folder)/at_once.py", "20"])
                try shell.wait("all of them") { try shell.state().windows.filter { $0.place == .full }.count == 20 }
                try shell.settle()
                let ids = try shell.state().windows.map(\.id).sorted()
                try shell.expectShown(ids.last!)
                #expect(try shell.state().windows.filter(\.active).map(\.id) == [ids.last!])
                let told = try ids.map { try shell.configures(of: $0).count }
                #expect(told.dropFirst().dropLast().allSatisfy { $0 == 1 } && told.last! == 3, "\(told)")
                try shell.perform(.focus(window: ids[7]))
                try shell.settle()
                #expect(try shell.configures(of: ids[7]).map(\.size.height) == [820, 819, 820])
            }
        }

        /// The same for programs that bind every global.
        @Test(arguments: [["foot", "foot"], ["gtk4-demo", "gtk-4-examples"], ["gtk3-demo", "gtk-3-examples"]])
        func aToolkitIsToldNothingMore(program: [String]) throws {
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\n") { shell in
                _ = try TestClient(shell)
                let app = try shell.open(program[0], of: program[1], environment: ["WAYLAND_DEBUG=1"])
                let length = shell.programLog.utf8.count
                for action in Self.everywhere(app.id) { try shell.perform(action) }
                var names: Set<String> = []
                for line in shell.programLog.utf8.dropFirst(length).split(separator: UInt8(ascii: "\n")) {
                    let text = String(decoding: line, as: UTF8.self)
                    guard let message = ProtocolMessage(line: text), !message.isRequest else { continue }
                    names.insert("\(message.interface).\(message.name)")
                }
                #expect(names.contains("xdg_toplevel.configure"))
                #expect(names.subtracting(Self.ordinary).isEmpty, "\(names.subtracting(Self.ordinary))")
                let told = try shell.configures(of: app.id)
                #expect(Set(told.map(\.rest)).count == 1, "\(told)")
            }
        }

        @Test func theEnvironmentNamesNoConfiguration() throws {
            try ShellUnderTest.with { shell in
                _ = try TestClient(shell)
                var seen: [[String: String]] = []
                let places: [Destination] = [.fullScreen, .splitView(.left), .slideOver, .pictureInPicture]
                for (index, place) in places.enumerated() {
                    let file = "\(shell.room)/environment-\(index)"
                    try shell.client.perform(.launch(command: ["sh", "-c", "env > \(file).part && mv \(file).part \(file)"], to: place))
                    try shell.wait("the environment") { !shell.text(of: file).isEmpty }
                    var variables: [String: String] = [:]
                    for line in shell.text(of: file).split(separator: "\n") {
                        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                        if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
                    }
                    // What distinguishes two launches, and sh's own variables.
                    for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID", "_", "PWD", "OLDPWD"] { variables[name] = nil }
                    seen.append(variables)
                }
                #expect(Set(seen).count == 1)
                for (name, value) in seen[0] {
                    for word in ["split", "slide", "picture", "fullscreen", "layout", "scene"] {
                        #expect(!name.lowercased().contains(word) && !value.lowercased().contains(word), "\(name)=\(value)")
                    }
                }
            }
        }
    }
}
