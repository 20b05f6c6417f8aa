import MessageBus

/// AT-SPI's names, and the interfaces that the shell implements.
enum AtSpi {
    static let registry = "org.a11y.atspi.Registry"
    static let registryPath = "/org/a11y/atspi/registry"
    static let root = "/org/a11y/atspi/accessible/root"
    static let null = "/org/a11y/atspi/null"
    static let cache = "/org/a11y/atspi/cache"
    private static let prefix = "/org/a11y/atspi/accessible"

    static let accessible = "org.a11y.atspi.Accessible"
    static let component = "org.a11y.atspi.Component"
    static let action = "org.a11y.atspi.Action"
    static let application = "org.a11y.atspi.Application"
    static let value = "org.a11y.atspi.Value"
    static let cacheInterface = "org.a11y.atspi.Cache"
    static let objectEvent = "org.a11y.atspi.Event.Object"
    static let windowEvent = "org.a11y.atspi.Event.Window"

    /// An item of the cache: the control, its application, its parent, its index, its number of children, interfaces,
    /// name, role, description, states.
    static let cacheItem = "(so)(so)(so)iiassusau"

    static func path(_ number: ObjectNumber) -> String { number == 0 ? root : "\(prefix)/\(number)" }

    static func number(_ path: String) -> ObjectNumber? {
        if path == root { return 0 }
        // Numbers can be written in several ways, but an object has only one path.
        guard path.hasPrefix(prefix + "/"), let number = ObjectNumber(path.dropFirst(prefix.utf8.count + 1)),
            self.path(number) == path
        else { return nil }
        return number
    }

    static func export(on bus: BusConnection) {
        bus.export(
            accessible, below: prefix,
            [
                .property("Name", "s"), .property("Description", "s"), .property("Parent", "(so)"),
                .property("ChildCount", "i"), .property("Locale", "s"), .property("AccessibleId", "s"),
                .method("GetChildAtIndex", takes: "i", gives: "(so)"), .method("GetChildren", gives: "a(so)"),
                .method("GetIndexInParent", gives: "i"), .method("GetRelationSet", gives: "a(ua(so))"),
                .method("GetRole", gives: "u"), .method("GetRoleName", gives: "s"),
                .method("GetLocalizedRoleName", gives: "s"), .method("GetState", gives: "au"),
                .method("GetAttributes", gives: "a{ss}"), .method("GetApplication", gives: "(so)"),
                .method("GetInterfaces", gives: "as"),
            ])
        bus.export(
            component, below: prefix,
            [
                .method("Contains", takes: "iiu", gives: "b"),
                .method("GetAccessibleAtPoint", takes: "iiu", gives: "(so)"),
                .method("GetExtents", takes: "u", gives: "(iiii)"), .method("GetPosition", takes: "u", gives: "ii"),
                .method("GetSize", gives: "ii"), .method("GetLayer", gives: "u"), .method("GetMDIZOrder", gives: "n"),
                .method("GrabFocus", gives: "b"), .method("GetAlpha", gives: "d"),
            ])
        bus.export(
            action, below: prefix,
            [
                .property("NActions", "i"), .method("GetName", takes: "i", gives: "s"),
                .method("GetLocalizedName", takes: "i", gives: "s"), .method("GetDescription", takes: "i", gives: "s"),
                .method("GetKeyBinding", takes: "i", gives: "s"), .method("GetActions", gives: "a(sss)"),
                .method("DoAction", takes: "i", gives: "b"),
            ])
        bus.export(
            value, below: prefix,
            [
                .property("MinimumValue", "d"), .property("MaximumValue", "d"), .property("MinimumIncrement", "d"),
                .writable("CurrentValue", "d"), .property("Text", "s"),
            ])
        bus.export(
            application, below: prefix,
            [
                .property("ToolkitName", "s"), .property("Version", "s"), .property("ToolkitVersion", "s"),
                .property("AtspiVersion", "s"), .writable("Id", "i"), .method("GetLocale", takes: "u", gives: "s"),
                .method("GetApplicationBusAddress", gives: "s"),
            ])
        bus.export(cacheInterface, below: cache, [.method("GetItems", gives: "a(\(cacheItem))")])
    }
}

extension Outgoing {
    /// An object reference: bus name and path.
    mutating func reference(_ object: (name: String, path: String)) {
        container(.structure, "so") {
            $0.string(object.name)
            $0.path(object.path)
        }
    }

    mutating func strings(_ values: [String]) {
        container(.array, "s") { for value in values { $0.string(value) } }
    }
}
