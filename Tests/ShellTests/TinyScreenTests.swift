import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Outputs with room for next to nothing.
    @Suite(.serialized) struct TinyScreenTests {
        @Test("an output of 96 pixels: in every idiom the shell answers, its views open and close, and no window is lost")
        func tiny() throws {
            try ShellUnderTest.with(
                size: "96x96", config: "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n[life]\ngrace = 600\n"
            ) { shell in
                let clients = [try TestClient(shell), try TestClient(shell, ["--minimum", "400x300"])]
                for idiom in ["phone", "mac", "tv", "watch", "round-watch", "vision", "pad"] {
                    try shell.perform(.idiom(idiom))
                    for action in [
                        Action.home, .appSwitcher, .controlCentre, .notifications, .keyHelp, .search(text: "a"), .wrist(raised: false),
                        .wrist(raised: true),
                    ] {
                        // An idiom refuses what it does not have.
                        try? shell.client.perform(action)
                        try shell.settle()
                        try shell.drag(Point(48, 95), Point(48, 20), duration: 80)
                        try shell.press("Down")
                        try shell.press("Escape")
                        _ = try shell.picture()
                        for _ in 0..<4 where try !shell.state().open.isEmpty { try? shell.perform(.dismiss) }
                    }
                    #expect(try shell.state().windows.count == clients.count, "\(idiom)")
                    for client in clients {
                        try shell.perform(.focus(window: client.id))
                        #expect(try client.report.shown, "\(idiom)")
                        try shell.wait("its answer in \(idiom)") { try client.report.answered == (client.report.configured ?? 0) }
                    }
                }
                try shell.perform(.resizeScreen(size: Size(1180, 820)))
                try shell.wait("its size") { try clients[0].report.size == Size(1180, 820) || clients[0].report.told == Size(1180, 820) }
                shell.expectAlive()
            }
        }
    }
}
