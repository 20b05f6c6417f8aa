import Chrome
import Control
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Rule X-01: small programs that people use in scripts.
    @Suite(.serialized) struct ToolsTests {
        @Test func wtypeTypesIntoFoot() throws {
            try ShellUnderTest.with { shell in
                try ShellUnderTest.require("wtype", of: "wtype")
                try shell.open("foot", of: "foot", ["sh"])
                let file = "\(shell.room)/typed"
                let (status, output) = try shell.run(["wtype", "echo 'Grüße, 한국어' >\(file)\n"])
                #expect(status == 0, "\(output)")
                try shell.wait("what was typed") { shell.text(of: file) == "Grüße, 한국어\n" }
                // And the shell's own keyboard keeps working.
                try shell.client.input(.type(text: "echo Again! >\(file)\n"))
                try shell.wait("what was typed") { shell.text(of: file) == "Again!\n" }
            }
        }

        /// Only a person at the keyboard may switch to a console without a lock.
        @Test func programsCannotSwitchConsoles() throws {
            try ShellUnderTest.require("wtype", of: "wtype")
            try ShellUnderTest.with { shell in
                _ = try TestClient(shell)
                #expect(try shell.run(["wtype", "-k", "XF86Switch_VT_3"]).status == 0)
                try shell.waitForLog("a virtual keyboard asked for console 3; refused")
                try shell.press("Ctrl+Alt+F4")
                try shell.waitForLog("asked for console 4; refused")
            }
        }

        @Test func clipboard() throws {
            try ShellUnderTest.with { shell in
                try ShellUnderTest.require("wl-copy", of: "wl-clipboard")
                _ = try TestClient(shell)
                for options in [[], ["--primary"]] as [[String]] {
                    let words = "copied \(options) 한국어"
                    #expect(try shell.run(["wl-copy"] + options + [words]).status == 0)
                    let pasted = try shell.run(["wl-paste", "--no-newline"] + options)
                    #expect(pasted.output == words)
                }
                #expect(try shell.state().windows.count == 1, "they need no window")
            }
        }

        /// Drawn directly to memory, and through wlroots' renderer, as with a GPU.
        @Test(arguments: ["auto", "wlr"]) func grimSeesWhatIsThere(draw: String) throws {
            try ShellUnderTest.with(options: ["--draw", draw]) { shell in
                try ShellUnderTest.require("grim", of: "grim")
                _ = try TestClient(shell, ["--colour", "aa2244"])
                _ = try TestClient(shell, ["--colour", "22aa44"], to: .splitView(.right))
                _ = try TestClient(shell, ["--colour", "4422aa"], to: .slideOver)
                _ = try TestClient(shell, ["--colour", "aaaa22"], to: .pictureInPicture)
                let path = "\(shell.room)/grim.png"
                let (status, output) = try shell.run(["grim", path])
                #expect(status == 0, "\(output)")
                let theirs = try PNG.read(path), ours = try shell.picture()
                #expect(theirs.width == 1180 && theirs.height == 820)
                // The renderer draws corners and shadows slightly differently.
                let difference = theirs.difference(from: ours, tolerance: draw == "wlr" ? 40 : 2)
                #expect(difference.count <= (draw == "wlr" ? 200 : 0), "\(difference)")
            }
        }

        @Test func waylandInfoListsTheProtocols() throws {
            try ShellUnderTest.with { shell in
                try ShellUnderTest.require("wayland-info", of: "wayland-utils")
                let (status, output) = try shell.run(["wayland-info"])
                #expect(status == 0)
                for name in [
                    "wl_compositor", "wl_subcompositor", "wl_shm", "zwp_linux_dmabuf_v1", "xdg_wm_base",
                    "zxdg_decoration_manager_v1", "xdg_activation_v1", "zxdg_output_manager_v1", "wp_viewporter",
                    "wp_presentation", "wl_data_device_manager", "zwp_primary_selection_device_manager_v1",
                    "zwlr_data_control_manager_v1", "zwlr_layer_shell_v1", "zwp_virtual_keyboard_manager_v1",
                    "zwlr_virtual_pointer_manager_v1", "zwlr_screencopy_manager_v1", "zwlr_foreign_toplevel_manager_v1",
                ] where !output.contains("'\(name)'") {
                    // Without a GPU there are no shared GPU buffers.
                    if name == "zwp_linux_dmabuf_v1" { continue }
                    Issue.record("\(name) is not offered")
                }
            }
        }
    }
}
