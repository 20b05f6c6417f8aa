import Modality
import MullionTesting
import Multitasking
import Testing
import Windows

/// Mails that programs begin.
@Suite struct MailTests {
    private static let mailer = App(
        id: "post", name: "Post", command: ["post"], mimeTypes: ["x-scheme-handler/mailto"],
        filePlace: FilePlace(index: 1, isMany: false, takesAddresses: true))

    @Test("a mail is an address of its own kind, and no part of it becomes another one")
    func address() {
        #expect(Mail().address == "mailto:")
        #expect(Mail(to: ["a@b.c", "d@e"]).address == "mailto:a@b.c,d@e")
        #expect(
            Mail(to: ["a@b"], bcc: ["x?y&attach=/z@b"], subject: "a&body=b", body: "1\n2").address
                == "mailto:a@b?bcc=x%3Fy%26attach%3D%2Fz@b&subject=a%26body%3Db&body=1%0D%0A2")
    }

    @Test("what cannot be a mail has a flaw")
    func flaws() {
        #expect(Mail(to: ["a.b+c@d-e.f"], subject: "a", body: "b\nc", files: ["/a b"]).flaw == nil)
        let wrong = [
            Mail(to: ["a"]), Mail(cc: ["-a@b"]), Mail(bcc: ["a@b@c"]), Mail(to: ["a b@c"]), Mail(to: ["a@b,c@d"]), Mail(to: ["@a"]),
            Mail(to: [""]),
            Mail(to: Array(repeating: "a@b", count: 65)), Mail(subject: "a\nb"), Mail(subject: String(repeating: "a", count: 1025)),
            Mail(body: String(repeating: "a", count: 32_769)), Mail(files: ["a"]), Mail(files: Array(repeating: "/a", count: 33)),
        ]
        for mail in wrong { #expect(mail.flaw != nil, "\(mail.summary.prefix(60))") }
    }

    @Test("a mail opens its app with the address; one with files is begun by xdg-email")
    func opens() {
        for files in [[], ["/tmp/a b", "/tmp/-c"]] {
            var world = CoreWorld()
            world.send(.appsChanged([Self.mailer]))
            let mail = Mail(to: ["a@b"], subject: "-s", files: files)
            let effects = world.send(.handedOver(HandedOver(mail, in: "post")))
            let commands = effects.compactMap { if case .program(.launch(_, let command, _)) = $0 { command } else { nil } }
            #expect(
                commands == [
                    files.isEmpty
                        ? ["post", "mailto:a@b?subject=-s"]
                        : ["xdg-email", "--utf8", "--subject", "-s", "--attach", "/tmp/a b", "--attach", "/tmp/-c", "a@b"]
                ])
        }
    }
}
