import Control
import Geometry
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// ext-idle-notify-v1, KDE's idle protocol and idle-inhibit-v1.
    @Suite(.serialized) struct IdleTests {
        private let still = "launch = []\nreduced-motion = true\n"

        private func watch(_ client: TestClient) throws {
            try client.run("ext = bind('ext_idle_notifier_v1').get_idle_notification(200, seat)")
            try client.run("kde = bind('org_kde_kwin_idle').get_idle_timeout(seat, 200)")
        }

        private func words(_ client: TestClient, since mark: Int) throws -> [String] {
            _ = try client.mark()
            return try client.events(
                since: mark, "ext_idle_notification_v1.idled", "ext_idle_notification_v1.resumed"
            ).map(\.e)
        }

        @Test func silenceIsToldAndSoIsItsEnd() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                try watch(client)
                try client.waitFor("ext_idle_notification_v1.idled")
                try client.waitFor("org_kde_kwin_idle_timeout.idle")
                // Each kind of input ends it; then the time starts again.
                let inputs: [InputRequest] = [
                    .tap(at: Point(300, 300)), .pointerMotion(at: Point(200, 200)), .press(keys: "a"), .pointerAxis(value: 15),
                    .pen(at: Point(400, 400)),
                ]
                for input in inputs {
                    let mark = try client.mark()
                    try shell.client.input(input)
                    try client.waitFor("ext_idle_notification_v1.resumed", since: mark)
                    try client.waitFor("org_kde_kwin_idle_timeout.resumed", since: mark)
                    try client.waitFor("ext_idle_notification_v1.idled", since: mark)
                }
                // With a timeout of zero, it is idle whenever nothing happens.
                let mark = try client.mark()
                try client.run("ext.destroy(); zero = bind('ext_idle_notifier_v1').get_idle_notification(0, seat)")
                try client.waitFor("ext_idle_notification_v1.idled", since: mark)
                try shell.tap(Point(300, 300))
                try shell.wait("both ends") { try words(client, since: mark).suffix(2) == ["resumed", "idled"] }
            }
        }

        /// An inhibitor prevents idleness while its window is visible: in front, beside another, in Slide Over, in
        /// Picture in Picture.
        @Test func anInhibitorCountsWhileItsWindowIsSeen() throws {
            try ShellUnderTest.with(config: still) { shell in
                let watcher = try TestClient(shell)
                let player = try TestClient(shell)
                try player.run("hold = bind('zwp_idle_inhibit_manager_v1').create_inhibitor(surface)")
                _ = try player.mark()
                try watch(watcher)
                func idles(_ expected: Bool, _ what: Comment) throws {
                    let mark = try watcher.mark()
                    if expected {
                        if try words(watcher, since: 0).last != "idled" {
                            try watcher.waitFor("ext_idle_notification_v1.idled", since: mark)
                        }
                        return
                    }
                    if try words(watcher, since: 0).last == "idled" {
                        try watcher.waitFor("ext_idle_notification_v1.resumed", since: mark)
                    }
                    // Three times the timeout.
                    try shell.wait("0.6 s", within: 10) { try Self.seconds(watcher) > 0.6 }
                    #expect(try words(watcher, since: mark).last != "idled", what)
                }
                try idles(false, "in front")
                try shell.perform(.splitView(window: watcher.id, side: .left))
                try idles(false, "beside another")
                try shell.perform(.fullScreen(window: watcher.id))
                try idles(true, "behind")
                try shell.perform(.slideOver(window: player.id))
                try idles(false, "in Slide Over")
                try shell.perform(.pictureInPicture(window: player.id))
                try idles(false, "as a picture")
                try player.tell("unmap")
                try idles(true, "its window is not there")
                try player.tell("map")
                try shell.wait("the window") { try player.report.place != .unmapped }
                try idles(false, "there again")
                try player.run("hold.destroy()")
                try idles(true, "the inhibitor is gone")
                try player.run("hold = bind('zwp_idle_inhibit_manager_v1').create_inhibitor(surface)")
                try idles(false, "another")
                player.signal(9)
                try shell.client.waitUntilGone(player.id)
                try idles(true, "its client is dead")
            }
        }

        /// A locker hides what keeps the device in use. Input behind the lock is activity.
        @Test func aFilmBehindALockerDoesNotCount() throws {
            try ShellUnderTest.with(config: still) { shell in
                let watcher = try TestClient(shell)
                let player = try TestClient(shell)
                try player.run("hold = bind('zwp_idle_inhibit_manager_v1').create_inhibitor(surface)")
                _ = try player.mark()
                let first = try watcher.mark()
                try watch(watcher)
                let locker = try Locker(shell)
                try watcher.waitFor("ext_idle_notification_v1.idled", since: first)
                let second = try watcher.mark()
                try shell.press("a")
                try watcher.waitFor("ext_idle_notification_v1.resumed", since: second)
                try watcher.waitFor("ext_idle_notification_v1.idled", since: second)
                let third = try watcher.mark()
                try locker.unlock()
                try watcher.waitFor("ext_idle_notification_v1.resumed", since: third)
                try player.run("hold.destroy()")
                try watcher.waitFor("ext_idle_notification_v1.idled", since: third)
            }
        }

        @Test func aPanelCountsWhileItIsMapped() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                try client.run(
                    "s = bind('wl_compositor').create_surface(); bar = bind('zwp_idle_inhibit_manager_v1').create_inhibitor(s); "
                        + "l = bind('zwlr_layer_shell_v1').get_layer_surface(s, None, 2, ''); l.set_size(0, 30); l.set_anchor(13); "
                        + "l.on('configure', lambda n, w, h: (l.ack_configure(n), s.attach(app.painter.buffer(w, h, 9, 9), 0, 0), s.commit())); "
                        + "s.commit()")
                try watch(client)
                try shell.wait("1 s", within: 10) { try Self.seconds(client) > 1 }
                #expect(try words(client, since: 0) == [], "the panel is there")
                let mark = try client.mark()
                try client.run("l.destroy(); s.destroy()")
                try client.waitFor("ext_idle_notification_v1.idled", since: mark)
            }
        }

        /// Seconds since its last event, by the client's own clock.
        private static func seconds(_ client: TestClient) throws -> Double {
            try client.run("app.log('client', 'now', [__import__('time').monotonic()])")
            _ = try client.mark()
            let events = try client.events()
            let now = events.last { $0.name == "client.now" }?.t ?? 0
            let first = events.last { !["client.now", "client.synced", "wl_callback.done"].contains($0.name) }?.t ?? now
            return now - first
        }

        @Test func theyMayEndInAnyOrder() throws {
            try ShellUnderTest.with(config: still) { shell in
                let client = try TestClient(shell)
                try watch(client)
                // The notifier before its notification, the surface before its inhibitor, the manager before both.
                try client.run("bind('ext_idle_notifier_v1').destroy(); m = bind('zwp_idle_inhibit_manager_v1'); s = new_surface()")
                try client.run("i = m.create_inhibitor(s); s.destroy(); app.connection.roundtrip(); i.destroy()")
                try client.run("j = m.create_inhibitor(surface); m.destroy(); app.connection.roundtrip(); j.destroy(); kde.release()")
                let mark = try client.mark()
                try shell.tap(Point(300, 300))
                try client.waitFor("ext_idle_notification_v1.idled", since: mark)
                // What was released stays gone.
                try client.run("app.connection.raw(kde.number, 1)")
                #expect(try client.protocolError().object.hasPrefix("wl_display"))
                try shell.client.waitUntilGone(client.id)
                shell.expectAlive()
            }
        }
    }
}
