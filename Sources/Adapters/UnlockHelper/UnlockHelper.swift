import FoundationEssentials
import Glibc
import LinuxLibrary
import Locking
import PAMLibrary

/// The process that asks PAM whether a person may unlock the session. PAM's modules may hang, crash or talk without end, and the shell
/// does not wait for them.
///
/// It writes a `TalkEvent` a line, as JSON, and reads an answer a line, a string in JSON. It ends with its input.
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
        guard let user = words.first else { return report(.ends(.broken("the helper was not told for whom"))) }
        report(.ends(attempt(user, asksPassword: words.dropFirst().first != account)))
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
        case PAM_ACCT_EXPIRED, PAM_PERM_DENIED, PAM_AUTH_ERR, PAM_USER_UNKNOWN:
            report(.says(reason(handle, account), isTrouble: true))
            return .closed
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
                    guard let line = readLine(),
                        let answer = try? JSONDecoder().decode(String.self, from: Data(line.utf8)),
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
        guard let line = try? JSONEncoder().encode(event) else { exit(1) }
        let bytes = line + [UInt8(ascii: "\n")]
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { send(STDOUT_FILENO, $0.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { exit(1) }
            done += count
        }
    }
}
