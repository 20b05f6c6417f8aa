import FoundationEssentials
import Glibc
import LinuxLibrary
import Locking
import PAMLibrary

/// The process that asks PAM whether a person may unlock the session. PAM's modules may hang, crash or talk without end, and the shell
/// does not wait for them.
///
/// It writes a `TalkEvent` a line, as JSON, and reads an answer a line, a string in JSON. It ends with its input, at once: PAM's modules
/// would count a talk that goes no further as a wrong password.
///
/// It keeps the privileges of the person: `unix_chkpwd`, which reads the password's hash, is setgid.
public enum UnlockHelper {
    /// The first word when the program runs as this process. The name of the person follows.
    public static let word = "unlock"
    /// The word after the name if a finger stood for the password: PAM says whether the account may be used.
    public static let account = "account"
    /// The service: /etc/pam.d/mullion, else `other`.
    public static let service = "mullion"

    public static func serve(_ words: ArraySlice<String>) {
        // A core file would hold the password, and another program of the person could read it.
        _ = mullion_prctl(4, 0, nil) // PR_SET_DUMPABLE
        // A module that hangs must not outlive the shell.
        _ = mullion_prctl(1, UInt(SIGKILL), nil) // PR_SET_PDEATHSIG
        takeChannel()
        // PAM's texts are in the language of the person.
        setlocale(LC_ALL, "")
        guard let user = words.first else { return report(.ends(.broken("the helper was not told for whom"))) }
        report(.ends(attempt(user, asksPassword: words.dropFirst().first != account)))
    }

    // Unsafe, because PAM calls back with a C function, which captures nothing. This process has one thread.
    /// The shell's socket. It is the standard input and output at the start.
    nonisolated(unsafe) private static var channel: Int32 = -1
    /// Bytes that were read from it behind the last line.
    nonisolated(unsafe) private static var rest: [UInt8] = []
    private static let mostBytes = 1 << 16

    /// Modules print and read, and so do programs that they start. None of them may speak for PAM, or get a password.
    private static func takeChannel() {
        channel = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard channel >= 0, nothing >= 0, dup2(nothing, STDIN_FILENO) >= 0, dup2(nothing, STDOUT_FILENO) >= 0 else { _exit(1) }
    }

    private static func answerLine() -> String {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeFirst(end + 1) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            var room = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(channel, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0, rest.count < mostBytes else { _exit(1) }
            rest += room[..<count]
        }
    }

    private static func attempt(_ user: String, asksPassword: Bool) -> TalkEnd {
        var handle: OpaquePointer?
        var conversation = pam_conv(conv: answer, appdata_ptr: nil)
        let began = pam_start(service, user, &conversation, &handle)
        guard began == PAM_SUCCESS, let handle else { return .broken("PAM does not start: error \(began)") }
        // PAM waits for two seconds after a wrong try. The shell waits itself, and says so.
        let delay: @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Void = { _, _, _ in }
        pam_set_item(handle, PAM_FAIL_DELAY, unsafeBitCast(delay, to: UnsafeRawPointer.self))
        let result = asksPassword ? pam_authenticate(handle, 0) : PAM_SUCCESS
        guard result == PAM_SUCCESS else {
            defer { pam_end(handle, result) }
            switch result {
            case PAM_AUTH_ERR, PAM_USER_UNKNOWN, PAM_MAXTRIES, PAM_CRED_INSUFFICIENT, PAM_IGNORE: return .refused
            case PAM_ACCT_EXPIRED, PAM_PERM_DENIED, PAM_CRED_EXPIRED: return .closed
            default: return .broken("PAM: \(reason(handle, result))")
            }
        }
        // It clears the tally of pam_faillock, too.
        let account = pam_acct_mgmt(handle, 0)
        if account == PAM_SUCCESS { _ = pam_setcred(handle, Int32(PAM_REFRESH_CRED)) }
        defer { pam_end(handle, account) }
        switch account {
        case PAM_SUCCESS: return .allowed
        case PAM_NEW_AUTHTOK_REQD: return .expired
        case PAM_ACCT_EXPIRED, PAM_PERM_DENIED, PAM_AUTH_ERR, PAM_USER_UNKNOWN: return .closed
        default: return .broken("PAM: \(reason(handle, account))")
        }
    }

    private static func reason(_ handle: OpaquePointer, _ result: Int32) -> String {
        pam_strerror(handle, result).map { String(cString: $0) } ?? "error \(result)"
    }

    /// PAM's questions, one after the other. PAM frees the answers.
    private static let answer:
        @convention(c) (
            Int32, UnsafeMutablePointer<UnsafePointer<pam_message>?>?, UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?,
            UnsafeMutableRawPointer?
        ) -> Int32 = { count, messages, out, _ in
            guard let messages, let out, (1...Int32(PAM_MAX_NUM_MSG)).contains(count),
                let room = calloc(Int(count), MemoryLayout<pam_response>.stride)
            else { return PAM_CONV_ERR }
            let responses = room.bindMemory(to: pam_response.self, capacity: Int(count))
            func giveUp() -> Int32 {
                for index in 0..<Int(count) { if let text = responses[index].resp { free(text) } }
                free(room)
                return PAM_CONV_ERR
            }
            for index in 0..<Int(count) {
                guard let message = messages[index]?.pointee else { return giveUp() }
                let text = message.msg.map { String(cString: $0) } ?? ""
                switch message.msg_style {
                case PAM_PROMPT_ECHO_OFF, PAM_PROMPT_ECHO_ON:
                    report(.asks(text, isShown: message.msg_style == PAM_PROMPT_ECHO_ON))
                    guard let answer = try? JSONDecoder().decode(String.self, from: Data(answerLine().utf8)),
                        let copy = strdup(answer)
                    else { return giveUp() }
                    responses[index].resp = copy
                case PAM_TEXT_INFO: report(.says(text, isTrouble: false))
                case PAM_ERROR_MSG: report(.says(text, isTrouble: true))
                default: return giveUp()
                }
            }
            out.pointee = responses
            return PAM_SUCCESS
        }

    private static func report(_ event: TalkEvent) {
        guard let line = try? JSONEncoder().encode(event) else { _exit(1) }
        let bytes = line + [UInt8(ascii: "\n")]
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { send(channel, $0.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { _exit(1) }
            done += count
        }
    }
}
