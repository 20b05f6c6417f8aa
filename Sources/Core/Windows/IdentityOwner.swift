import Callers

extension Owner {
    /// The owner whose quota a process uses.
    ///
    /// - Parameters:
    ///   - identity: the identity of the process.
    ///   - launched: the app of the launch at the head of its process tree, if the shell launched it.
    ///   - unit: the app of the service manager's scope or service, if it has one.
    ///   - head: the path of the program at the head of its process tree, below the shell and the service manager; "" if unknown.
    public init(_ identity: Identity, launched: String?, unit: String?, head: String) {
        self =
            if identity.isSandboxed {
                identity.owner(claiming: "").map(Owner.sandbox) ?? .nameless
            } else if let app = launched ?? unit, !app.isEmpty {
                .app(app)
            } else if !head.isEmpty {
                .program(head)
            } else {
                .user
            }
    }
}

extension Workspace {
    /// The owner that pays for a window's app.
    public func owner(of id: WindowID) -> Owner {
        guard let window = windows[id] else { return .user }
        guard let sandbox = window.facts.sandbox else { return .app(window.app) }
        return Owner(sandbox, launched: nil, unit: nil, head: "")
    }
}
