import Testing

@testable import PromptAgents

@Suite("X-10: the exchange of a secret with the keyring") struct SecretExchangeTests {
    @Test(
        "two sides meet, and each reads what the other one wrote",
        arguments: ["", "a", "sixteen letters!", "암호 🔑 with spaces", String(repeating: "x", count: 250)])
    func meets(secret: String) throws {
        let asker = try #require(SecretExchange()), prompter = try #require(SecretExchange())
        #expect(prompter.message(with: "too early") == nil, "no other side has spoken yet")
        #expect(asker.receive(prompter.greeting))
        #expect(prompter.receive(asker.greeting))
        let message = try #require(prompter.message(with: secret))
        #expect(message.hasPrefix("[sx-aes-1]\npublic=") && message.contains("\nsecret=") && message.contains("\niv="))
        #expect(asker.secret(in: message) == secret)
        // Each message has an initial value of its own.
        #expect(prompter.message(with: secret) != message)
    }

    @Test(
        "nonsense is refused: another protocol, no key, and keys by which everybody would know the secret",
        arguments: [
            "", "[sx-aes-1]\n", "[sx-aes-2]\npublic=AAAA\n", "public=AAAA\n", "[sx-aes-1]\npublic=!\n", "[sx-aes-1]\npublic=\n",
            "[sx-aes-1]\npublic=AA==\n", "[sx-aes-1]\npublic=AQ==\n", "[sx-aes-1]\npublic=" + String(repeating: "////", count: 64) + "\n",
            "[sx-aes-1]\npublic=" + String(repeating: "A", count: 9000) + "\n",
        ])
    func nonsense(message: String) throws {
        let exchange = try #require(SecretExchange())
        #expect(!exchange.receive(message))
        #expect(exchange.message(with: "secret") == nil)
    }
}

@Suite("X-10: the lines of polkit's helper") struct PolkitHelperTests {
    @Test(
        "each line is read with its escapes",
        arguments: [
            ("PAM_PROMPT_ECHO_OFF Password: ", PolkitHelper.Line.asks("Password:", isSecret: true)),
            ("PAM_PROMPT_ECHO_ON Token", .asks("Token", isSecret: false)),
            ("PAM_TEXT_INFO Place your finger\\n on the reader", .says("Place your finger\n on the reader", isError: false)),
            (#"PAM_ERROR_MSG \354\225\224\355\230\270: \"no\" \\ \011."#, .says("암호: \"no\" \\ \t.", isError: true)),
            ("SUCCESS", .succeeded),
            ("FAILURE", .failed), ("PAM_PROMPT_ECHO_OFF", .asks("", isSecret: true)),
        ])
    func lines(line: String, meaning: PolkitHelper.Line) { #expect(PolkitHelper.line(Array(line.utf8)) == meaning) }

    @Test("other lines say nothing", arguments: ["", "hello", "PAM_PROMPT"])
    func others(line: String) { #expect(PolkitHelper.line(Array(line.utf8)) == nil) }
}
