import Descriptors
import Glibc
import LifeService
import MessageBus

/// An open file that a program hands over, and the name that the program gives it.
public final class HandedFile {
    public let name: String
    public let file: Descriptor

    public init(_ number: Int32, name: String) {
        self.name = name
        file = Descriptor(number, owner: "file that a program hands over")
    }
}

public enum FileAnswer: Hashable, Sendable {
    /// The window is in front.
    case shown
    /// No act of a person led to the request (W-19), so the window waits behind a badge.
    case waiting
    case refused(String)
}

/// The shell, as the service for files sees it. Confined to the thread of the event loop.
public protocol FileHost: AnyObject {
    /// Shows files in a window of quick look (W-18). `done` is called once.
    func showFiles(_ files: [HandedFile], by caller: LifeCaller, done: @escaping (FileAnswer) -> Void)
}

/// `View` of `org.mullion.Views1`: quick look for programs that make no window of their own for a file (W-18;
/// docs/views-api.md). It translates and enforces limits. The viewer finds out the type of a file, because a file
/// system may take any time to answer.
final class FileService {
    static let member = BusConnection.Member.method("View", takes: "a(hs)a{sv}", gives: "s")

    static let mostFiles = 64
    /// Bytes of a file's name.
    static let longestName = 255

    private unowned let service: LifeBusService

    init(_ service: LifeBusService) { self.service = service }

    func handle(_ call: Incoming, _ client: LifeBusClient, _ caller: LifeCaller) throws(LifeError) -> Int32 {
        guard let host = service.bus.fileHost else { throw LifeError(.noApp, "the session ends") }
        let files = try read(call)
        let payer = client.owner
        if let objection = service.holdings.objection(.fileRequests, for: payer, "requests that wait") {
            throw LifeError(.tooMany, objection)
        }
        _ = service.holdings.take(.fileRequests, for: payer)
        let held = call.keep()
        host.showFiles(files, by: caller) { [weak self] answer in
            self?.service.holdings.giveBack(.fileRequests, for: payer)
            switch answer {
            case .shown: _ = held.call.reply { $0.string("shown") }
            case .waiting: _ = held.call.reply { $0.string("waiting") }
            case .refused(let why): held.call.refuse(BusError(name: "\(ViewService.name).Error.Refused", text: why))
            }
            self?.service.bus.reportChange()
        }
        return 1
    }

    private func read(_ call: Incoming) throws(LifeError) -> [HandedFile] {
        guard let files = try Self.files(in: call), let options = call.table() else {
            throw LifeError(.badParameter, "files and options are expected")
        }
        if let name = options.keys.sorted().first { throw LifeError(.badParameter, "there is no option \"\(name.prefix(64))\"") }
        guard !files.isEmpty else { throw LifeError(.badParameter, "there is no file to show") }
        try Self.check(files, "shown")
        return files
    }

    /// The next array of open files with their names; nil if there is none.
    static func files(in call: Incoming) throws(LifeError) -> [HandedFile]? {
        var flaw: LifeError?
        let pairs = call.wholeArray(of: "(hs)", limit: mostFiles + 1) {
            call.structure("hs") { () -> HandedFile? in
                // A name on this side is needed for the copy to be closed again.
                let file = call.file(), name = call.string() ?? ""
                switch file {
                case .copy(let number): return HandedFile(number, name: name)
                case .noRoom: flaw = flaw ?? LifeError(.tooMany, "the shell has no descriptor left for a file")
                case .absent: flaw = flaw ?? LifeError(.badParameter, "the message names a file that it does not bring")
                }
                return HandedFile(-1, name: name)
            }
        }
        if let flaw { throw flaw }
        return pairs
    }

    /// - Parameter verb: the use of the files in error messages, such as "shown".
    static func check(_ files: [HandedFile], _ verb: String) throws(LifeError) {
        guard files.count <= mostFiles else { throw LifeError(.tooMany, "at most \(mostFiles) files can be \(verb) at once") }
        for (index, file) in files.enumerated() {
            let bytes = file.name.utf8.count
            guard (1...longestName).contains(bytes) else {
                throw LifeError(.badParameter, "the name of file \(index) has \(bytes) bytes, and may have 1 to \(longestName)")
            }
            guard !file.name.utf8.contains(UInt8(ascii: "/")), file.name != ".", file.name != ".." else {
                throw LifeError(.badParameter, "the name of file \(index) is a path: \"\(file.name.prefix(64))\"")
            }
        }
    }
}
