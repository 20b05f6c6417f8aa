import Foundation
import Testing
import Windows

/// Names of the shell's own controls (X-02, X-05, X-06).
@Suite struct ControlIDTests {
    @Test(
        "a name tells the view and the place in it",
        arguments: [
            ("dock/foot", ControlID.Area.dock, "foot"), ("dock", .dock, ""), ("control-centre/app/mpv", .controlCentre, "app/mpv"),
            ("picture-controls/play", .pipControls, "play"), ("picture/show", .picture, "show"), ("home/org.a/b", .home, "org.a/b"),
        ])
    func parts(text: String, area: ControlID.Area, path: String) {
        let id = ControlID(rawValue: text)
        #expect(id.area == area && id.path == path && id.description == text)
        if !path.isEmpty { #expect(id == ControlID(area, path)) }
    }

    @Test("a name of no view is one all the same, and names nothing", arguments: ["", "/", "nonsense", "docks/foot", "Dock"])
    func unknown(text: String) {
        let id = ControlID(rawValue: text)
        #expect(id.area == .none && id.rawValue == text && id.appOfIcon == nil)
    }

    @Test("it is part of the panel that it stands on, and of no other")
    func panels() {
        let control: ControlID = "control-centre/call/end"
        #expect(control.isPart(of: "control-centre") && control.isPart(of: "control-centre/call") && control.isPart(of: control))
        #expect(
            !control.isPart(of: "control-centre/cal") && !control.isPart(of: "controls") && !ControlID("shelf").isPart(of: "shelf/window"))
    }

    @Test("icons name their app; the dock itself does not")
    func icons() {
        #expect(ControlID(.dock, "foot").appOfIcon == "foot" && ControlID(.home, "org.gtk.Demo4").appOfIcon == "org.gtk.Demo4")
        #expect(ControlID(.dock).appOfIcon == nil && ControlID(.menu, "open").appOfIcon == nil)
    }

    @Test("it is written as a text")
    func json() throws {
        let id = ControlID(.switcher, "close/4")
        #expect(try String(decoding: JSONEncoder().encode([id]), as: UTF8.self).replacing("\\/", with: "/") == #"["switcher/close/4"]"#)
        #expect(try JSONDecoder().decode([ControlID].self, from: Data(#"["switcher/close/4"]"#.utf8)) == [id])
    }
}
