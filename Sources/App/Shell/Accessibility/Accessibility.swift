import Accessibility
import Chrome
import Geometry
import Interface
import Logging
import Multitasking
import Stage
import Windows

/// Exposes the shell's controls to assistive technology on the accessibility bus.
final class Accessibility: Adapter {
    private unowned let shell: Shell
    private var bus: AccessibilityBus?
    private var follower: BusFollower?
    /// The controls that the bus got last.
    private var controls: [ViewControl]?
    private var focus: ControlID?
    private var name: Text?
    private lazy var painter = shell.adapter(Look.self).painter

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        let bus = AccessibilityBus(applicationName: "Mullion", environment: shell.environment)
        self.bus = bus
        bus.onPress = { [unowned shell] id in
            if let refusal = shell.act(.press(view: ControlID(rawValue: id))) {
                shell.log.debug("\(id) was not pressed: \(refusal.reason)")
            }
        }
        bus.onAct = { [unowned self] id, action in act(id, action) }
        bus.onAdjust = { [unowned shell] id, share in
            if let refusal = shell.act(.adjust(view: ControlID(rawValue: id), to: share)) {
                shell.log.debug("\(id) was not moved: \(refusal.reason)")
            }
        }
        bus.onFocus = { [unowned shell] id in
            if let refusal = shell.act(.keyFocus(view: ControlID(rawValue: id))) {
                shell.log.debug("\(id) did not get the focus: \(refusal.reason)")
            }
        }
        follower = BusFollower(bus, shell.compositor)
        cameToRest()
    }

    func stop() {
        follower?.end()
        bus?.close()
        bus = nil
    }

    /// Carries out an action of a control besides its press, if the control still has it.
    private func act(_ id: String, _ name: String) {
        let system = shell.system, now = shell.clock.now()
        guard let control = system.controls(at: now).last(where: { $0.id.rawValue == id }),
            let action = system.spokenActions(of: control, at: now).first(where: { $0.id == name })
        else { return shell.log.debug("\(id) has no action \(name) any more") }
        if let refusal = shell.act(action.action) { shell.log.debug("\(id): \(name) was refused: \(refusal.reason)") }
    }

    /// The address of the accessibility bus; nil while no program uses it.
    var address: String? { bus?.address }

    /// The language changed, so all names have to be sent again.
    func languageChanged() { controls = nil }

    /// Reports the controls that can be used now, in their final positions.
    func cameToRest() {
        guard let bus, bus.isRegistered || controls == nil else { return }
        let controls = shell.system.controls(at: shell.clock.now())
        let focus = shell.system.interface.focus
        let name = shell.system.frontName(at: shell.clock.now())
        guard self.controls.map({ $0 != controls }) ?? true || self.focus != focus || self.name != name else { return }
        self.controls = controls
        self.name = name
        self.focus = focus
        bus.update(elements(controls, named: name, focus: focus))
    }

    /// Groups the controls into top levels. Controls on a panel belong to it, and all others to the screen.
    private func elements(_ controls: [ViewControl], named name: Text, focus: ControlID?) -> [AccessibleElement] {
        var screen = AccessibleElement(
            id: "screen", role: .frame, name: painter.string(name), frame: shell.system.workspace.screen?.bounds ?? .zero)
        var panels: [AccessibleElement] = []
        for control in controls {
            let element = element(control, isFocused: control.id == focus)
            if control.role == .panel {
                panels.append(element)
            } else if let index = panels.lastIndex(where: { control.id.isPart(of: ControlID(rawValue: $0.id)) }) {
                panels[index].children.append(element)
            } else {
                screen.children.append(element)
            }
        }
        screen.children += panels
        return [screen]
    }

    private func spoken(_ control: ViewControl) -> [AccessibleElement.Action] {
        shell.system.spokenActions(of: control, at: shell.clock.now()).map { .init(id: $0.id, name: painter.string($0.name)) }
    }

    private func element(_ control: ViewControl, isFocused: Bool) -> AccessibleElement {
        var states: States = []
        if control.isFocusable { states.insert(.focusable) }
        if isFocused { states.insert(.focused) }
        if let screen = shell.system.workspace.screen, !control.isOnScreen(of: screen.size) { states.insert(.offScreen) }
        if control.isDisabled { states.insert(.disabled) }
        if control.role == .toggle || control.role == .menuItem && control.isChosen {
            states.insert(.checkable)
            if control.isChosen { states.insert(.checked) }
        } else if control.role == .menu {
            states.insert(.expandable)
            if control.isChosen { states.insert(.expanded) }
        } else if control.isChosen {
            states.insert([.selectable, .selected])
        }
        return AccessibleElement(
            id: control.id.rawValue, role: Role(control), name: painter.string(control.name), frame: control.frame,
            action: control.press == nil ? nil : "press", more: spoken(control),
            value: control.slide.map { .init(share: $0.value, text: $0.text) }, states: states)
    }
}

extension Role {
    fileprivate init(_ control: ViewControl) {
        self =
            switch control.role {
            case .panel where control.id == "menu-bar": .menuBar
            case .panel where control.id == "menu-bar/panel": .popupMenu
            case .panel: .panel
            case .menu: .menu
            case .button: .pushButton
            case .toggle: .toggleButton
            case .icon: .icon
            case .menuItem: .menuItem
            case .card: .listItem
            case .label: .label
            case .field: .entry
            case .alert: .alert
            case .tab: .pageTab
            case .slider: .slider
            }
    }
}
