import AudioSessions
import Testing

@Suite("Devices: what they are, and which is preferred")
struct DeviceKindTests {
    @Test(
        "What a device is: by its jack, then by the device, then by its names",
        arguments: [
            (["node.name": "alsa_output.pci"], ["device.api": "alsa"], "headphones", AudioOutput.Kind.headphones),
            (["node.name": "alsa_output.pci"], ["device.api": "alsa"], "speaker", .speaker),
            (["node.name": "alsa_output.pci"], ["device.api": "alsa"], "earpiece", .receiver),
            (["node.name": "a", "device.profile.name": "hdmi-stereo"], ["device.api": "alsa"], nil, .hdmi),
            (["node.name": "b", "api.bluez5.profile": "a2dp-sink"], [:], nil, .bluetoothA2DP),
            (["node.name": "b", "api.bluez5.profile": "headset-head-unit"], [:], nil, .bluetoothHFP),
            (["node.name": "u"], ["device.bus": "usb", "device.api": "alsa"], nil, .usb),
            (["node.name": "u"], ["device.bus": "usb", "device.form-factor": "headset"], nil, .headset),
            (["node.name": "n", "factory.name": "support.null-audio-sink"], [:], nil, .virtual),
        ] as [([String: String], [String: String], String?, AudioOutput.Kind)])
    func kinds(node: [String: String], device: [String: String], port: String?, kind: AudioOutput.Kind) {
        let facts = DeviceFacts(node: node, device: device, hasDevice: false, route: port.map { .init(type: $0, name: "") })
        #expect(AudioOutput.Kind(facts) == kind)
    }

    @Test("a jack with a plug comes before one in an unknown state, but never before a better node")
    func priorities() {
        func priority(_ node: String, _ route: DeviceFacts.Route?, isOnly: Bool = false) -> Int {
            DeviceFacts(node: ["priority.session": node], device: [:], hasDevice: true, route: route).priority(isOnlyRoute: isOnly)
        }
        #expect(priority("1000", .init(type: "speaker", name: "", priority: 10_000)) == 1010)
        #expect(priority("1000", .init(type: "headphones", name: "", priority: 200, isAvailable: true)) == 1050)
        #expect(priority("1000", .init(type: "hdmi", name: "", priority: 9_000_000, isAvailable: true)) == 1099)
        #expect(priority("1100", nil) == 1100)
        #expect(priority("1000", .init(type: "speaker", name: "", priority: 10_000), isOnly: true) == 1000)
        #expect(priority("no number", nil) == 0)
    }
}
