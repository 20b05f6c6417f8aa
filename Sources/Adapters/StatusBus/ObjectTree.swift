import MessageBus

extension Incoming {
    /// The objects of an object manager's answer, with their interfaces among `shown`. Objects beyond `most` are left out.
    ///
    /// - Parameter read: takes the path and the tables of one object.
    func objects(_ shown: Set<String>, most: Int, entries: Int = 64, _ read: (String, [String: [String: BusValue]]) -> Void) {
        _ = array(of: "{oa{sa{sv}}}", limit: most) { () -> Bool? in
            entry("oa{sa{sv}}") { () -> Bool? in
                guard let path = objectPath(), let tables = tables(shown, entries) else { return nil }
                read(path, tables)
                return true
            }
        }
    }

    /// A dictionary of dictionaries: those whose names are among `shown`.
    func tables(_ shown: Set<String>, _ entries: Int = 64) -> [String: [String: BusValue]]? {
        var tables: [String: [String: BusValue]] = [:]
        let read = wholeArray(of: "{sa{sv}}", limit: 64) { () -> Bool? in
            entry("sa{sv}") { () -> Bool? in
                guard let name = string(), let table = table(.init(text: 512, entries: entries)) else { return nil }
                if shown.contains(name) { tables[name] = table }
                return true
            }
        }
        return read == nil ? nil : tables
    }
}
