import Geometry
import LifeService
import MessageBus
import Modality
import Windows

/// A picture that an app wants of the screen.
public enum ScreenPart: Hashable, Sendable {
    case whole
    case window(WindowID)
    /// In points of the screen.
    case part(Rect)
}

/// The backend of the Screenshot portal (`org.freedesktop.impl.portal.Screenshot`): a person chooses what is in the picture, or marks the
/// place of a colour. Nothing of a locked session is in a picture, and nothing of the questions.
final class ScreenshotPortal {
    static let interface = "org.freedesktop.impl.portal.Screenshot"
    /// In this version the portal itself asks a person before it wants a picture without a choice, and says so.
    static let version: UInt32 = 2

    private unowned let service: LifeBusService
    private unowned let portals: PortalService

    init(_ service: LifeBusService, _ portals: PortalService) {
        self.service = service
        self.portals = portals
    }

    func export(on bus: BusConnection) {
        bus.export(
            Self.interface, below: PortalService.path,
            [
                .method("Screenshot", takes: "ossa{sv}", gives: "ua{sv}"), .method("PickColor", takes: "ossa{sv}", gives: "ua{sv}"),
                .property("version", "u"),
            ])
    }

    func handle(_ call: Incoming, _ caller: LifeCaller, _ host: any PortalHost) throws(LifeError) -> Int32 {
        let isColour = call.member == "PickColor"
        guard isColour || call.member == "Screenshot" else { return -95 }
        var request = try portals.begin(call, caller)
        guard let options = call.table() else { throw LifeError(.badParameter, "options are expected") }
        guard let screen = host.screen else {
            return call.reply {
                $0.uint32(PortalService.Answer.failed)
                $0.table([:])
            }
        }
        // The questions stand over the whole screen, and name the app of the window.
        if request.app.isEmpty { request.app = host.app(ofWindow: request.window) }
        request.window = ""
        let asking = Asking(held: call.keep(), request: request, caller: caller, host: host)
        if isColour {
            pickColour(asking, from: screen)
        } else if options["interactive"]?.flag ?? false {
            choosePart(asking)
        } else if options["permission_store_checked"]?.flag ?? false {
            take(.whole, asking)
        } else {
            askFirst(asking)
        }
        return 1
    }

    /// One call of an app, until it is answered.
    private struct Asking {
        let held: HeldCall
        let request: PortalService.Request
        let caller: LifeCaller
        let host: any PortalHost
    }

    private func answer(_ asking: Asking, _ number: UInt32, _ results: (inout Outgoing) -> Void = { _ in }) {
        _ = asking.held.call.reply {
            $0.uint32(number)
            $0.container(.array, "{sv}", results)
        }
        service.bus.reportChange()
    }

    // MARK: Questions

    /// The portal did not ask.
    private func askFirst(_ asking: Asking) {
        let host = asking.host, app = asking.request.app
        var view = ModalView(
            host.nextView(), .alert, over: nil, of: app,
            title: PortalService.limited(host.words(.takePictures(app: app.isEmpty ? "" : host.appName(app))), ModalRules.label))
        view.isPermission = true
        view.choices = [.init(host.words(.allow), .preferred), .init(host.words(.dontAllow), .cancel)]
        portals.ask(view, asking.request, by: asking.caller, host) { [weak self] number, choice in
            if choice == 0 { self?.take(.whole, asking) } else { self?.answer(asking, max(number, PortalService.Answer.no)) }
        }
    }

    private func choosePart(_ asking: Asking) {
        let host = asking.host
        var view = ModalView(host.nextView(), .actionSheet, over: nil, of: asking.request.app, title: host.words(.takePicture))
        // Without a window there is none to choose.
        let parts: [PortalMessage] = [.wholeScreen] + (host.openWindows.isEmpty ? [] : [.oneWindow]) + [.partOfScreen]
        view.choices = parts.map { .init(host.words($0)) } + [.init(host.words(.cancel), .cancel)]
        portals.ask(view, asking.request, by: asking.caller, host) { [weak self] number, choice in
            switch choice.flatMap({ parts.indices.contains($0) ? parts[$0] : nil }) {
            case .wholeScreen: self?.take(.whole, asking)
            case .oneWindow: self?.chooseWindow(asking)
            case .partOfScreen: self?.mark(asking)
            default: self?.answer(asking, max(number, PortalService.Answer.no))
            }
        }
    }

    private func chooseWindow(_ asking: Asking) {
        let host = asking.host, windows = host.openWindows.prefix(ModalRules.choices - 1)
        guard !windows.isEmpty else { return answer(asking, PortalService.Answer.failed) }
        var view = ModalView(host.nextView(), .actionSheet, over: nil, of: asking.request.app, title: host.words(.chooseWindow))
        view.choices =
            windows.map {
                .init(PortalService.limited($0.title.allSatisfy(\.isWhitespace) ? "–" : $0.title, ModalRules.label), window: $0.id)
            }
            + [.init(host.words(.cancel), .cancel)]
        portals.ask(view, asking.request, by: asking.caller, host) { [weak self] number, choice in
            if let choice, windows.indices.contains(choice) {
                self?.take(.window(windows[choice].id), asking)
            } else {
                self?.answer(asking, max(number, PortalService.Answer.no))
            }
        }
    }

    private func mark(_ asking: Asking) {
        let host = asking.host
        guard let screen = host.screen else { return answer(asking, PortalService.Answer.failed) }
        var view = ModalView(host.nextView(), .actionSheet, over: nil, of: asking.request.app, title: host.words(.markPart))
        view.mark = ModalMark(screen.inset(by: min(screen.width, screen.height) / 4))
        view.choices = [.init(host.words(.takeIt), .preferred), .init(host.words(.cancel), .cancel)]
        portals.ask(view, asking.request, by: asking.caller, host) { [weak self] (number: UInt32, how: ModalAnswer) in
            if case .marked(let frame) = how {
                self?.take(.part(frame), asking)
            } else {
                self?.answer(asking, max(number, PortalService.Answer.no))
            }
        }
    }

    // MARK: Answers

    private func take(_ part: ScreenPart, _ asking: Asking) {
        var isWithdrawn = false
        portals.hold(asking.request) { isWithdrawn = true }
        asking.host.capture(part) { [weak self] address in
            guard let self, !isWithdrawn, portals.release(asking.request.handle) else {
                self?.answer(asking, PortalService.Answer.failed)
                return
            }
            guard let address else { return answer(asking, PortalService.Answer.failed) }
            answer(asking, PortalService.Answer.yes) {
                $0.container(.entry, "sv") {
                    $0.string("uri")
                    $0.variant(.text(address))
                }
            }
        }
    }

    private func pickColour(_ asking: Asking, from screen: Rect) {
        let host = asking.host
        var view = ModalView(host.nextView(), .actionSheet, over: nil, of: asking.request.app, title: host.words(.pickColour))
        view.mark = ModalMark(at: screen.center)
        view.choices = [.init(host.words(.useColour), .preferred), .init(host.words(.cancel), .cancel)]
        portals.ask(view, asking.request, by: asking.caller, host) { [weak self] (number: UInt32, how: ModalAnswer) in
            guard case .marked(let frame) = how else { return self?.answer(asking, max(number, PortalService.Answer.no)) ?? () }
            guard let colour = host.colour(at: frame.origin) else { return self?.answer(asking, PortalService.Answer.failed) ?? () }
            self?.answer(asking, PortalService.Answer.yes) {
                $0.container(.entry, "sv") {
                    $0.string("color")
                    $0.container(.variant, "(ddd)") { $0.container(.structure, "ddd") { for part in 0..<3 { $0.double(colour[part]) } } }
                }
            }
        }
    }
}
