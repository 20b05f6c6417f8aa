import Testing
import Tour

/// What WAYLAND_DEBUG prints differs between libwayland 1.21 (Debian 12) and 1.23 (Debian 13): the same app, on both.
@Suite struct ProtocolMessageTests {
    static let old = """
        [ 341.592] wl_registry@2.global(7, "wl_seat", 7)
        [ 341.601]  -> wl_registry@2.bind(7, "wl_seat", 7, new id [unknown]@9)
        [1341.702] xdg_toplevel@21.wm_capabilities(array[16])
        [1341.703] xdg_toplevel@21.configure(1180, 820, array[24])
        [1341.705]  -> xdg_surface@20.ack_configure(3)
        Gtk-Message: 12:01:07.519: Failed to load module "canberra-gtk-module"
        [1342.114] wl_touch@13.down(44, 9871, wl_surface@19, 1, 120.50000000, 80.00000000)
        [1342.115] wl_touch@13.frame()
        [1342.310] discarded wl_touch@13.motion(9990, 1, 121.00000000, 80.00000000)
        [1342.410] wl_touch@13.up(45, 9999, 1)
        [1342.510]  -> xdg_toplevel@21.set_title("a (b), #1.c(")
        """
    static let new = """
        [ 341.592] {Default Queue} wl_registry#2.global(7, "wl_seat", 7)
        [ 341.601] {Default Queue}  -> wl_registry#2.bind(7, "wl_seat", 7, new id [unknown]#9)
        [1341.702] {Default Queue} xdg_toplevel#21.wm_capabilities(array[16])
        [1341.703] {Default Queue} xdg_toplevel#21.configure(1180, 820, array[24])
        [1341.705] {Default Queue}  -> xdg_surface#20.ack_configure(3)
        Gtk-Message: 12:01:07.519: Failed to load module "canberra-gtk-module"
        [1342.114] {Default Queue} wl_touch#13.down(44, 9871, wl_surface#19, 1, 120.50000000, 80.00000000)
        [1342.115] {Default Queue} wl_touch#13.frame()
        [1342.310] {Default Queue} discarded wl_touch#13.motion(9990, 1, 121.00000000, 80.00000000)
        [1342.410] {Default Queue} wl_touch#13.up(45, 9999, 1)
        [1342.510] {Default Queue}  -> xdg_toplevel#21.set_title("a (b), #1.c(")
        """

    @Test(arguments: [old, new]) func whatTheAppIsToldIsReadOfBothVersions(trace: String) {
        let events = ProtocolMessage.events(in: trace)
        #expect(
            events.map { "\($0.interface).\($0.name)" } == [
                "wl_registry.global", "xdg_toplevel.wm_capabilities", "xdg_toplevel.configure", "wl_touch.down", "wl_touch.frame",
                "wl_touch.motion", "wl_touch.up",
            ])
        #expect(events.map(\.object) == [2, 21, 21, 13, 13, 13, 13])
        #expect(events.map(\.isDiscarded) == [false, false, false, false, false, true, false])
        #expect(events[2].arguments == "1180, 820, array[24]")
        #expect(events.map(\.arrayLength) == [nil, 16, 24, nil, nil, nil, nil])
    }

    @Test(arguments: [old, new]) func whatTheAppAsksForIsNoEvent(trace: String) {
        let requests = trace.split(separator: "\n").compactMap { ProtocolMessage(line: $0) }.filter(\.isRequest)
        #expect(requests.map(\.name) == ["bind", "ack_configure", "set_title"])
        #expect(requests.last?.arguments == "\"a (b), #1.c(\"")
    }

    @Test(arguments: [
        ("[1342.310] {mesa egl surface queue (2) #1.a} discarded  -> wl_buffer#17.destroy()", "wl_buffer.destroy"),
        ("[1342.310] TID#4711: {Default Queue} wl_buffer#17.release()", "wl_buffer.release"),
        ("[4294967.310] wl_callback@4278190081.done(1)", "wl_callback.done"),
    ])
    func queuesThreadsAndLargeNumbers(line: String, name: String) throws {
        let message = try #require(ProtocolMessage(line: line))
        #expect("\(message.interface).\(message.name)" == name)
    }

    @Test(arguments: [
        "", "[", "[]", "[1342.310]", "[1342.310] )", "[1342.310] (a)", "[1342.310] wl_touch@.down(1)", "[1342.310] @1.down(1)",
        "[1342.310] wl_touch@13.(1)", "[1342.310] wl_touch@13.down(44, 98", "[1342.310] {Default Queue",
        "warn: wl_touch@13.down(1)", "[info] bind key wl_touch@13.down(1)",
        "[1342.310] discarded [zombie]#13.[event 2](0 fd, 12 byte)",
    ])
    func whatIsNoMessageIsNone(line: String) { #expect(ProtocolMessage(line: line) == nil) }
}
