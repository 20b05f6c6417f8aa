import Compositor
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import LifeBus
import Logging
import Modality
import Multitasking
import Processes
import ShareHelper

/// The program in which a person writes mails, for apps that begin one. The helper for shared things asks GIO for it, because that reads
/// many files.
final class MailPrograms: Adapter {
    private final class Search {
        let mail: Mail
        let done: (Result<String, MailTrouble>) -> Void
        var process: Int32 = 0
        var channel = Descriptor.none
        var source: EventSource?
        var timer: EventSource?
        var bytes: [UInt8] = []

        init(_ mail: Mail, _ done: @escaping (Result<String, MailTrouble>) -> Void) {
            self.mail = mail
            self.done = done
        }
    }

    private unowned let shell: Shell
    private var searches: [Int: Search] = [:]
    private var last = 0

    /// Seconds in which the helper has to answer.
    private static let patience = 5.0
    private static let mostAnswerBytes = 1 << 16

    init(_ shell: Shell) { self.shell = shell }

    /// `done` gets the app.
    func find(for mail: Mail, done: @escaping (Result<String, MailTrouble>) -> Void) {
        guard shell.system.workspace.idiom.offers.contains(.opening) else {
            return done(.failure(MailTrouble("the idiom \(shell.system.workspace.family.name) does not offer opening apps")))
        }
        last += 1
        let number = last, search = Search(mail, done)
        do {
            mkdir(shell.sessionFolder, 0o700)
            search.process = try HelperProcess.start(
                [OwnProgram.path, ShareHelper.word, shell.sharedFolder], by: shell.launcher, environment: shell.environment,
                log: shell.programLog, channel: &search.channel, owner: "helper that finds the mail program")
        } catch {
            return done(.failure(MailTrouble(error.message)))
        }
        searches[number] = search
        search.source = shell.compositor.watch(fd: search.channel.number) { [unowned self] _ in read(number) }
        let timer = shell.compositor.timer { [unowned self] in
            shell.launcher.signal(search.process, SIGKILL)
            end(number, .failure(MailTrouble("the helper does not answer")))
        }
        timer.arm(Compositor.now() + Self.patience)
        search.timer = timer
    }

    private func read(_ number: Int) {
        guard let search = searches[number] else { return }
        var room = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(search.channel.number, &room, room.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0, search.bytes.count < Self.mostAnswerBytes else {
                return end(number, .failure(MailTrouble("the helper has ended")))
            }
            search.bytes += room[..<count]
            guard search.bytes.last == UInt8(ascii: "\n") else { continue }
            return end(number, app(of: search))
        }
    }

    private func app(of search: Search) -> Result<String, MailTrouble> {
        guard case .seen(_, let mailer, let mailsFiles)? = try? JSONDecoder().decode(ShareReport.self, from: Data(search.bytes)) else {
            return .failure(MailTrouble("the helper's answer is not understood"))
        }
        if !search.mail.files.isEmpty, !mailsFiles {
            return .failure(MailTrouble("xdg-email, which puts files into mails, is not installed"))
        }
        guard let app = Sharing(files: [], mailer: mailer).mailApp(among: shell.system.workspace.apps) else {
            return .failure(MailTrouble("no app opens \"mailto:\""))
        }
        return .success(app.id)
    }

    private func end(_ number: Int, _ result: Result<String, MailTrouble>) {
        guard let search = searches.removeValue(forKey: number) else { return }
        search.source?.cancel()
        search.timer?.cancel()
        // The helper ends with its channel.
        search.channel.close()
        search.done(result)
    }

    func stop() { for number in searches.keys.sorted() { end(number, .failure(MailTrouble("the session ends"))) } }
}
