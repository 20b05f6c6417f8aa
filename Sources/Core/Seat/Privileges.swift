/// What a program may do beyond its own windows. Each stands for the Wayland globals that give it.
///
/// This is the one table of the policy: a global that is named nowhere here is everyone's.
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
    /// Windows that are Picture in Picture by their role: a draft that may still change, so nobody has it as standard.
    case pictureInPicture = "picture-in-picture"

    /// Names of the globals that are seen only with this privilege.
    public var globals: [String] {
        switch self {
        case .screenCapture: ["zwlr_screencopy_manager_v1", "zwlr_export_dmabuf_manager_v1"]
        case .clipboard: ["zwlr_data_control_manager_v1"]
        case .virtualInput: ["zwp_virtual_keyboard_manager_v1", "zwlr_virtual_pointer_manager_v1"]
        case .inputMethod: ["zwp_input_method_manager_v2"]
        case .panels: ["zwlr_layer_shell_v1"]
        case .windowList: ["zwlr_foreign_toplevel_manager_v1", "ext_foreign_toplevel_list_v1"]
        case .screens: ["zwlr_output_manager_v1", "zwlr_output_power_manager_v1"]
        case .sessionLock: ["ext_session_lock_manager_v1"]
        case .sandboxes: ["wp_security_context_manager_v1"]
        case .idle: ["ext_idle_notifier_v1", "org_kde_kwin_idle"]
        case .pictureInPicture: ["xx_pip_shell_v1"]
        }
    }

    /// Who has it where the configuration says nothing.
    public var standard: Privileges.Circle { self == .pictureInPicture ? .nobody : .trusted }

    private static let byGlobal = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { privilege in privilege.globals.map { ($0, privilege) } })

    /// nil: the global is everyone's.
    public static func of(global: String) -> Privilege? { byGlobal[global] }
}

/// Who has which privilege.
public struct Privileges: Hashable, Codable, Sendable {
    /// Who has it when no list names them.
    public enum Circle: String, CaseIterable, Codable, Sendable {
        case everyone
        /// Every program outside a sandbox.
        case trusted
        case nobody
    }

    /// Programs by absolute path, apps in a sandbox by the name that the sandbox gives them.
    public struct Rule: Hashable, Codable, Sendable {
        public var circle: Circle
        public var allow: Set<String> = []
        public var deny: Set<String> = []

        public init(circle: Circle = .trusted) { self.circle = circle }
    }

    /// A client, as far as it is known.
    public struct Client: Hashable, Sendable {
        /// Path of the program, or the name of an app in a sandbox; "" when nobody knows.
        public var name: String
        public var isSandboxed: Bool

        public init(name: String, isSandboxed: Bool) {
            self.name = name
            self.isSandboxed = isSandboxed
        }
    }

    public var rules = Dictionary(uniqueKeysWithValues: Privilege.allCases.map { ($0, Rule(circle: $0.standard)) })
    /// Apps that have every privilege, or none. A list of the privilege itself goes before.
    public var allowAll: Set<String> = []
    public var denyAll: Set<String> = []

    public init() {}

    /// Whether programs of this user may connect to a shell of `own`: that user's, and root's. Root can read and change the
    /// shell in any case, and people open windows of programs that they started with `sudo`.
    public static func mayConnect(user: UInt32, own: UInt32) -> Bool { user == own || user == 0 }

    /// Whether a client may see and take up the globals of this name. What denies goes before what allows.
    public func allow(_ client: Client, global: String) -> Bool {
        Privilege.of(global: global).map { allow(client, $0) } ?? true
    }

    /// Whether a client has a privilege. What denies goes before what allows.
    public func allow(_ client: Client, _ privilege: Privilege) -> Bool {
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
