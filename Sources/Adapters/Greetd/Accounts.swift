import FoundationEssentials
import Glibc
import Locking

/// The people who can log in: the accounts of the machine without those of services.
public enum Accounts {
    /// The numbers of people's accounts, as /etc/login.defs says them.
    public static func range(definitions: String) -> ClosedRange<UInt32> {
        var low: UInt32 = 1000, high: UInt32 = 60_000
        for line in definitions.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count >= 2, let number = UInt32(words[1]) else { continue }
            if words[0] == "UID_MIN" { low = number }
            if words[0] == "UID_MAX" { high = number }
        }
        return low <= high ? low...high : 1000...60_000
    }

    /// Where AccountsService keeps the pictures of people.
    private static let pictures = "/var/lib/AccountsService/icons"
    /// Services of a directory may list everyone of a firm.
    private static let most = 20_000

    /// By their full names. It may take long where a service on the network knows the accounts.
    public static func people() -> [GreeterPerson] {
        let range = range(definitions: text(of: "/etc/login.defs"))
        var found: [GreeterPerson] = []
        setpwent()
        defer { endpwent() }
        for _ in 0..<most {
            guard let account = getpwent()?.pointee else { break }
            guard range.contains(account.pw_uid), let name = account.pw_name.map({ String(cString: $0) }), !name.isEmpty else { continue }
            let shell = account.pw_shell.map { String(cString: $0) } ?? ""
            guard !isNoLogin(shell), !found.contains(where: { $0.name == name }) else { continue }
            let full = account.pw_gecos.map { String(cString: $0).prefix { $0 != "," }.description } ?? ""
            let picture = "\(pictures)/\(name)"
            found.append(
                GreeterPerson(
                    name: name, title: title(full, name), picture: !name.contains("/") && isFile(picture) ? picture : nil))
        }
        return Array(found.sorted { ($0.title.lowercased(), $0.name) < ($1.title.lowercased(), $1.name) }.prefix(GreeterFacts.mostPeople))
    }

    static func title(_ full: String, _ name: String) -> String {
        let clean = full.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
        let line = String(String(clean).drop { $0 == " " }.prefix(60))
        return line.isEmpty ? String(name.prefix(60)) : line
    }

    static func isNoLogin(_ shell: String) -> Bool {
        ["nologin", "false"].contains(shell.split(separator: "/").last.map(String.init) ?? "")
    }

    private static func isFile(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, R_OK) == 0
    }

    private static func text(of path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}
