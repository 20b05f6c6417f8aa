import Geometry
import Interface
import Windows

/// A person arranges the home screen. The order is a choice like others; the pages follow from it.
extension System {
    mutating func arrangeHome(_ act: HomeAct, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let installed = workspace.apps.map(\.id)
        var order = (screenful.interface.homeOrder ?? HomeOrder()).completed(installed: installed)
        switch act {
        case .folder(let id):
            guard order.folder(id) != nil else { throw Refusal("there is no folder \(id)") }
            screenful.interface.togglePanel(.folder(id), at: now, spring: screenful.spring)
            return turn.ask(.settle())
        case .reset:
            choices(.dropped("home"), at: now, &turn)
            return turn.ask(.settle())
        case .replace(let new):
            guard new.isPossible else { throw Refusal("this order of the home screen has an app twice, or too many") }
            order = new
        case .move(let app, let place):
            guard installed.contains(app) else { throw Refusal("there is no app \"\(app)\"") }
            if case .with(let other) = place, !installed.contains(other) { throw Refusal("there is no app \"\(other)\"") }
            try order.move(app, to: place)
        case .hide(let app):
            guard order.known.contains(app) else { throw Refusal("there is no app \"\(app)\"") }
            order.hide(app)
        case .show(let app): try order.show(app)
        case .rename(let folder, let name):
            try order.rename(folder, name)
            if screenful.interface.openFolder == folder { screenful.interface.beginForm() }
        }
        if screenful.interface.isPopoverOpen { screenful.interface.close(.popover, at: now, spring: screenful.spring) }
        choices(.chosen(.home(order)), at: now, &turn)
        turn.ask(.settle())
    }

    /// A folder that is open goes with its last app.
    mutating func followFolder(at now: Moment) {
        guard let id = screenful.interface.openFolder, screenful.views(at: now)?.folderPlan(id) == nil || !workspace.showsHome else {
            return
        }
        screenful.interface.close(.panel, at: now, spring: screenful.spring)
    }
}
