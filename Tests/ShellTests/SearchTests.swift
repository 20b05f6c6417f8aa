import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Rule X-03: finding an app among many, and the other entries in its icon's menu.
    @Suite(.serialized) struct SearchTests {
        private func shown(_ shell: ShellUnderTest) throws -> [String] {
            try shell.views().filter { $0.id.hasPrefix("home/") && $0.role == .icon }.map { String($0.id.dropFirst(5)) }
        }

        // MARK: Search

        @Test func typedKeysSearch_X03() throws {
            let apps =
                TestApp.three + [
                    TestApp("test.editor", "Writer", more: "Keywords=letters;text;\nGenericName=Text Editor"),
                    TestApp("test.grass", "Meadow Green", colour: "33aa55"),
                ]
            try ShellUnderTest.with(apps: apps) { shell in
                try shell.client.input(.type(text: "gre"))
                try shell.settle()
                #expect(try shell.state().search == "gre" && shell.isOpen("search"))
                #expect(try shown(shell) == ["test.green", "test.grass"], "whose name begins with it comes first")
                #expect(try shell.view("search").name.contains("gre"))
                try shell.press("BackSpace")
                try shell.client.input(.type(text: "xx"))
                try shell.settle()
                #expect(try shown(shell).isEmpty)
                #expect(try shell.view("home/empty").name.contains("grxx"), "it says what was not found")
                try shell.press("Escape")
                #expect(try shell.state().search == nil)
                #expect(try shown(shell).count == 5)
                // By a keyword other than its name, and by several words.
                try shell.client.input(.type(text: "text edit"))
                try shell.settle()
                #expect(try shown(shell) == ["test.editor"])
                try shell.press("Escape")
                // Return opens the first result.
                try shell.client.input(.type(text: "MEADOW"))
                try shell.press("Return")
                let window = try shell.waitForWindow(appID: "test.grass")
                try shell.settle()
                #expect(try shell.window(window.id).active && shell.state().search == nil)
            }
        }

        @Test func theFieldItself_X02() throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                for way in ShellUnderTest.Way.allCases {
                    try shell.operate("search", by: way)
                    #expect(try shell.state().search == "", "\(way)")
                    try shell.client.input(.type(text: "bl"))
                    try shell.settle()
                    #expect(try shown(shell) == ["test.blue"], "\(way)")
                    try shell.operate("search/clear", by: way)
                    #expect(try shell.state().search == nil && shown(shell).count == 3, "\(way)")
                }
                // From an app by key, from the home screen by pulling down.
                try shell.openApp("test.red")
                try shell.press("Super+space")
                #expect(try shell.state().home && shell.isOpen("search"))
                try shell.press("Escape")
                try shell.drag(Point(700, 560), Point(700, 720), rest: 0)
                #expect(try shell.isOpen("search"))
                try shell.press("Escape")
                #expect(throws: ControlError.self) { try shell.perform(.search(text: String(repeating: "x", count: 300))) }
                #expect(try shell.state().search == nil)
            }
        }

        // MARK: Pages

        @Test func pages_X02() throws {
            let apps = (0..<60).map { TestApp("test.app\(100 + $0)", "App \(100 + $0)") }
            try ShellUnderTest.with(apps: apps) { shell in
                let pages = try shell.state().pages
                #expect(pages > 1)
                let first = try shown(shell)
                #expect(first.first == "test.app100" && first.count < 60)
                func page() throws -> Int { try shell.state().page }
                func flick(_ way: Double) throws {
                    try shell.drag(Point(590 + way * 150, 400), Point(590 - way * 150, 400), duration: 120, rest: 0)
                }
                try flick(1)
                #expect(try page() == 1)
                #expect(try Set(shown(shell)).isDisjoint(with: first))
                try flick(-1)
                #expect(try page() == 0 && shown(shell) == first)
                try flick(-1)
                #expect(try page() == 0, "before the first there is none")
                // A short slow drag returns to the same page.
                try shell.drag(Point(690, 400), Point(590, 400), duration: 400, rest: 200)
                #expect(try page() == 0)
                try shell.press("Page_Down")
                #expect(try page() == 1)
                try shell.press("Page_Up")
                #expect(try page() == 0)
                try shell.client.input(.pointerMotion(at: Point(590, 400)))
                try shell.client.input(.pointerAxis(value: 15))
                try shell.settle()
                #expect(try page() == 1)
                try shell.perform(.scroll(-1))
                #expect(try page() == 0)
                try shell.touch("pages")
                #expect(try page() == 1)
                // By the arrows from the last icon of a row.
                try shell.perform(.scroll(-1))
                let last = try #require(shown(shell).last { $0.hasPrefix("test.app10") })
                try shell.goTo("home/\(last)")
                for _ in 0..<8 where try page() == 0 { try shell.press("Right") }
                #expect(try page() == 1)
                for _ in 0..<10 { try shell.press("Page_Down") }
                #expect(try page() == pages - 1)
                #expect(try shown(shell).last == "test.app159")
            }
        }

        // MARK: Its menu

        private static let helper = TestApp(
            "test.helper", "Helper", colour: "aa6622",
            more: """
                Actions=greet;new-window;
                [Desktop Action greet]
                Name=Greet Somebody
                Exec=sh -c "echo hello >>{room}/greeted"
                [Desktop Action new-window]
                Name=Another Window
                Exec=\(TestApp.window("test.helper", "Second", colour: "6622aa"))
                """)

        @Test func theMenuOfAnIcon_X03() throws {
            try ShellUnderTest.with(apps: TestApp.three + [Self.helper]) { shell in
                func openMenu(_ way: ShellUnderTest.Way) throws {
                    switch way {
                    case .touch: try shell.hold("home/test.helper")
                    case .pointer: try shell.client.input(.click(at: shell.view("home/test.helper").frame.center, button: .right))
                    case .keyboard:
                        try shell.goTo("home/test.helper")
                        try shell.press("Menu")
                    case .command: try shell.perform(.appMenu(app: "test.helper"))
                    }
                    try shell.settle()
                    #expect(try shell.isOpen("menu"), "\(way)")
                }
                for (count, way) in ShellUnderTest.Way.allCases.enumerated() {
                    try openMenu(way)
                    #expect(try shell.view("menu/action/greet").name == "Greet Somebody")
                    #expect(ShellUnderTest.whole.contains(try shell.view("menu").frame))
                    try shell.operate("menu/action/greet", by: way)
                    try shell.wait("the action") {
                        shell.text(of: "\(shell.room)/greeted") == String(repeating: "hello\n", count: count + 1)
                    }
                    #expect(try !shell.isOpen("menu"))
                    try shell.wait("its card to go: no window will come", within: 5) { try !shell.isOpen("launching") }
                    try shell.settle()
                }
                // A tap beside it closes it.
                try openMenu(.touch)
                try shell.tap(Point(1100, 560))
                try shell.settle()
                #expect(try shell.state().open == [] && shell.windows(of: "test.helper").isEmpty)

                try openMenu(.touch)
                try shell.touch("menu/open")
                let first = try shell.waitForWindow(appID: "test.helper")
                try shell.perform(.home)
                try openMenu(.pointer)
                try shell.touch("menu/new")
                let second = try shell.waitForWindow(appID: "test.helper", after: first.id)
                #expect(second.title == "Second", "by the entry's own action for it (W-08)")
                try shell.settle()
                try shell.expectPlaces([first.id: .full, second.id: .full])
                try shell.perform(.home)
                try openMenu(.touch)
                try shell.touch("menu/slide")
                #expect(try shell.state().slideOver.stack == [second.id], "the one used last")
                try shell.perform(.home)
                try openMenu(.touch)
                try shell.touch("menu/all")
                #expect(try shell.isOpen("expose"))
            }
        }

        @Test func theDockIsAPersonsOwn_X03() throws {
            let apps = TestApp.three + [TestApp("test.white", "White", colour: "eeeeee"), Self.helper]
            try ShellUnderTest.with(apps: apps, config: "launch = []\nanimation-speed = 3\n") { shell in
                func dock() throws -> [String] {
                    try shell.views().filter { $0.id.hasPrefix("dock/") }.map { String($0.id.dropFirst(5)) }
                }
                for app in try dock() { try shell.perform(.removeFromDock(app: app)) }
                try shell.perform(.addToDock(app: "test.red"))
                try shell.settle()
                #expect(try dock() == ["test.red"])
                try shell.hold("home/test.white")
                try shell.touch("menu/dock")
                #expect(try dock() == ["test.red", "test.white"] && shell.state().open == [])
                try shell.hold("dock/test.red")
                try shell.touch("menu/undock")
                #expect(try dock() == ["test.white"])
                // Running apps are in it too.
                try shell.openApp("test.green")
                try shell.press("Super+B")
                #expect(try shell.isOpen("dock"))
                #expect(try dock() == ["test.white", "test.green"])
                // It has the keyboard focus at once.
                #expect(try shell.view("dock/test.white").focused)
                try shell.press("Return")
                let white = try shell.waitForWindow(appID: "test.white")
                try shell.settle()
                #expect(try shell.window(white.id).active && shell.state().open == [])
            }
        }

        /// An icon dragged out of the dock opens beside or above what is in front (W-04, W-05).
        @Test(arguments: [
            (Point(20, 400), WindowReport.PlaceName.splitLeft), (Point(1165, 400), .splitRight), (Point(900, 400), .slideOver),
        ])
        func aDragOutOfTheDock_W05(to: Point, place: WindowReport.PlaceName) throws {
            try ShellUnderTest.with(apps: TestApp.three) { shell in
                let red = try shell.openApp("test.red")
                for pointer in [false, true] {
                    try shell.perform(.dock)
                    let icon = try shell.view("dock/test.blue").frame.center
                    try shell.drag(icon, to, via: [Point(590, 400)], duration: 500, pointer: pointer)
                    let blue = try shell.waitForWindow(appID: "test.blue")
                    try shell.settle()
                    #expect(try shell.window(blue.id).place == place)
                    #expect(try shell.window(red.id).shown && shell.state().open == [])
                    try shell.perform(.fullScreen(window: blue.id))
                    try shell.perform(.focus(window: red.id))
                }
                #expect(try shell.windows(of: "test.blue").count == 1)
            }
        }
    }
}
