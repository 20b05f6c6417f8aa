import Foundation
import Glibc
import Processes
import Testing

/// `scripts/docs` makes the site, and refuses one with a broken link or a symbol without documentation.
@Suite struct DocsScriptTests {
    private let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path(percentEncoded: false)

    private static let readme = """
        # Mullion

        ![A window](docs/pictures/window.png)

        - **Use:** [keys](docs/keys.md)
        - **Write apps:** [windows](docs/windows-api.md)

        """
    private static let keys = """
        # Keys

        See [the windows](windows-api.md#in-swift), and `Window` | or [home](../README.md).

        ```sh
        echo "[no](link.md)"
        ```

        | key | what |
        | --- | --- |
        | `a | b` | [back](#keys) |
        """
    private static let windows = "# Windows\n\n## In Swift\n\n`Window` opens [a window](../Protocols/mullion-windows-v1.xml).\n"
    private static let roleDescription = #"<description summary="its role">With nothing else.</description>"#
    private static let xml = """
        <protocol name="mullion_windows_v1">
          <!-- docs/windows-api.md explains it. -->
          <description summary="windows"/>
          <interface name="mullion_window_v1" version="1">
            <description summary="a window"/>
            <request name="set_role">
              \(roleDescription)
              <arg name="role" type="uint" enum="role"/>
            </request>
            <enum name="role"><entry name="primary" value="0" summary="the main one"/></enum>
          </interface>
        </protocol>
        """

    /// A class `Window` with a method; as the compiler writes it.
    private static func symbols(_ classComment: String = "A window.", _ methodComment: String = "Opens it.") -> String {
        func symbol(_ path: [String], _ kind: String, _ line: Int, _ comment: String) -> String {
            let names = path.map { "\"\($0)\"" }.joined(separator: ",")
            let documentation = comment.isEmpty ? "" : "\"docComment\":{\"lines\":[{\"text\":\"\(comment)\"}]},"
            return """
                {"kind":{"identifier":"\(kind)"},"identifier":{"precise":"s:\(path.joined())"},"pathComponents":[\(names)],\(documentation)
                "declarationFragments":[{"kind":"text","spelling":"\(path[path.count - 1])"}],
                "location":{"uri":"file:///x/Sources/SDK/MullionKit/Window.swift","position":{"line":\(line - 1),"character":0}}}
                """
        }
        return """
            {"module":{"name":"MullionKit"},"relationships":[],"symbols":[\(symbol(["Window"], "swift.class", 3, classComment)),
            \(symbol(["Window", "open()"], "swift.method", 5, methodComment))]}
            """
    }

    /// Runs the script on a small project in which these files are other ones. Returns what it said, and the site's files.
    private func site(_ changes: [String: String?] = [:], _ arguments: [String] = []) throws -> (
        exit: ProcessExit.Reason, log: String, files: [String: String]
    ) {
        let root = NSTemporaryDirectory() + "mullion-docs-" + UUID().uuidString, files = FileManager.default
        defer { try? files.removeItem(atPath: root) }
        var project: [String: String?] = [
            "README.md": Self.readme, "docs/keys.md": Self.keys, "docs/windows-api.md": Self.windows, "docs/pictures/window.png": "x",
            "Protocols/mullion-windows-v1.xml": Self.xml, "Protocols/foreign.xml": "<protocol/>", "symbols.json": Self.symbols(),
        ]
        project.merge(changes) { $1 }
        for (path, text) in project {
            guard let text else { continue }
            let file = URL(filePath: "\(root)/\(path)")
            try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let launcher = try Launcher()
        try launcher.launch(
            ["\(repository)/scripts/docs", "--root", root, "--symbols", "\(root)/symbols.json"] + arguments,
            environment: ProcessInfo.processInfo.environment, log: "\(root)/log")
        while true {
            var item = pollfd(fd: launcher.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&item, 1, 10_000)
            guard let exit = launcher.drain().first else { continue }
            var pages: [String: String] = [:]
            for path in files.enumerator(atPath: "\(root)/docs-site")?.allObjects as? [String] ?? [] {
                pages[path] = try? String(contentsOfFile: "\(root)/docs-site/\(path)", encoding: .utf8)
            }
            return (exit.reason, try String(contentsOfFile: "\(root)/log", encoding: .utf8), pages)
        }
    }

    @Test("the site has documents, symbols and own protocols, and the search finds all three")
    func whole() throws {
        let (exit, log, files) = try site()
        #expect(exit == .exited(0), "\(log)")
        #expect(files["docs/keys.html"]?.contains(#"<a href="windows-api.html#in-swift">the windows</a>"#) == true)
        #expect(files["docs/keys.html"]?.contains(#"<a href="../index.html">home</a>"#) == true)
        #expect(files["docs/keys.html"]?.contains(#"<td><code>a | b</code></td>"#) == true)
        #expect(files["docs/windows-api.html"]?.contains(#"<a href="../api/Window.html"><code>Window</code></a>"#) == true)
        #expect(files["docs/windows-api.html"]?.contains(#"<a href="../protocols/mullion-windows-v1.html">a window</a>"#) == true)
        #expect(files["index.html"]?.contains(#"<img src="docs/pictures/window.png" alt="A window""#) == true)
        #expect(files["docs/pictures/window.png"] == "x")
        #expect(files["api/Window.html"]?.contains("Opens it.") == true)
        #expect(files["protocols/mullion-windows-v1.html"]?.contains("mullion_window_v1.request.set_role") == true)
        #expect(files["protocols/foreign.html"] == nil)
        let search = try #require(files["search-index.js"])
        for entry in [
            #"["Window.open()","Method","api/Window.html#open"#, #"["mullion_window_v1.set_role","Request","#,
            #"["In Swift","Windows","docs/windows-api.html#in-swift""#,
        ] {
            #expect(search.contains(entry), "\(entry)")
        }
    }

    @Test("every mistake is named by file and line, and no site is made")
    func broken() throws {
        let (exit, log, files) = try site([
            "README.md": Self.readme.replacing("window.png", with: "gone.png") + "- **Inside:** [gone](docs/gone.md)\n",
            "docs/keys.md": """
            # Keys

            See [it](gone.md) and [that](#keys), not `[this](gone.md)`, and [the
            windows](windows-api.md#in-c).

            | a |
            | --- |
            | [it](#gone) |
            """,
            "Protocols/mullion-windows-v1.xml": Self.xml.replacing(Self.roleDescription, with: ""),
            "symbols.json": Self.symbols("A ``Door`` (docs/gone.md).", ""),
        ])
        #expect(exit == .exited(1) && files.isEmpty)
        #expect(
            log == """
                Protocols/mullion-windows-v1.xml:6: request set_role has no description
                README.md:3: the picture docs/pictures/gone.png is missing
                README.md:7: the link to docs/gone.md has no target
                Sources/SDK/MullionKit/Window.swift:3: ``Door`` names no symbol
                Sources/SDK/MullionKit/Window.swift:3: the link to docs/gone.md has no target
                Sources/SDK/MullionKit/Window.swift:5: Window.open() has no documentation
                docs/keys.md:3: the link to gone.md has no target
                docs/keys.md:4: the link to windows-api.md#in-c names no heading of docs/windows-api.md
                docs/keys.md:8: the link to #gone names no heading of docs/keys.md

                """)
    }

    @Test("--check needs no symbols, and makes nothing")
    func check() throws {
        let good = try site(["symbols.json": nil], ["--check"])
        #expect(good.exit == .exited(0) && good.log == "" && good.files.isEmpty)
        let bad = try site(["symbols.json": nil, "docs/pictures/window.png": nil], ["--check"])
        #expect(bad.exit == .exited(1) && bad.log == "README.md:3: the picture docs/pictures/window.png is missing\n")
    }

    @Test("symbols without their places in the sources prove nothing")
    func placeless() throws {
        let (exit, log, files) = try site(["symbols.json": Self.symbols("", "").replacing("\"location\"", with: "\"none\"")])
        #expect(exit == .exited(1) && files.isEmpty)
        #expect(log == "the symbol graph:1: names no place in the sources: build MullionKit first\n")
    }
}
