import Lifecycle
import Multitasking
import Windows

/// The running apps with the reasons why they run, as `mullion ctl life` shows them (S-06). Fields that do not apply are left out.
public struct LifeReport: Hashable, Codable, Sendable {
    /// How apps are frozen: "systemd", "cgroup2", "freezer1" or "processes".
    public var means: String?
    /// Apps with windows, in the order in which they opened their first.
    public var apps: [App]
    /// Windows whose program does not run, and that wait for it (W-20).
    public var placeholders: [Waiting]

    public struct App: Hashable, Codable, Sendable {
        /// The process that was launched, or else the client's own. `MainPID` of the app.
        public var process: Int32
        public var app: String
        public var phase: AppPhase
        public var windows: [WindowID]
        /// The reasons why it runs in the background.
        public var reasons: [Reason]
    }

    public struct Waiting: Hashable, Codable, Sendable {
        public var window: WindowID
        public var app: String
        public var title: String
        public var state: State

        public enum State: String, Hashable, Codable, Sendable {
            /// Its program is started when the window is shown.
            case waits
            /// Its program was started, and has no window yet.
            case starts
            /// Its program outlived the last shell, and may connect to this one.
            case awaited
            /// Its program could not be started. A tap on the window tries again.
            case failed
        }

        init(_ window: Window, _ placeholder: Placeholder) {
            self.window = window.id
            app = window.app
            title = window.facts.title
            state = placeholder.hasFailed ? .failed : placeholder.launch != nil ? .starts : placeholder.process != nil ? .awaited : .waits
        }
    }

    public struct Reason: Hashable, Codable, Sendable {
        /// "sound", "recording", "call", "picture-in-picture", "task", "inhibits", "called", "kept",
        /// "allowed" or "failed".
        public var kind: String
        /// For a task, its name. For an inhibitor, its app's words for people. For a failure, why the app is not frozen.
        public var name: String?
        /// The number of a task, for `mullion ctl end-task`.
        public var task: UInt64?
        /// The progress of a task, from 0 to 1.
        public var progress: Double?
        /// The number of an inhibitor, for `mullion ctl end-inhibitor`.
        public var inhibitor: UInt32?

        init(_ reason: AwakeReason) {
            switch reason {
            case .sound: kind = "sound"
            case .recording: kind = "recording"
            case .call: kind = "call"
            case .pictureInPicture: kind = "picture-in-picture"
            case .called: kind = "called"
            case .kept: kind = "kept"
            case .allowed: kind = "allowed"
            case .task(let id, let name, let progress):
                kind = "task"
                self.name = name
                self.progress = progress
                task = id.raw
            case .inhibits(let id, let reason):
                kind = "inhibits"
                name = reason
                inhibitor = id.raw
            case .failed(let why):
                kind = "failed"
                name = why
            }
        }
    }

    public init(_ lifecycle: Lifecycle, _ workspace: Workspace, means: String?) {
        self.means = means
        placeholders = workspace.windows.values.sorted { $0.id < $1.id }.compactMap { window in
            window.placeholder.map { Waiting(window, $0) }
        }
        apps = lifecycle.apps.map { id, life in
            App(
                process: id.head, app: life.name, phase: lifecycle.phase(id) ?? .background, windows: life.windows,
                reasons: lifecycle.reasons(id).map(Reason.init))
        }
    }
}
