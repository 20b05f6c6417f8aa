import AudioSessions

/// What a device is, from what PipeWire knows of it: the jack first, then the device, then its names.
enum Kinds {
    static func output(node: Graph.Node, device: [String: String], route: DeviceRoute?) -> AudioOutput.Kind {
        func said(_ key: String) -> String { (node.properties[key] ?? device[key] ?? "").lowercased() }
        switch said("api.bluez5.profile") {
        case "": break
        case let profile where profile.contains("a2dp") || profile.contains("bap"): return .bluetoothA2DP
        default: return .bluetoothHFP
        }
        if let route, let kind = output(portType: route.portType.lowercased(), name: route.name.lowercased()) {
            // A speaker that stands on the desk and is pulled with its plug.
            return kind == .speaker && said("device.bus") == "usb" && said("device.form-factor") != "speaker" ? .usb : kind
        }
        switch said("device.form-factor") {
        case "headphone", "headphones": return .headphones
        case "headset", "hands-free": return .headset
        case "handset": return .receiver
        case "speaker", "internal", "portable", "computer": return .speaker
        case "tv", "hifi": return said("device.bus") == "usb" ? .usb : .lineOut
        default: break
        }
        let profile = said("device.profile.name")
        if profile.contains("hdmi") { return .hdmi }
        if said("device.bus") == "bluetooth" || said("device.api") == "bluez5" { return .bluetoothA2DP }
        if said("device.bus") == "usb" { return .usb }
        if said("factory.name") == "support.null-audio-sink" || said("node.virtual") == "true" { return .virtual }
        let name = node.name.lowercased()
        if name.contains("raop") || name.contains("rtp") || said("node.network") == "true" { return .network }
        return said("device.api").isEmpty && node.device == nil ? .virtual : .speaker
    }

    private static func output(portType: String, name: String) -> AudioOutput.Kind? {
        switch portType {
        case "speaker": return .speaker
        case "headphones": return .headphones
        case "headset", "handsfree": return .headset
        case "earpiece", "handset": return .receiver
        case "hdmi", "tv", "displayport": return .hdmi
        case "line", "spdif": return .lineOut
        case "usb": return .usb
        case "bluetooth": return .bluetoothA2DP
        case "network": return .network
        default: break
        }
        if name.contains("headphone") { return .headphones }
        if name.contains("headset") { return .headset }
        if name.contains("earpiece") || name.contains("handset") { return .receiver }
        if name.contains("hdmi") { return .hdmi }
        if name.contains("speaker") { return .speaker }
        if name.contains("line") || name.contains("iec958") { return .lineOut }
        return nil
    }

    static func input(node: Graph.Node, device: [String: String], route: DeviceRoute?) -> AudioInput.Kind {
        func said(_ key: String) -> String { (node.properties[key] ?? device[key] ?? "").lowercased() }
        if !said("api.bluez5.profile").isEmpty || said("device.bus") == "bluetooth" { return .bluetooth }
        let port = "\(route?.portType.lowercased() ?? "") \(route?.name.lowercased() ?? "")"
        if port.contains("headset") || ["headset", "headphone", "hands-free"].contains(said("device.form-factor")) { return .headset }
        if port.contains("line") { return .lineIn }
        if said("device.bus") == "usb" { return .usb }
        if port.contains("mic") || said("device.form-factor") == "internal" || said("device.form-factor") == "microphone" { return .builtIn }
        return said("device.api").isEmpty && node.device == nil ? .virtual : .builtIn
    }
}
