import LifeService
import MessageBus
import Modality

/// The backend of the Wallpaper portal (`org.freedesktop.impl.portal.Wallpaper`): an app offers a picture, and a person sees it before it
/// becomes the wallpaper. The shell keeps a copy, because the app's own file may go.
final class WallpaperPortal {
    static let interface = "org.freedesktop.impl.portal.Wallpaper"

    private unowned let service: LifeBusService
    private unowned let portals: PortalService

    init(_ service: LifeBusService, _ portals: PortalService) {
        self.service = service
        self.portals = portals
    }

    func export(on bus: BusConnection) {
        bus.export(Self.interface, below: PortalService.path, [.method("SetWallpaperURI", takes: "osssa{sv}", gives: "u")])
    }

    func handle(_ call: Incoming, _ caller: LifeCaller, _ host: any PortalHost) throws(LifeError) -> Int32 {
        guard call.member == "SetWallpaperURI" else { return -95 }
        let request = try portals.begin(call, caller)
        guard let address = call.string(), let options = call.table() else {
            throw LifeError(.badParameter, "an address and options are expected")
        }
        func fails(_ why: String) -> Int32 {
            service.bus.onNote("a wallpaper of \(request.app.isEmpty ? "an app" : request.app) is not taken: \(why)")
            return call.reply { $0.uint32(PortalService.Answer.failed) }
        }
        guard let path = FileAddress.path(of: address) else { return fails("it is no file of this machine") }
        // A locker shows its own picture.
        guard options["set-on"]?.text != "lockscreen" else { return fails("the shell has no picture for a locked screen") }
        if let refusal = host.wallpaperRefusal { return fails(refusal) }
        let held = call.keep()
        func answer(_ number: UInt32) {
            _ = held.call.reply { $0.uint32(number) }
            service.bus.reportChange()
        }
        var isWithdrawn = false
        portals.hold(request) { isWithdrawn = true }
        // The portal has asked the person already if the app wants no preview.
        let shows = options["show-preview"]?.flag ?? true
        host.takePicture(path) { [weak self] picture in
            guard let self, !isWithdrawn, portals.release(request.handle) else {
                if let picture { host.settle(picture, isChosen: false) { _ in } }
                return answer(PortalService.Answer.failed)
            }
            guard let picture else { return answer(PortalService.Answer.failed) }
            func settle(_ isChosen: Bool, otherwise number: UInt32) {
                host.settle(picture, isChosen: isChosen) { isSet in
                    answer(isSet ? PortalService.Answer.yes : isChosen ? PortalService.Answer.failed : max(number, PortalService.Answer.no))
                }
            }
            guard shows else { return settle(true, otherwise: PortalService.Answer.failed) }
            var view = ModalView(host.nextView(), .alert, over: nil, of: request.app, title: host.words(.useAsWallpaper))
            view.isPermission = true
            view.picture = picture.preview
            view.choices = [.init(host.words(.usePicture), .preferred), .init(host.words(.cancel), .cancel)]
            portals.ask(view, request, by: caller, host) { number, choice in
                settle(number == PortalService.Answer.yes && choice == 0, otherwise: number)
            }
        }
        return 1
    }
}

/// Addresses of files, as portals name them.
enum FileAddress {
    /// The path of a file of this machine; nil if the address names none.
    static func path(of address: String) -> String? {
        guard address.utf8.count <= 12_288, address.lowercased().hasPrefix("file://") else { return nil }
        var rest = address.dropFirst(7)
        if rest.hasPrefix("localhost/") { rest = rest.dropFirst(9) }
        guard rest.hasPrefix("/") else { return nil }
        var bytes: [UInt8] = [], coded = rest.utf8[...]
        while let byte = coded.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = coded.popFirst(), let low = coded.popFirst(),
                let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16), value != 0
            else { return nil }
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
