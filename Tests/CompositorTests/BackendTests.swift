import Compositor
import Testing

@Suite("Which backend the shell chooses by itself")
struct BackendTests {
    @Test(
        arguments: [
            ([:], true, .drm), ([:], false, .headless), (["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"], true, .wayland),
            (["WAYLAND_SOCKET": "5"], false, .wayland), (["DISPLAY": ":0"], true, .x11), (["DISPLAY": ""], true, .drm),
            (["WLR_BACKENDS": "headless,libinput", "DISPLAY": ":0"], true, .headless), (["WLR_BACKENDS": "x11"], false, .x11),
            (["WLR_BACKENDS": "drm,libinput"], true, .auto), (["WLR_BACKENDS": ""], false, .headless),
        ] as [([String: String], Bool, Compositor.Options.Backend)])
    func auto(environment: [String: String], hasDevice: Bool, chosen: Compositor.Options.Backend) {
        #expect(Compositor.Options.Backend.auto.chosen({ environment[$0] }, hasScreenDevice: { hasDevice }) == chosen)
    }

    @Test("a window on a Wayland compositor needs the name of that compositor")
    func nameless() {
        let wayland = Compositor.Options.Backend.wayland
        #expect(wayland.objection { _ in nil } != nil && wayland.objection { _ in "" } != nil)
        for name in ["WAYLAND_DISPLAY", "WAYLAND_SOCKET"] { #expect(wayland.objection { $0 == name ? "5" : nil } == nil) }
        #expect(Compositor.Options.Backend.headless.objection { _ in nil } == nil)
    }

    @Test("what a person names is taken, whatever is there", arguments: [Compositor.Options.Backend.headless, .wayland, .x11, .drm])
    func named(backend: Compositor.Options.Backend) {
        #expect(backend.chosen({ _ in "x11" }, hasScreenDevice: { false }) == backend)
    }
}
