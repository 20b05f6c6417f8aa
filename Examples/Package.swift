// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

/// An app of one window, built on MullionKit.
func app(_ name: String, _ folder: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["Toolkit", .product(name: "MullionKit", package: "mullion")],
        path: "Sources/\(folder)", swiftSettings: swiftSettings)
}

let package = Package(
    name: "mullion-examples",
    products: [
        .executable(name: "mullion-podcast", targets: ["mullion-podcast"]),
        .executable(name: "mullion-navigator", targets: ["mullion-navigator"]),
        .executable(name: "mullion-recorder", targets: ["mullion-recorder"]),
        .executable(name: "mullion-phone", targets: ["mullion-phone"]),
        .executable(name: "mullion-notes", targets: ["mullion-notes"]),
        .executable(name: "mullion-exporter", targets: ["mullion-exporter"]),
        .executable(name: "mullion-life-c", targets: ["mullion-life-c"]),
        .executable(name: "mullion-letters", targets: ["mullion-letters"]),
        .executable(name: "mullion-windows-c", targets: ["mullion-windows-c"]),
    ],
    dependencies: [.package(name: "mullion", path: "..")],
    targets: [
        .systemLibrary(name: "GtkLibrary", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .systemLibrary(name: "GstLibrary", pkgConfig: "gstreamer-1.0", providers: [.apt(["libgstreamer1.0-dev"])]),
        .target(
            name: "CToolkit", dependencies: ["GtkLibrary", "GstLibrary"],
            linkerSettings: [
                .linkedLibrary("gtk-4"), .linkedLibrary("gio-2.0"), .linkedLibrary("gobject-2.0"), .linkedLibrary("glib-2.0"),
                .linkedLibrary("gstreamer-1.0"),
            ]),
        .target(
            name: "Toolkit", dependencies: ["CToolkit", .product(name: "MullionKit", package: "mullion")],
            swiftSettings: swiftSettings),
        app("mullion-podcast", "podcast"),
        app("mullion-navigator", "navigator"),
        app("mullion-recorder", "recorder"),
        app("mullion-phone", "phone"),
        app("mullion-notes", "notes"),
        app("mullion-exporter", "exporter"),
        app("mullion-letters", "letters"),
        // A client in C, without a toolkit. `scripts/protocols` generates what it speaks.
        .executableTarget(
            name: "mullion-life-c", path: "Sources/life-c",
            cSettings: [.define("_GNU_SOURCE"), .headerSearchPath("protocol")], linkerSettings: [.linkedLibrary("wayland-client")]),
        .executableTarget(
            name: "mullion-windows-c", path: "Sources/windows-c",
            cSettings: [.define("_GNU_SOURCE"), .headerSearchPath("protocol")], linkerSettings: [.linkedLibrary("wayland-client")]),
    ],
    swiftLanguageModes: [.v6]
)
