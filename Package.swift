// swift-tools-version: 6.2
import Foundation
import PackageDescription

// wlroots has no stable ABI: Debian 12 ships 0.15 as "wlroots", Debian 13 ships 0.18 as "wlroots-0.18".
// The C target picks its code by WLR_VERSION_NUM; only the library's name has to be known here.
let pkgConfigFolders = [
    "/usr/lib/x86_64-linux-gnu/pkgconfig", "/usr/lib/aarch64-linux-gnu/pkgconfig", "/usr/lib/pkgconfig",
    "/usr/lib64/pkgconfig",
]
let wlroots =
    pkgConfigFolders.contains { FileManager.default.fileExists(atPath: "\($0)/wlroots-0.18.pc") }
    ? "wlroots-0.18" : "wlroots"

/// A linker script by the name of a library stands before the machine's own, where that comes as an archive, too.
let archives =
    ["/usr/lib/gcc/x86_64-linux-gnu", "/usr/lib/gcc/aarch64-linux-gnu"].contains { folder in
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .contains { FileManager.default.fileExists(atPath: "\(folder)/\($0)/libstdc++.a") }
    } ? ["-L\(Context.packageDirectory)/scripts/linker"] : []

/// How a program to be installed is linked. A hundred thousand addresses to put right at the start take a tenth of the room, no other
/// program links with the names of its functions, and functions with the same code are one function. All of it comes with Swift's
/// linker and glibc 2.36. A function that a library lacks is found at the start (`now`), not when it is first called.
let installed =
    archives + ["-use-ld=lld"]
    + [
        "-z", "pack-relative-relocs", "-z", "now", "--no-export-dynamic", "--icf=all",
    ].flatMap { ["-Xlinker", $0] }

/// Names the commit in a release build. A build of every day stays the same from commit to commit.
let build = ProcessInfo.processInfo.environment["MULLION_BUILD"].flatMap { $0.isEmpty ? nil : $0 } ?? "development"

let strict = ProcessInfo.processInfo.environment["MULLION_STRICT"] == "1"

let swiftSettings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        // A debug build gets specialized generic types from accessors. From mangled names, the runtime would look up each type with a
        // search through all conformances of the program: a fifth of the processor time of a start.
        .unsafeFlags(["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"], .when(configuration: .debug)),
    ] + (wlroots == "wlroots" ? [] : [.define("WLR18")]) + (strict ? [.treatAllWarnings(as: .error)] : [])
/// Loops over pixels and bytes, which take most of the time of a debug build's start and of its tests without optimization.
let loops: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]
/// Commands and reports, which run for a person: small code is worth more than fast code there.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
/// CI builds once and runs long random tests of the core: optimization costs less than it saves there.
let ofCore = ProcessInfo.processInfo.environment["MULLION_OPTIMIZED_CORE"] == "1" ? loops : []
let strictC: [CSetting] = strict ? [.treatAllWarnings(as: .error)] : []

/// Adds the modules whose values lie inside those of `Windows` to whoever uses it. A module whose interface stays the same is not written anew, so without them a build after
/// a change of `Idioms` left old layouts in the users of `Windows`.
func complete(_ dependencies: [Target.Dependency]) -> [Target.Dependency] {
    let names = dependencies.compactMap { dependency -> String? in if case .byNameItem(let name, _) = dependency { name } else { nil } }
    guard names.contains("Windows") else { return dependencies }
    return dependencies
        + ["AudioSessions", "Callers", "Geometry", "Idioms", "Notices"].filter { !names.contains($0) }.map { .byName(name: $0) }
}

/// A room of the pure core: no C, no Foundation, no clock. `scripts/check-core` enforces what it may import.
func core(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: complete(dependencies), path: "Sources/Core/\(name)", swiftSettings: swiftSettings + ofCore)
}

/// What speaks to the world outside the core. `folder` is the one under `Sources` that holds it.
func adapter(_ name: String, _ dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = [], in folder: String = "Adapters")
    -> Target
{
    .target(name: name, dependencies: complete(dependencies), path: "Sources/\(folder)/\(name)", swiftSettings: swiftSettings + more)
}

/// The headers of a library of the system, by its name for pkg-config.
func library(_ name: String, _ pkgConfig: String? = nil, apt: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: apt.map { [.apt([$0])] })
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: complete(dependencies), swiftSettings: swiftSettings)
}

let package = Package(
    name: "mullion",
    products: [
        .executable(name: "mullion", targets: ["mullion"]),
        .executable(name: "mullion-lab", targets: ["mullion-lab"]),
        // For apps that take part: audio sessions (docs/audio-api.md).
        .library(name: "MullionKit", targets: ["MullionKit"]),
        // The shell as WLCS, the Wayland conformance suite, loads it (docs/conformance.md).
        .library(name: "MullionWlcs", type: .dynamic, targets: ["WlcsModule"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
    ],
    targets: [
        // Core
        core("Geometry", [.product(name: "RealModule", package: "swift-numerics")]),
        core("Rooms", ["Geometry"]),
        core("QuickLook", ["Geometry"]),
        core("Status", ["Geometry", "Rooms"]),
        core("AudioSessions", ["Geometry", "Rooms", .product(name: "OrderedCollections", package: "swift-collections")]),
        core("Callers", ["Geometry"]),
        core("Notices", ["Callers", "Geometry", "Rooms", .product(name: "OrderedCollections", package: "swift-collections")]),
        core("Idioms", ["Geometry", "AudioSessions", "Rooms"]),
        core(
            "Windows",
            [
                "Geometry", "Callers", "AudioSessions", "Idioms", "Notices", "Status",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]),
        core("Tray", ["Geometry", "Rooms", "Windows"]),
        core("Locking", ["Geometry", "Rooms", "Status", "Windows"]),
        core("Seat", ["Geometry", "Rooms", "Windows", .product(name: "OrderedCollections", package: "swift-collections")]),
        core("Watches", ["Geometry", "Idioms", "Rooms", "Windows", .product(name: "OrderedCollections", package: "swift-collections")]),
        core("Modality", ["Callers", "Geometry", "Rooms", "Windows", .product(name: "OrderedCollections", package: "swift-collections")]),
        core("Lifecycle", ["Geometry", "Rooms", "Windows", .product(name: "OrderedCollections", package: "swift-collections")]),
        core("Stage", ["Geometry", "Status", "Windows", .product(name: "OrderedCollections", package: "swift-collections")]),
        core(
            "Interface",
            [
                "Geometry", "AudioSessions", "Notices", "Rooms", "Windows", "Lifecycle", "Locking", "Modality", "Stage", "Status",
                "Tray",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]),
        core("Modals", ["Callers", "Geometry", "Interface", "Notices", "Rooms", "Stage", "Windows"]),
        core(
            "Multitasking",
            [
                "Geometry", "AudioSessions", "Notices", "Rooms", "Windows", "Seat", "Lifecycle", "Modality", "Stage", "Status",
                "Tray", "Interface", "Locking", "Modals", "Watches",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]),

        // Adapters
        library("WlrootsLibrary", wlroots, apt: "libwlroots-dev"),
        library("CairoLibrary", "cairo", apt: "libcairo2-dev"),
        library("PNGLibrary", "libpng", apt: "libpng-dev"),
        library("PangoLibrary", "pangocairo", apt: "libpango1.0-dev"),
        library("PixbufLibrary", "gdk-pixbuf-2.0", apt: "libgdk-pixbuf-2.0-dev"),
        library("SystemdLibrary", "libsystemd", apt: "libsystemd-dev"),
        library("PipeWireLibrary", "libpipewire-0.3", apt: "libpipewire-0.3-dev"),
        library("LinuxLibrary"),
        library("GcryptLibrary", "libgcrypt", apt: "libgcrypt20-dev"),
        library("SQLiteLibrary", "sqlite3", apt: "libsqlite3-dev"),
        // Debian's package of PAM has no pkg-config file before version 1.5.3.
        library("PAMLibrary", apt: "libpam0g-dev"),
        library("WaylandClientLibrary", "wayland-client", apt: "libwayland-dev"),
        .target(name: "CBuild", path: "Sources/C/CBuild", cSettings: [.define("MULLION_BUILD", to: "\"\(build)\"")] + strictC),
        .target(name: "CDescriptors", path: "Sources/C/CDescriptors", cSettings: strictC),
        adapter("Descriptors", ["CDescriptors", "LinuxLibrary"]),
        adapter("Clocks"),
        // Changes of files and folders, whatever links lead to them.
        adapter("Watching", ["Descriptors"]),
        .target(
            name: "CWlroots", dependencies: ["WlrootsLibrary", "CDescriptors"], path: "Sources/C/CWlroots",
            cSettings: [
                .define("WLR_USE_UNSTABLE"), .define("_GNU_SOURCE"), .headerSearchPath("private"),
            ] + strictC,
            linkerSettings: [
                .linkedLibrary(wlroots), .linkedLibrary("wayland-server"), .linkedLibrary("xkbcommon"), .linkedLibrary("input"),
                .linkedLibrary("pixman-1"), .linkedLibrary("xcb"), .linkedLibrary("m"),
            ]),
        // Between wlroots' X11 window manager and Xwayland: functions of libxcb, defined anew.
        .target(
            name: "CX11Guards", dependencies: ["WlrootsLibrary", "CDescriptors"], path: "Sources/C/CX11Guards",
            cSettings: [
                .define("WLR_USE_UNSTABLE"), .define("_GNU_SOURCE"), .headerSearchPath("private"),
            ] + strictC,
            linkerSettings: [.linkedLibrary(wlroots), .linkedLibrary("wayland-server"), .linkedLibrary("xcb")]),
        // libwayland's objects for Swift: listeners, resources, globals, timers.
        adapter("WaylandServer", ["CWlroots"]),
        .target(name: "CSystemd", dependencies: ["SystemdLibrary"], path: "Sources/C/CSystemd", cSettings: strictC),
        adapter("MessageBus", ["Clocks", "CSystemd"]),
        adapter("Accessibility", ["Clocks", "MessageBus", "Geometry"]),
        adapter("AudioBus", ["Clocks", "MessageBus", "AudioSessions", "Callers", "Geometry", "Processes"]),
        .target(
            name: "CPipeWire", dependencies: ["PipeWireLibrary"], path: "Sources/C/CPipeWire",
            cSettings: [.define("_GNU_SOURCE")] + strictC),
        adapter(
            "AudioEngine",
            [
                "Clocks", "CPipeWire", "Descriptors", "LinuxLibrary", "AudioSessions", "Processes",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // What the Wayland protocol and the bus service of apps' lives have in common.
        adapter("LifeService", ["LinuxLibrary", "Descriptors", "Lifecycle", "Windows"]),
        // Notifications on the session bus.
        adapter("NoticeBus", ["Clocks", "Callers", "Geometry", "MessageBus", "Notices"]),
        adapter("LifeBus", ["Clocks", "LifeService", "Lifecycle", "Modality", "MessageBus", "Processes", "Windows"]),
        adapter(
            "Compositor",
            [
                "Clocks", "LinuxLibrary", "LifeService", "Lifecycle", "CWlroots", "CX11Guards", "WaylandServer", "Descriptors", "Geometry",
                "Windows", "Locking", "Seat", "Stage", "Interface", "Multitasking",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "Chrome",
            dependencies: ["CairoLibrary", "PNGLibrary", "PangoLibrary", "PixbufLibrary", "Geometry", "Processes", "Stage", "Windows"],
            path: "Sources/Adapters/Chrome", swiftSettings: swiftSettings + loops,
            // GdkPixbuf's pkg-config file names GIO's headers and not its library.
            linkerSettings: [.linkedLibrary("gio-2.0")]),
        // Quick look: the window of `mullion view`, and the confined process that decodes for it.
        .target(
            name: "QuickLookHelper",
            dependencies: [
                "Clocks", "CairoLibrary", "PangoLibrary", "PixbufLibrary", "LinuxLibrary", "Descriptors", "Geometry", "Processes",
            ],
            path: "Sources/Adapters/QuickLookHelper", swiftSettings: swiftSettings, linkerSettings: [.linkedLibrary("gio-2.0")]),
        // The process that inspects and copies the files that programs share.
        .target(
            name: "ShareHelper", dependencies: ["CairoLibrary", "PangoLibrary", "PixbufLibrary", "LinuxLibrary", "Descriptors"],
            path: "Sources/Adapters/ShareHelper", swiftSettings: swiftSettings, linkerSettings: [.linkedLibrary("gio-2.0")]),
        // The process that asks PAM whether a person may unlock the session.
        adapter("UnlockHelper", ["LinuxLibrary", "Locking", "PAMLibrary"]),
        // The words of greetd, and what a greeter offers.
        adapter("Greetd", ["Desktop", "Locking", "Processes", "Status"]),
        // The tables of xdg-shell are compiled into CWlroots already.
        adapter(
            "QuickLookWindow",
            [
                "Clocks", "Chrome", "MullionKit", "Desktop", "QuickLook", "QuickLookHelper", "Stage", "WaylandClientLibrary", "CWlroots",
                "CairoLibrary", "PangoLibrary", "PixbufLibrary", "LinuxLibrary", "Descriptors", "Geometry", "Processes",
            ]),
        adapter("Desktop", ["Descriptors", "Processes", "Watching", "Windows"]),
        adapter("Processes", ["Clocks", "Descriptors", "LinuxLibrary", "Windows", .product(name: "Logging", package: "swift-log")]),
        // Each app's processes in a group of their own, which is frozen and thawed as a whole.
        adapter("AppScopes", ["Clocks", "Descriptors", "LinuxLibrary", "MessageBus", "Processes"]),
        adapter("ViewServer", ["Clocks", "LinuxLibrary"]),
        .target(
            name: "CSecretExchange", dependencies: ["GcryptLibrary"], path: "Sources/C/CSecretExchange", cSettings: strictC,
            linkerSettings: [.linkedLibrary("gcrypt")]),
        // The services that ask a person for a password: polkit, and the keyring.
        adapter("PromptAgents", ["CSecretExchange", "Descriptors", "MessageBus", "Processes", "Status"]),
        adapter("StatusBus", ["Clocks", "Descriptors", "MessageBus", "Status"]),
        adapter(
            "Settings",
            [
                "AudioSessions", "Descriptors", "Geometry", "Idioms", "Journal", "Notices", "Processes", "Watching", "Windows", "Seat",
                "Interface", "Multitasking",
            ], small),
        adapter("Journal", ["Descriptors", "Geometry", "Windows", "Stage", "Multitasking", "Processes"], loops),
        // The session on the disk.
        adapter("Store", ["Clocks", "Descriptors", "LinuxLibrary", "SQLiteLibrary"]),
        adapter(
            "Control",
            [
                "Clocks", "Lifecycle", "AudioSessions", "Descriptors", "Geometry", "Notices", "Windows", "Stage", "Status", "Tray",
                "Interface",
                "Multitasking", "Journal", "Processes",
                .product(name: "Logging", package: "swift-log"),
            ], small),

        // The shell: the adapters around one `Multitasking` value and one event loop.
        adapter(
            "Shell",
            [
                "Clocks", "LinuxLibrary", "NoticeBus", "Notices", "ShareHelper", "Seat", "Lifecycle", "Modality", "LifeService", "LifeBus",
                "AppScopes", "Greetd", "Locking", "Store", "Descriptors", "AudioEngine", "PromptAgents", "AudioSessions", "AudioBus",
                "MessageBus",
                "Compositor",
                "Chrome",
                "Desktop", "Accessibility", "Interface", "Processes", "Settings", "Journal", "Control", "Status", "StatusBus", "Tray",
                "UnlockHelper", "ViewServer", "Watching",
                .product(name: "Logging", package: "swift-log"),
            ], in: "App"),
        // Real apps driven through a running shell: for a person to look at, and for figures.
        // Random numbers that are the same for the same seed.
        adapter("Seeded", in: "Tools"),
        adapter(
            "Tour", ["Clocks", "Seeded", "Control", "Chrome", "Desktop", "Lifecycle", "Processes", "Geometry", "Windows", "Multitasking"],
            in: "Tools"),
        adapter(
            "Bench",
            ["Clocks", "AudioSessions", "Control", "Chrome", "MessageBus", "Processes", "Geometry", "Windows", "Stage", "Multitasking"],
            in: "Tools"),
        // Apps of others, run through the rules that they must keep.
        adapter(
            "Audit",
            [
                "Clocks", "Seeded", "AudioSessions", "Chrome", "Control", "Desktop", "Geometry", "Journal", "LinuxLibrary", "MessageBus",
                "Multitasking", "Processes", "Windows",
            ], in: "Tools"),
        .executableTarget(
            name: "mullion",
            dependencies: [
                "Clocks", "AppScopes", "AudioSessions", "CBuild", "Compositor", "Notices", "Shell", "Chrome", "Control", "Descriptors",
                "Journal", "LinuxLibrary", "MessageBus", "MullionKit", "Processes", "QuickLookHelper", "QuickLookWindow", "Settings",
                "ShareHelper", "UnlockHelper", "ViewServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/App/mullion", swiftSettings: swiftSettings + small,
            linkerSettings: [.unsafeFlags(installed, .when(configuration: .release))]),
        // Tests and measurements, which a session never loads.
        .executableTarget(
            name: "mullion-lab",
            dependencies: [
                "Audit", "Bench", "CBuild", "Control", "Processes", "Settings", "Tour", "Windows",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Tools/mullion-lab", swiftSettings: swiftSettings,
            linkerSettings: [.unsafeFlags(installed, .when(configuration: .release))]),

        // For apps: of the shell it has nothing but the way to speak D-Bus, and one Wayland protocol.
        .target(
            name: "CWindowsClient", path: "Sources/C/CWindowsClient", exclude: ["protocol"], sources: ["windows-client.c"],
            cSettings: [.headerSearchPath(".")] + strictC, linkerSettings: [.linkedLibrary("wayland-client")]),
        adapter("MullionKit", ["Clocks", "MessageBus", "CWindowsClient"], in: "SDK"),

        .target(
            name: "CWlcs", dependencies: ["WlrootsLibrary"], path: "Sources/C/CWlcs",
            cSettings: [.define("WLR_USE_UNSTABLE"), .define("_GNU_SOURCE"), .headerSearchPath("../CWlroots/include")]
                + strictC,
            linkerSettings: [.linkedLibrary("wayland-server"), .linkedLibrary("wayland-client")]),
        adapter("WlcsModule", ["CWlcs", "Compositor", "Control", "Geometry", "Settings", "Shell", "Windows"], in: "Tools"),

        // A hostile client: random requests spoken byte by byte, for tests and `make fuzz`.
        adapter("Fuzz", ["Clocks", "Seeded", "Control", "Geometry", "Journal", "Processes"], in: "Tools"),
        .executableTarget(
            name: "mullion-fuzz", dependencies: ["Fuzz", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Sources/Tools/mullion-fuzz", swiftSettings: swiftSettings),

        // The client that `scripts/bench-peers` runs under every compositor alike.
        .target(
            name: "CBenchClient", path: "Sources/C/CBenchClient", cSettings: [.define("_GNU_SOURCE")] + strictC,
            linkerSettings: [.linkedLibrary("wayland-client")]),
        .executableTarget(
            name: "mullion-bench-client", dependencies: ["Clocks", "CBenchClient"], path: "Sources/Tools/BenchClient",
            swiftSettings: swiftSettings),

        // What a sink plays, sample by sample: for tests of sound.
        .executableTarget(
            name: "mullion-sound-probe", dependencies: ["PipeWireLibrary"], path: "Sources/Tools/SoundProbe",
            cSettings: [.define("_GNU_SOURCE")] + strictC),

        // What a helper of quick look cannot do.
        .executableTarget(
            name: "mullion-view-probe", dependencies: ["QuickLookHelper", "LinuxLibrary"], path: "Sources/Tools/ViewProbe",
            swiftSettings: swiftSettings),

        // A process that keeps a session, for tests that kill it.
        .executableTarget(
            name: "mullion-store-probe", dependencies: ["Store"], path: "Sources/Tools/StoreProbe", swiftSettings: swiftSettings),

        // Tests
        .target(
            name: "MullionTesting",
            dependencies: [
                "Clocks", "AudioSessions", "Geometry", "Idioms", "Lifecycle", "Locking", "Modality", "Notices", "Windows", "Seat", "Stage",
                "Status", "Tray", "Interface", "Multitasking", "Control", "Chrome", "Desktop", "Journal", "Processes", "Seeded",
            ],
            path: "Sources/Testing", swiftSettings: swiftSettings),
        tests("DescriptorsTests", ["CDescriptors", "Descriptors"]),
        tests("GeometryTests", ["Geometry"]),
        tests("QuickLookTests", ["QuickLook", "QuickLookHelper", "Geometry", "LinuxLibrary", "Processes", "mullion-view-probe"]),
        tests("WindowsTests", ["Windows", "MullionTesting"]),
        tests("AudioSessionsTests", ["AudioSessions", "Idioms"]),
        tests("SeatTests", ["Seat", "Geometry", "Windows"]),
        tests("ModalsTests", ["Callers", "Geometry", "Interface", "Modals", "Notices", "Rooms", "Seeded", "Stage", "Windows"]),
        tests("IdiomsTests", ["Geometry", "Idioms", "Rooms", "Seeded"]),
        tests("StatusTests", ["Geometry", "Rooms", "Status"]),
        tests("GreetdTests", ["Desktop", "Greetd", "Locking", "Status"]),
        tests("LockingTests", ["Geometry", "Locking", "Rooms", "Status", "Windows"]),
        tests("PromptAgentsTests", ["MullionTesting", "PromptAgents", "Status"]),
        tests("TrayTests", ["Geometry", "Rooms", "Seeded", "Tray", "Windows"]),
        tests("WatchesTests", ["Geometry", "Idioms", "Rooms", "Seeded", "Watches", "Windows"]),
        tests("ModalityTests", ["Modality", "Geometry", "Windows"]),
        tests("CallersTests", ["Callers", "Geometry"]),
        tests("NoticesTests", ["Callers", "Notices", "Geometry"]),
        tests("LifecycleTests", ["Lifecycle", "Geometry", "Windows"]),
        tests("StageTests", ["Stage", "MullionTesting"]),
        tests(
            "MultitaskingTests",
            [
                "AudioSessions", "Callers", "Lifecycle", "Locking", "Modality", "Notices", "Seat", "Status", "Tray", "Multitasking",
                "Journal",
                "MullionTesting",
            ]),
        tests(
            "InterfaceTests",
            [
                "AudioSessions", "Geometry", "Interface", "Locking", "Seeded", "Status", "Windows", "Multitasking", "MullionTesting",
                "Journal",
            ]),
        tests("DesktopTests", ["Desktop", "Windows"]),
        tests(
            "ChromeTests",
            [
                "Chrome", "Stage", "Status", "Tray", "Geometry", "Idioms", "Interface", "Locking", "Multitasking", "Windows",
                "MullionTesting",
            ]),
        .testTarget(
            name: "AccessibilityTests", dependencies: ["Clocks", "Accessibility", "MessageBus", "Geometry"], exclude: ["client.py"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "AudioBusTests",
            dependencies: [
                "Clocks", "AudioBus", "Callers", "MessageBus", "MullionKit", "MullionTesting", "AudioSessions", "Geometry", "Processes",
            ], exclude: ["Clients"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "mullion", "mullion-lab", "Processes", "AudioSessions", "Control", "Geometry", "Settings", "Shell",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings),
        tests(
            "LifeBusTests",
            ["Descriptors", "LifeBus", "LifeService", "Lifecycle", "LinuxLibrary", "MessageBus", "MullionKit", "MullionTesting", "Windows"]),
        tests("NoticeBusTests", ["Callers", "MessageBus", "MullionKit", "MullionTesting", "NoticeBus", "Notices"]),
        tests("TourTests", ["Tour"]),
        tests("AuditTests", ["Seeded", "Audit", "Chrome", "Control", "Geometry", "Journal", "MullionTesting", "Windows"]),
        tests(
            "SettingsTests",
            [
                "AudioSessions", "MullionTesting", "Multitasking", "Notices", "Seat", "Settings", "Processes", "Windows",
            ]),
        tests("WatchingTests", ["MullionTesting", "Watching"]),
        tests("ProcessesTests", ["MullionTesting", "Processes", "Seat"]),
        tests("ScriptsTests", ["Processes"]),
        tests("MessageBusTests", ["Clocks", "MessageBus", "MullionTesting"]),
        tests("JournalTests", ["Geometry", "Journal", "MullionTesting", "Multitasking", "Windows"]),
        tests("CompositorTests", ["Compositor", "Geometry", .product(name: "Logging", package: "swift-log")]),
        tests("ViewServerTests", ["ViewServer"]),
        tests("ShareHelperTests", ["ShareHelper", "mullion"]),
        tests("StoreTests", ["Store", "Processes", "mullion-store-probe"]),
        tests("AppScopesTests", ["Clocks", "AppScopes", "Descriptors", "MullionTesting", "Processes", "mullion"]),
        tests(
            "AudioEngineTests",
            [
                "Clocks", "AudioEngine", "AudioSessions", "Processes", "MullionTesting", "mullion-sound-probe",
                .product(name: "Logging", package: "swift-log"),
            ]),
        tests("ControlTests", ["AudioSessions", "Notices", "Control", "Journal", "Chrome", "MullionTesting"]),
        .testTarget(
            name: "ShellTests",
            dependencies: [
                "Clocks", "AudioSessions", "Descriptors", "MullionKit", "Seat", "Shell", "Status", "Store", "Fuzz", "Tour",
                "MullionTesting",
            ], exclude: ["Clients", "Hostile", "References"],
            swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
