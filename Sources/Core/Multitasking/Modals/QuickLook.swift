import Geometry
import Interface
import Modality
import Windows

/// A program asks for files to be shown in a window of quick look (W-18).
public struct FilesRequest: Hashable, Codable, Sendable {
    public let id: ModalID
    /// The window of the program that asks; nil: it has none.
    public var window: WindowID?
    /// The command that shows the files. It can be used once, because the files are open files of the program that asks.
    public var command: [String]

    public init(_ id: ModalID, from window: WindowID?, command: [String]) {
        self.id = id
        self.window = window
        self.command = command
    }

    /// The app id of quick look's windows.
    public static let appID = "org.mullion.View"
    /// Windows of quick look that wait behind a badge.
    public static let mostWaiting = 8
}

extension System {
    /// Only an app of several windows has files shown in one more (W-18), and the window comes to the front only if a person
    /// just acted in that app (W-19).
    mutating func askedForFiles(_ request: FilesRequest, at now: Moment, _ turn: inout Turn) {
        func refuse(_ why: String) { turn.send(.viewAnswered(request.id, .refused(why))) }
        guard !screenful.isLocked else { return refuse("the screen is locked") }
        guard workspace.screen != nil else { return refuse("there is no screen") }
        guard screenful.workspace.offers(.opening) else { return refuse("the idiom \(workspace.family.name) does not offer opening") }
        let own = request.window.flatMap { workspace[$0] }
        if let app = own.flatMap({ workspace.app($0.app) }), app.isSingleWindow {
            return refuse("W-18: \(app.name) has a single window (SingleMainWindow in its desktop entry), so no other is opened for it")
        }
        guard own.map({ workspace.wasActedOn($0.id, at: now) }) ?? false || workspace.admission.policy == .always else {
            guard workspace.waiting.count(where: { workspace[$0]?.facts.appID == FilesRequest.appID }) < FilesRequest.mostWaiting else {
                return refuse("W-19: nobody asked for it, and \(FilesRequest.mostWaiting) windows of quick look wait already")
            }
            return turn.send(.program(.showFiles(screenful.workspace.numberLaunch(), command: request.command, for: request.id)))
        }
        // The empty command: nothing brings the window back after a restart (W-20).
        let launch = screenful.workspace.beginLaunch(of: nil, [], to: nil, at: now)
        turn.send(.program(.showFiles(launch, command: request.command, for: request.id)))
    }
}
