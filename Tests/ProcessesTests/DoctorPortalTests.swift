import Processes
import Testing

@Suite("Portals as mullion doctor sees them") struct DoctorPortalTests {
    private let gtk = Doctor.PortalBackend(
        name: "gtk", busName: "gtk.bus", portals: ["FileChooser", "Access", "AppChooser", "Settings", "Print"], desktops: ["gnome"])
    private let mullion = Doctor.PortalBackend(
        name: "mullion", busName: "mullion.bus", portals: ["Access", "AppChooser", "Account"], desktops: ["mullion"])
    private let wlr = Doctor.PortalBackend(name: "wlr", busName: "wlr.bus", portals: ["ScreenCast", "Screenshot"], desktops: ["wlroots"])

    private func session(_ change: (inout Doctor.Portals) -> Void = { _ in }) -> Doctor.Portals {
        var session = Doctor.Portals()
        session.frontend = .after(milliseconds: 12)
        session.backends = [wlr, mullion, gtk]
        session.desktops = ["mullion"]
        session.answers = ["gtk.bus": .after(milliseconds: 20), "mullion.bus": .after(milliseconds: 3), "wlr.bus": .after(milliseconds: 5)]
        change(&session)
        return session
    }

    private func finding(_ name: String, _ session: Doctor.Portals) -> Doctor.Finding? {
        Doctor.findings(on: session, isRoot: false).first { $0.name == "portal \(name)" }
    }

    @Test func whoServesAPortalAndHowSoonItAnswers() {
        #expect(finding("FileChooser", session())?.detail == "gtk, after 20 ms")
        #expect(finding("Access", session())?.detail == "mullion, after 3 ms")
        #expect(finding("Account", session())?.state == .ok)
        let secret = finding("Secret", session())
        #expect(secret?.state == .optional && secret?.detail == "nobody serves it")
        #expect(secret?.mend == "sudo apt-get install --no-install-recommends gnome-keyring")
        #expect(Doctor.findings(on: session(), isRoot: false).first?.detail == "answer after 12 ms")
    }

    @Test func whatDoesNotAnswerIsNamed() {
        let late = session { $0.answers["gtk.bus"] = .late }
        #expect(
            finding("FileChooser", late)?.detail == "gtk does not answer, not within 2 s"
                && finding("FileChooser", late)?.state == .optional)
        let gone = session { $0.answers["gtk.bus"] = .nobody }
        #expect(finding("Print", gone)?.detail == "gtk cannot be started")
        #expect(finding("Print", gone)?.mend.hasSuffix("xdg-desktop-portal-gtk") == true)
        let alone = session { $0.answers["mullion.bus"] = nil }
        #expect(finding("Access", alone)?.state == .ok, "the shell does not run here")
        let early = session { $0.withheld = ["FileChooser"] }
        #expect(finding("FileChooser", early)?.mend == "systemctl --user restart xdg-desktop-portal")
        let none = session { $0.frontend = .nobody }
        #expect(Doctor.findings(on: none, isRoot: true).map(\.mend) == ["apt-get install --no-install-recommends xdg-desktop-portal"])
        #expect(Doctor.findings(on: session { $0.frontend = .late }, isRoot: true).first?.state == .optional)
    }

    @Test func theConfigurationDecides() {
        let text =
            "# words\n[preferred]\ndefault=gtk\norg.freedesktop.impl.portal.Access=mullion;gtk\norg.freedesktop.impl.portal.Print=none\n"
        let session = session { $0.preferred = Doctor.preferred(text) }
        #expect(Doctor.backend(of: "Access", session)?.name == "mullion")
        #expect(Doctor.backend(of: "AppChooser", session)?.name == "gtk")
        #expect(Doctor.backend(of: "Print", session) == nil)
        #expect(Doctor.backend(of: "ScreenCast", session) == nil, "gtk has none")
        #expect(Doctor.backend(of: "ScreenCast", self.session { $0.preferred = ["default": ["gtk", "*"]] })?.name == "wlr")
    }

    @Test func filesOfPortalsAreRead() {
        let text =
            "[portal]\nDBusName=a.b\nInterfaces=org.freedesktop.impl.portal.Access;org.freedesktop.impl.portal.Print;\nUseIn=GNOME;sway\n"
        #expect(
            Doctor.PortalBackend(name: "x", text: text)
                == .init(name: "x", busName: "a.b", portals: ["Access", "Print"], desktops: ["gnome", "sway"]))
        #expect(Doctor.PortalBackend(name: "x", text: "[portal]\n") == nil)
    }
}
