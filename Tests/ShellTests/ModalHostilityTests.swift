import Control
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// A client that overdoes modal windows (M-08, M-11).
    @Suite(.serialized) struct ModalHostilityTests {
        @Test(
            "M-08, M-11: a tower of modal windows, a storm of popovers, parents in circles and parents that die, and presentations that flicker harm nobody",
            arguments: [
                "tower", "storm", "circle", "dead", "flicker",
            ])
        func hostile(way: String) throws {
            try ShellUnderTest.with(config: "launch = []\nnew-windows = \"always\"\n") { shell in
                let client = try TestClient(shell)
                // Each takes longer than the one before.
                _ = try shell.script("modals.py", way, ShellUnderTest.isSlow ? "100" : "20")
                shell.expectAlive()
                // Its windows are gone with it, and the other goes on.
                try shell.wait("the end of its windows", within: 10) {
                    try shell.state().windows.filter { $0.placeholder != true }.map(\.id) == [client.id]
                }
                try client.tell("title still here")
                try shell.wait("its answer") { try shell.window(client.id).title == "still here" }
            }
        }
    }
}
