import Windows

/// Permissions beyond a program's own windows. Each one stands for a set of Wayland globals.
///
/// This is the only table of the policy. A global that is missing here is available to everyone.
public enum Privilege: String, CaseIterable, Codable, Sendable {
    case screenCapture = "screen-capture"
    case clipboard
    case virtualInput = "virtual-input"
    case inputMethod = "input-method"
    case panels
    case windowList = "window-list"
    case screens
    case sessionLock = "session-lock"
    case sandboxes
    case idle
    /// Windows on windows of other programs, as portals open them.
    case foreignParents = "foreign-parents"
    /// The Picture in Picture role: a draft that may still change, so by default no program has it.
    case pictureInPicture = "picture-in-picture"

    /// The globals that are visible only with this privilege.
    public var globals: [String] {
        switch self {
        case .screenCapture: ["zwlr_screencopy_manager_v1", "zwlr_export_dmabuf_manager_v1"]
        case .clipboard: ["zwlr_data_control_manager_v1"]
        case .virtualInput: ["zwp_virtual_keyboard_manager_v1", "zwlr_virtual_pointer_manager_v1"]
        case .inputMethod: ["zwp_input_method_manager_v2"]
        case .panels: ["zwlr_layer_shell_v1"]
        case .windowList: ["zwlr_foreign_toplevel_manager_v1", "ext_foreign_toplevel_list_v1"]
        case .screens: ["zwlr_output_manager_v1", "zwlr_output_power_manager_v1", "zwlr_gamma_control_manager_v1"]
        case .sessionLock: ["ext_session_lock_manager_v1"]
        case .sandboxes: ["wp_security_context_manager_v1"]
        case .foreignParents: ["zxdg_importer_v1", "zxdg_importer_v2"]
        case .idle: ["ext_idle_notifier_v1", "org_kde_kwin_idle"]
        case .pictureInPicture: ["xx_pip_shell_v1"]
        }
    }

    /// The default if the configuration does not mention it.
    public var standard: Privileges.Circle { self == .pictureInPicture ? .nobody : .trusted }

    private static let byGlobal = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { privilege in privilege.globals.map { ($0, privilege) } })

    /// nil if the global is available to everyone.
    public static func of(global: String) -> Privilege? { byGlobal[global] }
}

/// Which clients have which privilege.
public struct Privileges: Hashable, Codable, Sendable {
    /// Clients that have a privilege without being listed.
    public enum Circle: String, CaseIterable, Codable, Sendable {
        case everyone
        /// Every program outside a sandbox.
        case trusted
        case nobody
    }

    /// A rule for programs by absolute path, or for apps in a sandbox by their vouched name (`Identity.name`).
    public struct Rule: Hashable, Codable, Sendable {
        public var circle: Circle
        public var allow: Set<String> = []
        public var deny: Set<String> = []

        public init(circle: Circle = .trusted) { self.circle = circle }
    }

    public var rules = Dictionary(uniqueKeysWithValues: Privilege.allCases.map { ($0, Rule(circle: $0.standard)) })
    /// Apps that have all privileges, or none. A list of the privilege itself takes precedence.
    public var allowAll: Set<String> = []
    public var denyAll: Set<String> = []

    public init() {}

    /// Whether programs of `user` may connect to a shell of `own`: the same user, or root. Root controls the shell
    /// anyway, and users open windows of programs that they start with `sudo`.
    public static func mayConnect(user: UInt32, own: UInt32) -> Bool { user == own || user == 0 }

    /// Whether a client may see and bind the globals of this name. Denial takes precedence.
    public func allow(_ client: Identity, global: String) -> Bool {
        Privilege.of(global: global).map { allow(client, $0) } ?? true
    }

    /// Whether a client has a privilege. Denial takes precedence.
    public func allow(_ client: Identity, _ privilege: Privilege) -> Bool {
        guard let rule = rules[privilege] else { return true }
        if !client.name.isEmpty {
            if rule.deny.contains(client.name) { return false }
            if rule.allow.contains(client.name) { return true }
            if denyAll.contains(client.name) { return false }
            if allowAll.contains(client.name) { return true }
        }
        return switch rule.circle {
        case .everyone: true
        case .trusted: !client.isSandboxed
        case .nobody: false
        }
    }
}
