import Geometry
import Notices
import Stage
import Status
import Windows

/// The removable drives: a page of the control centre, and the words of their notifications.
extension Views {
    var driveTiles: [ControlTile] {
        guard !device.drives.volumes.isEmpty else { return [] }
        return [ControlTile(id: "drives", symbol: .drive, text: .message(.drives), action: .controlPage(.drives), isButton: true)]
    }

    var drivesForm: Form {
        let volumes = device.drives.volumes
        guard !volumes.isEmpty else { return Form(.message(.drives), [FormSection([], note: .message(.drivesEmpty))]) }
        return Form(
            .message(.drives),
            volumes.map { volume in
                let job = device.drives.job(of: volume)
                var open = FormRow(
                    id: "drives/\(volume.id)", text: .similar(volume.name),
                    kind: .button(job == nil ? .device(.drive(.open(volume.id))) : nil), symbol: .drive)
                open.detail = volume.mountPoint.map { .similar($0.oneLine(200)) } ?? .message(.driveOfSize, [volume.size])
                var eject = FormRow(
                    id: "drives/\(volume.id)/eject", text: .message(.eject),
                    kind: .button(job == nil ? .device(.drive(.eject(volume.id))) : nil), tone: .accent)
                eject.spoken = .list([.message(.eject), .similar(volume.name)], ", ")
                return FormSection([open, eject], note: job?.isEject ?? false ? .message(.driveEjecting) : nil)
            })
    }

    // MARK: Notifications

    /// The words of the shell about a drive, below its name.
    func driveNote(_ drive: NoticeDrive) -> Text? {
        guard !drive.isFreed else { return .message(.driveFreed) }
        guard let volume = device.drives[drive.id] else { return nil }
        let isEjecting = device.drives.job(of: volume)?.isEject ?? false
        return isEjecting ? .message(.driveEjecting) : .message(.driveOfSize, [volume.size])
    }

    /// A button of a notification. Those of the shell's own are in the person's language.
    func buttonText(_ button: NoticeButton, of content: NoticeContent, _ labels: NameLabels? = nil) -> Text {
        guard content.drive != nil else { return labels?.text(button.label) ?? .verbatim(button.label) }
        return .message(button.key == "eject" ? .eject : .open)
    }
}
