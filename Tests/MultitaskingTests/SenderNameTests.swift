import AudioSessions
import Callers
import Geometry
import Interface
import MullionTesting
import Multitasking
import Notices
import Stage
import Testing
import Windows

/// Whoever tells or plays is named in one way, whatever it says of itself (P-06, docs/security.md).
@Suite("P-06: senders are named in one way") struct SenderNameTests {
    private func name(_ world: CoreWorld, _ id: ControlID) throws -> Text {
        try #require(world.controls.first { $0.id == id }, "no \(id)").name
    }

    private func forged(_ owner: Owner?) -> NoticeContent {
        var content = NoticeContent(app: "app1", name: "Firefox", title: "Update", body: "Your password?")
        content.icon = "firefox"
        content.site = "bank.example"
        content.owner = owner
        return content
    }

    @Test("P-06: a banner, the list, its head and its settings name a nameless sandbox as a program, and draw no icon of an app")
    func notifications() throws {
        var world = CoreWorld()
        world.open(2)
        world.wait(5000)
        world.send(.notice(.notify(NoticeID(1), forged(.nameless), sender: ":1.5", at: 1_800_000_000)))
        world.wait(1000)
        #expect(try name(world, "notice/open") == .detailed(.someProgram, "Update: Your password?"))
        func iconOfApp(_ items: [Item]) -> Bool {
            items.contains {
                if case .art(.icon(let icon), _) = $0.kind { icon.name == "firefox" || icon.title.contains("irefox") } else { false }
            }
        }
        #expect(!iconOfApp(world.system.items(at: world.now)))
        world.act(.notifications)
        world.wait(2000)
        #expect(try name(world, "notifications/item/1") == .detailed(.someProgram, "Update: Your password?"))
        let group = NoticeContent.namelessGroup
        #expect(try name(world, ControlID(.notifications, "group/\(group)").part("settings")) == .about(.noticeSettings, .someProgram))
        #expect(!iconOfApp(world.system.items(at: world.now)))
        world.act(.notice(.settings(group: group)))
        world.wait(1000)
        #expect(world.controls.contains { $0.name == .about(.noticeSettings, .someProgram) })
        #expect(world.finish() == [])
    }

    @Test("P-06: music and calls of a nameless sandbox are a program's, and those of one with a name its app's")
    func sound() throws {
        func playing(_ app: AudioApp) throws -> Text {
            var world = CoreWorld()
            world.open(1)
            world.send(.audio(.serverChanged(isRunning: true)))
            var info = NowPlayingInfo()
            info.title = "Nocturne"
            world.send(
                .audio(
                    .playerAppeared(
                        PlayerID("org.mpris.MediaPlayer2.x"),
                        PlayerFacts(
                            app: app, name: "Firefox", status: .playing, commands: [.play, .pause], info: info))))
            world.act(.controlPage(.main))
            world.wait(2000)
            return try #require(
                world.controls.first { $0.id.rawValue.hasPrefix("control-centre/playing") && $0.id.rawValue.hasSuffix("/app") }
            ).name
        }
        #expect(try playing(AudioApp(id: "", lineage: [77], isSandboxed: true)) == .detailed(.someProgram, "Nocturne"))
        #expect(try playing(AudioApp(id: "org.a", lineage: [77], isSandboxed: true)) == .verbatim("Nocturne, org.a"))
        #expect(try playing(AudioApp(id: "mpv", lineage: [77])) == .verbatim("Nocturne, Firefox"))
    }
}
