import Foundation
import Glibc
import Seat
import Testing

@testable import Processes

private let environment = ProcessInfo.processInfo.environment

/// Waits for exits without spinning; the shell's event loop uses the same descriptor.
private func awaitExits(_ launcher: Launcher, count: Int = 1) -> [ProcessExit] {
    var exits: [ProcessExit] = []
    for _ in 0..<100 where exits.count < count {
        var item = pollfd(fd: launcher.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&item, 1, 100)
        exits += launcher.drain()
    }
    return exits
}

private func temporaryFolder() throws -> String {
    let path = NSTemporaryDirectory() + "mullion-" + UUID().uuidString.prefix(8)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    chmod(path, 0o700)
    return path
}

@Suite struct LauncherTests {
    @Test func endsAreReportedWithTheirReason() throws {
        let launcher = try Launcher()
        let pid = try launcher.launch(["sh", "-c", "exit 7"], environment: environment)
        #expect(
            awaitExits(launcher) == [
                ProcessExit(pid: pid, command: ["sh", "-c", "exit 7"], reason: .exited(7))
            ])
        let killed = try launcher.launch(["sleep", "60"], environment: environment)
        launcher.signal(killed, SIGKILL)
        #expect(awaitExits(launcher).map(\.reason) == [.signalled(SIGKILL)])
        #expect(launcher.running.isEmpty)
        #expect(launcher.drain().isEmpty)
    }

    @Test func descriptorIsQuietWhileNothingEnds() throws {
        let launcher = try Launcher()
        try launcher.launch(["sleep", "60"], environment: environment)
        var item = pollfd(fd: launcher.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&item, 1, 30) == 0)
        #expect(launcher.endAll(patience: 2000).map(\.reason) == [.signalled(SIGTERM)])
    }

    @Test("a program works in the folder that is named; where that is none, in the launcher's own")
    func folder() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (directory, expected) in [(folder, folder), ("/no/such/folder", FileManager.default.currentDirectoryPath)] {
            unlink(folder + "/log")
            let launcher = try Launcher()
            try launcher.launch(["pwd"], environment: environment, log: folder + "/log", directory: directory)
            #expect(awaitExits(launcher).map(\.reason) == [.exited(0)])
            #expect(try String(contentsOfFile: folder + "/log", encoding: .utf8) == expected + "\n")
        }
    }

    @Test func environmentOutputAndSessionAreItsOwn() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = folder + "/log"
        let launcher = try Launcher()
        let pid = try launcher.launch(
            ["sh", "-c", "echo $MULLION_TEST; echo err >&2; cut -d' ' -f6 /proc/$$/stat; ls /proc/self/fd | wc -l; env | wc -l"],
            environment: ["PATH": "/usr/bin:/bin", "MULLION_TEST": "a b=c"], log: log)
        _ = awaitExits(launcher)
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(lines.prefix(3) == ["a b=c", "err", "\(pid)"])
        // Standard input, output, error, and the folder that ls reads.
        #expect(lines[3] == "4")
    }

    @Test func mistakesAreNamed() throws {
        let launcher = try Launcher()
        func message(_ command: [String]) -> String? {
            do {
                try launcher.launch(command, environment: environment)
                return nil
            } catch {
                return error.message
            }
        }
        #expect(message(["no-such-program-here", "x"]) == "command not found: no-such-program-here")
        #expect(message(["/etc/passwd"])?.contains("/etc/passwd: no such program") == true)
        #expect(message([]) == "there is no command to launch")
        #expect(message([""]) == "there is no command to launch")
        #expect(message(["sh", "a\0b"])?.contains("NUL") == true)
        #expect(launcher.running.isEmpty)
    }

    @Test func endAllKillsWhatDoesNotListen() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let launcher = try Launcher()
        let pid = try launcher.launch(
            ["sh", "-c", "trap '' TERM; touch \(folder)/ready; while :; do sleep 0.05; done"], environment: environment)
        for _ in 0..<200 where !FileManager.default.fileExists(atPath: folder + "/ready") { usleep(10_000) }
        let exits = launcher.endAll(patience: 100)
        #expect(exits.map(\.pid) == [pid])
        #expect(exits.map(\.reason) == [.signalled(SIGKILL)])
    }

    /// Otherwise the program's output would be appended to the link's target.
    @Test func aLogIsNoLink() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "precious".write(toFile: folder + "/victim", atomically: false, encoding: .utf8)
        symlink(folder + "/victim", folder + "/log")
        let launcher = try Launcher()
        #expect(throws: LaunchError.self) { try launcher.launch(["echo", "x"], environment: environment, log: folder + "/log") }
        #expect(try String(contentsOfFile: folder + "/victim", encoding: .utf8) == "precious")
    }

    @Test func manyEndTogether() throws {
        let launcher = try Launcher()
        for _ in 0..<50 { try launcher.launch(["true"], environment: environment) }
        #expect(awaitExits(launcher, count: 50).count == 50)
    }
}

/// A session that is locked when its shell dies stays locked.
@Suite struct LockNotesTests {
    private func held(_ path: String) throws -> (Launcher, Int32) {
        let script =
            "import fcntl,sys,time\nf=open(sys.argv[1],'r+')\nfcntl.lockf(f,fcntl.LOCK_EX)\nopen(sys.argv[1]+'.ready','w')\ntime.sleep(60)"
        let launcher = try Launcher()
        let process = try launcher.launch(["python3", "-c", script, path], environment: environment)
        for _ in 0..<500 where access("\(path).ready", F_OK) != 0 { usleep(10_000) }
        unlink("\(path).ready")
        return (launcher, process)
    }

    @Test("a note is found by the next process, and not once it is removed; a damaged one counts, a folder or a link does not")
    func found() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let kept = "\(folder)/state/mullion"
        let notes = LockNotes(folders: [kept, folder])
        #expect(!notes.takeOver())
        #expect(try notes.add()())
        let path = try "\(kept)/" + #require(FileManager.default.contentsOfDirectory(atPath: kept).first { $0.hasPrefix("locked-") })
        notes.leave()
        try Data([0, 255]).write(to: URL(filePath: path))
        mkdir("\(kept)/locked-folder", 0o700)
        symlink("/nothing", "\(kept)/locked-link")
        let next = LockNotes(folders: [kept, folder])
        #expect(next.takeOver() && next.hasNote)
        #expect(next.removeAll() == [] && access(path, F_OK) != 0)
        #expect(!LockNotes(folders: [kept, folder]).takeOver())
    }

    @Test("the note of a process that runs is its own; when it is killed, the next one has it")
    func running() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(filePath: "\(folder)/locked-other"))
        let (launcher, process) = try held("\(folder)/locked-other")
        #expect(!LockNotes(folders: [folder]).takeOver())
        launcher.signal(process, SIGKILL)
        _ = awaitExits(launcher)
        #expect(LockNotes(folders: [folder]).takeOver())
    }

    @Test("a folder that cannot be made leaves the next one; with none the reason is thrown")
    func places() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(filePath: "\(folder)/file"))
        let notes = LockNotes(folders: ["\(folder)/file/mullion", folder])
        #expect(try notes.add()())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasPrefix("locked-") })
        #expect(throws: PrivateFile.Failure.self) { _ = try LockNotes(folders: ["\(folder)/file/mullion"]).add() }
        #expect(throws: PrivateFile.Failure.self) { _ = try LockNotes(folders: []).add() }
    }
}

@Suite struct ProcessTreeTests {
    @Test func parentIsReadPastAnyName() {
        #expect(ProcessTree.links(inStat: "12 (a) b) (c) S 7 12 11 0") == .init(parent: 7, session: 11))
        #expect(ProcessTree.links(inStat: "12 (a") == nil)
        #expect(ProcessTree.links(inStat: "") == nil)
    }

    @Test func grandchildrenAreTracedToTheirLaunch() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let launcher = try Launcher()
        let pid = try launcher.launch(
            ["sh", "-c", "sh -c 'sleep 60 & echo $! > \(folder)/part; mv \(folder)/part \(folder)/pid; wait'; :"],
            environment: environment)
        defer { launcher.endAll(patience: 500) }
        for _ in 0..<200 where !FileManager.default.fileExists(atPath: folder + "/pid") { usleep(10_000) }
        let text = try String(contentsOfFile: folder + "/pid", encoding: .utf8)
        let deep = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(ProcessTree.ancestors(of: deep).contains(pid))
        #expect(ProcessTree.ancestors(of: pid).first == getpid())
        #expect(ProcessTree.ancestors(of: 0).isEmpty)
        // `gio open` starts a program and ends: the program still belongs to the session of who called it.
        let leader = try launcher.launch(
            [
                "setsid", "-w", "sh", "-c",
                "echo $$ > \(folder)/leader; (sleep 60 & echo $! > \(folder)/part); mv \(folder)/part \(folder)/orphan; sleep 60",
            ],
            environment: environment)
        for _ in 0..<200 where !FileManager.default.fileExists(atPath: folder + "/orphan") { usleep(10_000) }
        func number(_ name: String) throws -> Int32 {
            try #require(
                Int32(String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        let orphan = try number("orphan"), session = try number("leader")
        #expect(ProcessTree.record(of: orphan)?.parent != session, "its parent has ended")
        #expect(ProcessTree.ancestors(of: orphan).first == session && ProcessTree.ancestors(of: orphan).contains(getpid()), "\(leader)")
        kill(orphan, SIGKILL)
        #expect(ProcessTree.ancestors(of: Int32.max).isEmpty)
    }
}

@Suite struct RuntimeDirectoryTests {
    private let user = getuid()

    private func failure(_ environment: [String: String], user: UInt32? = nil, fallback: String = "/tmp") -> String? {
        do {
            _ = try RuntimeDirectory.resolve(
                environment: environment, user: user ?? self.user, perUser: "/nowhere", fallback: fallback)
            return nil
        } catch {
            return error.message
        }
    }

    @Test func namedDirectoryIsTakenOrMade() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(
            try RuntimeDirectory.resolve(environment: ["XDG_RUNTIME_DIR": folder])
                == RuntimeDirectory(path: folder, warnings: []))
        let made = try RuntimeDirectory.resolve(environment: ["XDG_RUNTIME_DIR": folder + "/new"])
        #expect(made.warnings.count == 1)
        var status = stat()
        #expect(stat(folder + "/new", &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func unfitDirectoriesAreRefused() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(failure(["XDG_RUNTIME_DIR": "relative"])?.contains("begin with /") == true)
        #expect(failure(["XDG_RUNTIME_DIR": "/proc/nowhere/x"])?.contains("cannot be used") == true)
        #expect(failure(["XDG_RUNTIME_DIR": "/etc/passwd"])?.contains("no directory") == true)
        #expect(failure(["XDG_RUNTIME_DIR": folder], user: user + 1)?.contains("belongs to user \(user)") == true)
        for mode in [0o777, 0o755, 0o750, 0o701, 0o600] as [mode_t] {
            chmod(folder, mode)
            let said = failure(["XDG_RUNTIME_DIR": folder]) ?? ""
            #expect(said.contains("\(folder) has mode 0\(String(mode, radix: 8))") && said.contains("chmod 700 \(folder)"))
            #expect(throws: RuntimeDirectory.Failure.self) { try RuntimeDirectory.candidates(environment: ["XDG_RUNTIME_DIR": folder]) }
        }
        chmod(folder, 0o1777)
        #expect(failure(["XDG_RUNTIME_DIR": folder])?.contains("shared by all users; set XDG_RUNTIME_DIR") == true)
        chmod(folder, 0o700)
        symlink(folder, folder + "/link")
        #expect(failure(["XDG_RUNTIME_DIR": folder + "/link"])?.contains("is a link") == true)
        let long = folder + "/" + String(repeating: "x", count: 90)
        #expect(failure(["XDG_RUNTIME_DIR": long])?.contains("longer than") == true)
    }

    @Test func withoutANameOneIsMade() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let made = try RuntimeDirectory.resolve(environment: [:], perUser: "/nowhere", fallback: folder)
        #expect(made.path == "\(folder)/mullion-\(user)")
        #expect(try RuntimeDirectory.resolve(environment: [:], perUser: "/nowhere", fallback: folder).path == made.path)
        let standard = try RuntimeDirectory.resolve(environment: [:], user: user, perUser: folder + "/none", fallback: folder)
        #expect(standard.path == made.path)
    }

    /// Another user who creates the folder first must neither get the sockets nor stop the shell.
    @Test(arguments: ["link", "file", "open"]) func aPlantedFolderIsPassedOver(way: String) throws { try passesOver(way) }

    @Test("a folder that another user planted is passed over", .enabled(if: getuid() == 0, "only root can make one"))
    func aFolderOfAnotherUserIsPassedOver() throws { try passesOver("of another user") }

    private func passesOver(_ way: String) throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let planted = "\(folder)/mullion-\(user)"
        switch way {
        case "link":
            mkdir(folder + "/victim", 0o700)
            symlink(folder + "/victim", planted)
        case "file": try "".write(toFile: planted, atomically: false, encoding: .utf8)
        case "open":
            mkdir(planted, 0o700)
            chmod(planted, 0o755)
        default:
            mkdir(planted, 0o700)
            chown(planted, 65534, 65534)
        }
        let chosen = try RuntimeDirectory.resolve(environment: [:], perUser: "/nowhere", fallback: folder)
        #expect(chosen.path.hasPrefix("\(planted)-") && chosen.path.count == planted.count + 7)
        #expect(chosen.warnings.count == 2 && chosen.warnings[0].contains(planted), "\(chosen.warnings)")
        #expect(RuntimeDirectory.isOwn(chosen.path) && !RuntimeDirectory.isOwn(planted))
        // The next start uses the same one. A planted one is skipped, too, and `mullion ctl` looks there.
        mkdir("\(planted)-000000", 0o700)
        chmod("\(planted)-000000", 0o777)
        #expect(try RuntimeDirectory.resolve(environment: [:], perUser: "/nowhere", fallback: folder).path == chosen.path)
        #expect(try RuntimeDirectory.candidates(environment: [:], perUser: "/nowhere", fallback: folder) == [chosen.path])
    }

    @Test func theUsualFolderIsLeftWhereItIsOpen() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let usual = "\(folder)/\(user)"
        mkdir(usual, 0o700)
        #expect(try RuntimeDirectory.resolve(environment: [:], perUser: folder, fallback: folder).path == usual)
        chmod(usual, 0o755)
        let other = try RuntimeDirectory.resolve(environment: [:], perUser: folder, fallback: folder)
        #expect(other.path == "\(folder)/mullion-\(user)" && other.warnings[0].contains("\(usual) has mode 0755"))
        #expect(try RuntimeDirectory.candidates(environment: [:], perUser: folder, fallback: folder) == [other.path])
    }
}

@Suite struct PrivateFileTests {
    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// A file with wider permissions, or another user's hard link, is replaced and not written to.
    @Test func itIsNewAndForThisUserAlone() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/file"
        try "old".write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o666)
        link(path, folder + "/other")
        try PrivateFile.write(Array("new".utf8), to: path)
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600 && status.st_nlink == 1)
        #expect(try text(path) == "new" && text(folder + "/other") == "old")
        let file = try PrivateFile.open(replacing: path)
        #expect(try text(path) == "")
        #expect(Glibc.write(file, "live", 4) == 4)
        #expect(try text(path) == "live")
        close(file)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["file", "other"])
    }

    @Test func linksAndWhatIsNoFileAreLeftAlone() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "precious".write(toFile: folder + "/victim", atomically: false, encoding: .utf8)
        symlink(folder + "/victim", folder + "/link")
        symlink(folder + "/new", folder + "/dangling")
        mkfifo(folder + "/pipe", 0o600)
        mkdir(folder + "/folder", 0o700)
        for name in ["link", "dangling", "pipe", "folder"] {
            #expect { try PrivateFile.write([1], to: "\(folder)/\(name)") } throws: { "\($0)".contains("left alone") }
            #expect { _ = try PrivateFile.open(replacing: "\(folder)/\(name)") } throws: {
                "\($0)".contains("\(folder)/\(name) cannot be written")
            }
        }
        #expect { try PrivateFile.write([1], to: "/no/such/folder/x") } throws: {
            "\($0)".contains("/no/such/folder/x cannot be written: No such file")
        }
        #expect(try text(folder + "/victim") == "precious")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 5)
    }
}

@Suite struct VisitorTests {
    @Test func onlyTheShellsUserAndRootMayConnect() {
        #expect(Privileges.mayConnect(user: 1000, own: 1000) && Privileges.mayConnect(user: 0, own: 1000))
        #expect(!Privileges.mayConnect(user: 1001, own: 1000) && !Privileges.mayConnect(user: 1000, own: 0))
    }
}

@Suite struct RemoteViewTests {
    @Test func theSecretIsTheServersAlone() {
        let plan = RemoteView.plan(
            server: ["/proc/self/exe", "serve-view"], waylandSocket: "/run/x/wayland-1", output: "HEADLESS-1", folder: "/run/x/view",
            pages: "/pages",
            environment: ["PATH": "/bin", "HOME": "/x"], secret: ("SECRET", "s"))
        #expect(plan.viewer == ["wayvnc", "-C", "/dev/null", "-o", "HEADLESS-1", "-u", "/run/x/view/vnc"])
        #expect(plan.server == ["/proc/self/exe", "serve-view", "/run/x/view/vnc", "/pages", "\(getpid())"])
        #expect(
            plan.environment == ["PATH": "/bin", "HOME": "/x", "WAYLAND_DISPLAY": "/run/x/wayland-1", "XDG_RUNTIME_DIR": "/run/x/view"])
        #expect(plan.serverEnvironment == ["PATH": "/bin", "SECRET": "s"])
    }

    @Test func secretsAreLongAndDiffer() throws {
        let secrets = try (0..<100).map { _ in try #require(RemoteView.secret()) }
        #expect(secrets.allSatisfy { $0.count == 32 && $0.allSatisfy { $0.isHexDigit && !$0.isUppercase } })
        #expect(Set(secrets).count == 100)
        for place in 0..<32 { #expect(Set(secrets.map { Array($0)[place] }).count > 8) }
    }

    @Test func takenPortIsNoticed() throws {
        let (first, port) = try #require(RemoteView.listen(nil))
        #expect(RemoteView.listen(port) == nil)
        close(first)
        let (second, same) = try #require(RemoteView.listen(port))
        #expect(same == port)
        var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(second, $0, &length) }
        }
        #expect(result == 0 && address.sin_addr.s_addr == UInt32(0x7f00_0001).bigEndian)
        close(second)
    }

    @Test func itComesBackAfterEveryTurnOfTheScreenButNotWhileItFailsAtOnce() {
        var seldom = RemoteView.Ends(), often = RemoteView.Ends()
        let turns = (0..<100).map { seldom.ended(at: Double($0) * 15) }
        #expect(!turns.contains(false))
        let failures = (0..<6).map { often.ended(at: Double($0)) }
        #expect(failures == [true, true, true, true, true, false])
    }

    @Test func missingPackageIsNamed() throws {
        do {
            _ = try RemoteView(
                launcher: try Launcher(), server: ["/x"], secretVariable: "X", waylandSocket: "/x", output: "o", port: nil,
                runtimeDirectory: "/tmp",
                environment: ["PATH": "/nowhere"])
            Issue.record("started")
        } catch let failure as RemoteView.Failure {
            #expect(failure.message.contains("apt-get install wayvnc"))
        }
    }
}

@Suite struct DoctorTests {
    private var good: Doctor.Machine {
        var machine = Doctor.Machine()
        for name in Doctor.programs { machine.programs[name] = "/usr/bin/\(name)" }
        machine.remotePage = "/usr/share/novnc"
        machine.seat = "logind"
        machine.cards = ["/dev/dri/card0"]
        machine.renderNodes = ["/dev/dri/renderD128"]
        machine.usableRenderNodes = machine.renderNodes
        machine.runtimeDirectory = "/run/user/1000"
        machine.fontFolder = "/usr/share/fonts"
        machine.keyboardRules = "/usr/share/X11/xkb"
        machine.cursorTheme = "/usr/share/icons/Adwaita"
        machine.pamService = "/etc/pam.d/mullion"
        machine.poppler = "/usr/lib/x86_64-linux-gnu/libpoppler-glib.so.8"
        machine.sessionBus = "unix:path=/run/user/1000/bus"
        return machine
    }

    @Test func aGoodMachineIsWell() {
        let findings = Doctor.findings(on: good)
        #expect(findings.allSatisfy { $0.state == .ok && $0.mend.isEmpty && !$0.detail.isEmpty })
        #expect(Doctor.render(findings).hasSuffix("Mullion can run here.\n"))
    }

    @Test func anEmptyMachineIsToldWhatMendsIt() {
        var machine = Doctor.Machine()
        machine.runtimeFailure = "the runtime directory /x belongs to user 5"
        let findings = Doctor.findings(on: machine)
        #expect(findings.allSatisfy { $0.state != .ok && !$0.why.isEmpty && !$0.detail.isEmpty })
        #expect(findings.filter(\.mend.isEmpty).map(\.name) == ["display", "graphics"])
        #expect(
            findings.filter { $0.state == .missing }.map(\.name)
                == ["runtime directory", "keyboard layouts", "fonts"])
        #expect(
            findings.first { $0.name == "Xwayland" }?.mend
                == "sudo apt-get install --no-install-recommends xwayland")
        machine.isRoot = true
        #expect(Doctor.findings(on: machine).allSatisfy { !$0.mend.contains("sudo") })
        #expect(Doctor.render(findings).contains("Mullion cannot run here yet: 3 missing."))
    }

    @Test func aClosedRenderNodeIsAMatterOfGroups() {
        var machine = good
        machine.usableRenderNodes = []
        let finding = Doctor.findings(on: machine).first { $0.name == "graphics" }
        #expect(finding?.state == .optional)
        #expect(finding?.mend.contains("usermod") == true)
    }

    @Test("without a session bus it is enough that the shell can start one")
    func aSessionBusOfItsOwn() throws {
        func finding(_ machine: Doctor.Machine) throws -> Doctor.Finding {
            try #require(Doctor.findings(on: machine).first { $0.name == "session bus" })
        }
        var machine = good
        machine.sessionBus = nil
        #expect(try finding(machine).state == .optional)
        #expect(try finding(machine).mend.hasSuffix(" dbus"))
        machine.programs["dbus-daemon"] = "/usr/bin/dbus-daemon"
        #expect(try finding(machine).state == .ok)
        #expect(try finding(machine).detail.contains("/usr/bin/dbus-daemon"))
    }

    @Test("a session bus is found by its name or where libraries look")
    func whereTheSessionBusIs() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(UInt32.random(in: 0...UInt32.max))").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var environment = ["XDG_RUNTIME_DIR": folder, "PATH": ""]
        #expect(Doctor.look(environment: environment).sessionBus == nil)
        try "".write(toFile: "\(folder)/bus", atomically: false, encoding: .utf8)
        #expect(Doctor.look(environment: environment).sessionBus == "unix:path=\(folder)/bus")
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/elsewhere"
        #expect(Doctor.look(environment: environment).sessionBus == "unix:path=/elsewhere")
    }

    @Test func columnsLineUp() {
        let lines = Doctor.render(Doctor.findings(on: good)).split(separator: "\n").dropLast()
        #expect(Set(lines.map { $0.prefix { $0 != "/" && $0 != ":" }.count }).count >= 1)
        #expect(lines.allSatisfy { $0.hasPrefix("ok  ") })
        #expect(lines.first?.hasPrefix("ok  runtime directory  /run/user/1000") == true)
    }

    @Test func thisMachineCanBeExamined() {
        #expect(Doctor.examine(environment: environment).count == Doctor.findings(on: good).count)
    }
}
