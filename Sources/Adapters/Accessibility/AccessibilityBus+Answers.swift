import MessageBus

extension AccessibilityBus: BusHandler {
    func exportInterfaces(on bus: BusConnection) { AtSpi.export(on: bus) }

    package func has(_ path: String, _ interface: String) -> Bool {
        if interface == AtSpi.cacheInterface { return path == AtSpi.cache }
        guard let number = AtSpi.number(path), table.nodes[number] != nil else { return false }
        return interfaces(of: number).contains(interface)
    }

    func interfaces(of number: ObjectNumber) -> [String] {
        if number == 0 { return [AtSpi.accessible, AtSpi.application] }
        return [AtSpi.accessible, AtSpi.component] + (table.nodes[number]?.actions.isEmpty ?? true ? [] : [AtSpi.action])
            + (table.nodes[number]?.value == nil ? [] : [AtSpi.value])
    }

    /// The bus name and path of a control; the null object for nil.
    func reference(_ number: ObjectNumber?) -> (name: String, path: String) {
        guard let number else { return ("", AtSpi.null) }
        return (connection?.name ?? "", AtSpi.path(number))
    }

    func parentReference(of number: ObjectNumber) -> (name: String, path: String) {
        number == 0 ? desktop ?? ("", AtSpi.null) : reference(table.nodes[number]?.parent)
    }

    package func get(_ path: String, _ interface: String, _ property: String, _ value: inout Outgoing) {
        guard let number = AtSpi.number(path), let node = table.nodes[number] else { return }
        switch property {
        case "Name": value.string(node.name)
        case "Description": value.string(node.description)
        case "Parent": value.reference(parentReference(of: number))
        case "ChildCount": value.int32(Int32(node.children.count))
        case "Locale": value.string(locale)
        case "AccessibleId": value.string(ElementTable.clean(node.id))
        case "MinimumValue": value.double(0)
        case "MaximumValue": value.double(1)
        case "MinimumIncrement": value.double(1 / 16)
        case "CurrentValue": value.double(node.value?.share ?? 0)
        case "Text": value.string(node.value?.text ?? "")
        case "NActions": value.int32(Int32(clamping: node.actions.count))
        case "ToolkitName": value.string("Mullion")
        case "Version", "ToolkitVersion": value.string("1.0")
        case "AtspiVersion": value.string("2.1")
        case "Id": value.int32(applicationID)
        default: assertionFailure("exported, but not answered: \(interface).\(property)")
        }
    }

    package func set(_ path: String, _ interface: String, _ property: String, _ value: Incoming) {
        if property == "Id", let id = value.int32() { applicationID = id }
        if property == "CurrentValue", let share = value.double(), share.isFinite, let number = AtSpi.number(path),
            let node = table.nodes[number], node.value != nil, node.has(.sensitive)
        {
            requests.append(.adjust(node.id, to: max(0, min(1, share))))
        }
    }

    package func method(_ call: Incoming) -> Int32 {
        if call.interface == AtSpi.cacheInterface { return answerCache(call) }
        guard let number = AtSpi.number(call.path), let node = table.nodes[number] else {
            return call.refuse("UnknownObject", "no such object")
        }
        switch call.interface {
        case AtSpi.accessible: return answerAccessible(call, number, node)
        case AtSpi.component: return answerComponent(call, number, node)
        case AtSpi.action: return answerAction(call, node)
        default: return answerApplication(call)
        }
    }

    private func answerAccessible(_ call: Incoming, _ number: ObjectNumber, _ node: ElementTable.Node) -> Int32 {
        switch call.member {
        case "GetChildAtIndex":
            guard let index = call.int32(), node.children.indices.contains(Int(index)) else {
                return call.refuse("InvalidArgs", "no child has this index")
            }
            return call.reply { $0.reference(reference(node.children[Int(index)])) }
        case "GetChildren":
            return call.reply { reply in
                reply.container(.array, "(so)") { for child in node.children { $0.reference(reference(child)) } }
            }
        case "GetIndexInParent": return call.reply { $0.int32(Int32(node.index)) }
        case "GetRelationSet": return call.reply { $0.container(.array, "(ua(so))") { _ in } }
        case "GetRole": return call.reply { $0.uint32(node.role.rawValue) }
        case "GetRoleName", "GetLocalizedRoleName": return call.reply { $0.string(node.role.spelled) }
        case "GetState": return call.reply { $0.states(node.states) }
        case "GetAttributes":
            return call.reply { reply in
                reply.container(.array, "{ss}") {
                    $0.attribute("toolkit", "Mullion")
                    if !node.id.isEmpty { $0.attribute("id", ElementTable.clean(node.id)) }
                }
            }
        case "GetApplication": return call.reply { $0.reference(reference(0)) }
        case "GetInterfaces": return call.reply { $0.strings(interfaces(of: number)) }
        default: return call.refuse("UnknownMethod", "no such method")
        }
    }

    private func answerComponent(_ call: Incoming, _ number: ObjectNumber, _ node: ElementTable.Node) -> Int32 {
        switch call.member {
        case "Contains", "GetAccessibleAtPoint":
            guard let x = call.int32(), let y = call.int32(), let origin = origin(call.uint32(), number) else {
                return call.refuse("InvalidArgs", "no such kind of coordinates")
            }
            let place = (x: Int64(x) + Int64(origin.x), y: Int64(y) + Int64(origin.y))
            if call.member == "Contains" { return call.reply { $0.bool(node.frame.contains(place.x, place.y)) } }
            return call.reply { $0.reference(reference(table.hit(place.x, place.y, in: number))) }
        case "GetExtents", "GetPosition":
            guard let origin = origin(call.uint32(), number) else {
                return call.refuse("InvalidArgs", "no such kind of coordinates")
            }
            var frame = node.frame
            frame.x -= origin.x
            frame.y -= origin.y
            return call.reply { reply in
                guard call.member == "GetExtents" else {
                    reply.int32(frame.x)
                    return reply.int32(frame.y)
                }
                reply.container(.structure, "iiii") { $0.rectangle(frame) }
            }
        case "GetSize":
            return call.reply {
                $0.int32(node.frame.width)
                $0.int32(node.frame.height)
            }
        // Top levels are in the window layer, stacked on each other. Everything else is in the widget layer.
        case "GetLayer": return call.reply { $0.uint32(node.parent == 0 ? 7 : 3) }
        case "GetMDIZOrder": return call.reply { $0.int16(node.parent == 0 ? Int16(clamping: node.index) : -1) }
        case "GrabFocus":
            let takes = node.has(.focusable) && node.has(.sensitive)
            if takes { requests.append(.focus(node.id)) }
            return call.reply { $0.bool(takes) }
        case "GetAlpha": return call.reply { $0.double(1) }
        default: return call.refuse("UnknownMethod", "no such method")
        }
    }

    /// The screen position of the origin for a coordinate type: 0 the screen, 1 the top level, 2 the parent.
    private func origin(_ kind: UInt32?, _ number: ObjectNumber) -> BusRect? {
        switch kind {
        case 0: BusRect()
        case 1: table.nodes[table.top(of: number)]?.frame
        case 2: table.nodes[table.nodes[number]?.parent ?? 0]?.frame
        default: nil
        }
    }

    private func answerAction(_ call: Incoming, _ node: ElementTable.Node) -> Int32 {
        if call.member == "GetActions" {
            return call.reply { reply in
                reply.container(.array, "(sss)") { array in
                    for action in node.actions {
                        array.container(.structure, "sss") { for text in [action.name, "", ""] { $0.string(text) } }
                    }
                }
            }
        }
        guard let index = call.int32().map(Int.init), node.actions.indices.contains(index) else {
            return call.refuse("InvalidArgs", "no action has this index")
        }
        let action = node.actions[index]
        switch call.member {
        case "GetName": return call.reply { $0.string(ElementTable.clean(action.id)) }
        case "GetLocalizedName": return call.reply { $0.string(action.name) }
        case "GetDescription", "GetKeyBinding": return call.reply { $0.string("") }
        case "DoAction":
            let does = node.has(.sensitive), isPress = node.isPressable && index == 0
            if does { requests.append(isPress ? .press(node.id) : .act(node.id, action.id)) }
            return call.reply { $0.bool(does) }
        default: return call.refuse("UnknownMethod", "no such method")
        }
    }

    private func answerApplication(_ call: Incoming) -> Int32 {
        switch call.member {
        case "GetLocale": return call.reply { $0.string(locale) }
        // There is no direct connection besides the bus.
        case "GetApplicationBusAddress": return call.reply { $0.string("") }
        default: return call.refuse("UnknownMethod", "no such method")
        }
    }

    private func answerCache(_ call: Incoming) -> Int32 {
        call.reply { reply in
            reply.container(.array, "(\(AtSpi.cacheItem))") { array in
                for number in table.nodes.keys.sorted() { writeCacheItem(number, to: &array) }
            }
        }
    }

    func writeCacheItem(_ number: ObjectNumber, to message: inout Outgoing) {
        guard let node = table.nodes[number] else { return }
        message.container(.structure, AtSpi.cacheItem) {
            $0.reference(reference(number))
            $0.reference(reference(0))
            $0.reference(parentReference(of: number))
            $0.int32(Int32(node.index))
            $0.int32(Int32(node.children.count))
            $0.strings(interfaces(of: number))
            $0.string(node.name)
            $0.uint32(node.role.rawValue)
            $0.string(node.description)
            $0.states(node.states)
        }
    }

    // MARK: Bus signals

    package func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        let answer = try? answer.get()
        switch Token(rawValue: token) {
        case .address:
            let address = answer?.string().flatMap(BusAddress.usable)
            requests.append(address.map { .open(address: $0) } ?? .lost)
        case .embed:
            let desktop = answer?.structure("so") { () -> (name: String, path: String)? in
                guard let name = answer?.string(), let path = answer?.objectPath() else { return nil }
                return (name, path)
            }
            guard let desktop else { return requests.append(.lost) }
            registered(in: desktop)
            askForListeners()
        case .listeners:
            let events = answer?.array(of: "(ss)", limit: 512) {
                answer?.structure("ss") { () -> String? in
                    _ = answer?.string()
                    return answer?.string()
                }
            }
            listened = Set((events ?? []).map(Self.plain))
            if asksForListeners == .again { return askForListeners(anew: true) }
            asksForListeners = .no
        case nil: break
        }
    }

    package func signal(_ signal: Incoming) {
        switch signal.member {
        case "NameOwnerChanged":
            _ = signal.string()
            _ = signal.string()
            // A restarted registry has forgotten its applications.
            guard let owner = signal.string(), !owner.isEmpty, phase == .joined, !isEmbedding else { return }
            requests.append(.register)
        case "EventListenerRegistered", "EventListenerDeregistered":
            askForListeners()
        default: break
        }
    }
}

extension Outgoing {
    mutating func rectangle(_ rect: BusRect) {
        for value in [rect.x, rect.y, rect.width, rect.height] { int32(value) }
    }

    fileprivate mutating func states(_ bits: UInt64) {
        container(.array, "u") {
            $0.uint32(UInt32(truncatingIfNeeded: bits))
            $0.uint32(UInt32(truncatingIfNeeded: bits >> 32))
        }
    }

    fileprivate mutating func attribute(_ name: String, _ value: String) {
        container(.entry, "ss") {
            $0.string(name)
            $0.string(value)
        }
    }
}
