import Status
import Testing

/// BlueZ's reasons in words of a person.
@Suite struct PairingReasonTests {
    @Test(
        "BlueZ's own words have a reason, and other words none",
        arguments: [
            ("br-connection-page-timeout", Pairing.Reason.away), ("le-connection-timeout", .away), ("Page Timeout", .away),
            ("Host is down", .away), ("br-connection-refused", .refused), ("le-connection-abort-by-remote", .refused),
            ("br-connection-aborted-by-remote", .refused), ("br-connection-key-missing", .forgotten), ("Authentication Failed", .forgotten),
            ("br-connection-profile-unavailable", .useless), ("br-connection-busy", .busy), ("le-connection-adapter-not-powered", .off),
            ("le-connection-abort-by-local", .broken), ("br-connection-sdp-search", .broken), ("br-connection-something-new", nil),
            ("connection-timeout", nil), ("", nil), ("no system bus", nil),
        ] as [(String, Pairing.Reason?)])
    func reasons(words: String, reason: Pairing.Reason?) { #expect(Pairing.Reason(words) == reason) }
}
