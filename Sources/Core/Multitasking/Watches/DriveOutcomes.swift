import Callers
import Geometry
import Interface
import Notices
import Stage
import Status
import Windows

/// Removable drives: a notification for each volume, and an effect for each wish of a person.
extension System {
    mutating func drives(_ event: Drives.Event, at now: Moment, _ turn: inout Turn) {
        for outcome in drives.handle(event, in: !screenful.isLocked, at: now) {
            switch outcome {
            case .changed: screenful.sight.device.drives = drives
            case .tells(let volume, let isNew):
                withdrawDrive(volume.id, at: now, &turn)
                notices(.told(notice(of: volume, isNew: isNew)), at: now, &turn)
            case .withdraws(let id): withdrawDrive(id, at: now, &turn)
            case .take(let number, let step): turn.send(.status(.drive(number, step)))
            case .opens(let folder):
                refusable(&turn) { system, turn throws(Refusal) in try system.open(folder, as: .folders, at: now, &turn) }
            case .freed(let name):
                var content = NoticeContent(name: "Mullion", title: name)
                content.owner = .shell
                content.drive = NoticeDrive(id: "", isFreed: true)
                (content.isTransient, content.isSilent) = (true, true)
                notices(.told(content), at: now, &turn)
            case .fails(let name, let isEject, let trouble):
                let words: Text =
                    switch trouble {
                    case .busy: .message(.driveBusy)
                    case .notAllowed: .message(.driveNotAllowed)
                    case .silent: .message(.noAnswer)
                    case .says(let words): .verbatim(words)
                    }
                alert(.alert(title: .message(isEject ? .driveNotEjected : .driveNotOpened, [name]), message: words), at: now)
            case .refuse(let reason): turn.send(.refuse(Refusal(reason)))
            }
        }
        screenful.drawsAnew()
    }

    private func notice(of volume: DriveVolume, isNew: Bool) -> NoticeContent {
        var content = NoticeContent(name: "Mullion", title: volume.name, level: isNew ? .active : .passive)
        content.owner = .shell
        content.drive = NoticeDrive(id: volume.id)
        // The views have the words in the person's language.
        content.buttons = [NoticeButton(key: "open", label: "Open"), NoticeButton(key: "eject", label: "Eject")]
        content.hidesContentOnLock = true
        // It is no news, and the list has it.
        content.isFeedback = !isNew
        return content
    }

    private mutating func withdrawDrive(_ id: String, at now: Moment, _ turn: inout Turn) {
        for notice in notices.all.values where notice.content.drive?.id == id && !id.isEmpty {
            notices(.outside(.close(notice.id)), at: now, &turn)
        }
    }

    /// A person uses the notification of a drive. It stays, because the drive is still to be ejected.
    mutating func use(_ drive: NoticeDrive, of id: NoticeID, ejects: Bool, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        guard !drive.isFreed else {
            notices(.act(.dismiss(id)), at: now, &turn)
            return
        }
        let act = ejects ? DriveAct.eject(drive.id) : .open(drive.id)
        try screenful.workspace.requireOffer(of: .device(.drive(act)))
        notices(.used(id), at: now, &turn)
        if screenful.interface.noticeInSight == id { banners(.leaves, at: now, &turn) }
        turn.ask(.device(.drive(act)))
    }

    /// Opens a path or an address by the app for things of its kind: the one that the person chose, else the first.
    mutating func open(_ thing: String, as kind: DefaultKind, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let able = kind.apps(among: workspace.apps)
        guard let app = screenful.sight.facts.defaultApp(kind, among: able) ?? able.first,
            let command = app.commands(opening: [thing]).first
        else {
            return alert(.alert(title: .message(.noAppOpens), message: .verbatim(thing)), at: now)
        }
        screenful.closeViews(at: now)
        try screenful.start(app, command, to: nil, at: now, &turn)
    }
}
