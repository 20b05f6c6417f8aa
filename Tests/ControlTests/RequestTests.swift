import Control
import Geometry
import Journal
import MullionTesting
import Multitasking
import Notices
import Testing
import Windows

@Suite("Requests on the control socket")
struct RequestTests {
    static func read(_ text: String) -> ReadMessage { ReadMessage(line: Array(text.utf8)) }

    static func error(_ text: String) -> ControlError? {
        if case .failure(let error) = read(text).request { error } else { nil }
    }

    @Test(
        "each form of a choice is understood",
        arguments: [
            (#"{"do":"nextSpace"}"#, Action.nextSpace),
            (#"{"do":{"nextSpace":{}}}"#, .nextSpace),
            (#"{"do":{"nextSpace":null}}"#, .nextSpace),
            (#"{"do":{"slideOverSide":"left"}}"#, .slideOverSide(.left)),
            (#"{"do":{"slideOverSide":{"_0":"left"}}}"#, .slideOverSide(.left)),
            (#"{"do":{"splitView":{"window":3,"side":"left"}}}"#, .splitView(window: WindowID(3), side: .left)),
            (#"{"do":{"fullScreen":{"window":null}}}"#, .fullScreen()),
            (#"{"do":{"pipStash":"right"}}"#, .pipStash(.right)),
            (#"{"do":"pipStash"}"#, .pipStash()),
            (#"{"do":{"showSpace":2}}"#, .showSpace(SpaceID(2))),
            (
                #"{"do":{"launch":{"command":["foot"],"to":{"splitView":"left"}}}}"#,
                .launch(command: ["foot"], to: .splitView(.left))
            ),
            (#"{"do":{"openWaiting":{"to":"pictureInPicture"}}}"#, .openWaiting(to: .pictureInPicture)),
            (#"{"do":{"resizeScreen":{"size":[1600,1000]}}}"#, .resizeScreen(size: Size(1600, 1000))),
        ])
    func forms(_ text: String, _ action: Action) throws {
        #expect(try Self.read(text).request.get() == .act(action))
    }

    @Test("what a client writes, the shell reads")
    func roundTrip() throws {
        let requests: [ControlRequest] = [
            .get(.views), .get(.apps), .get(.notifications), .act(.notice(.press(notice: NoticeID(7), button: "reply"))),
            .act(.notice(.quiet(nil))),
            .act(.notice(.choose(app: "mail", what: .manner(.quietly)))), .act(.notice(.clear(group: "mail"))),
            .act(.press(view: "dock/foot")), .act(.openApp(app: "foot", to: .slideOver)),
            .act(.search()), .act(.textSize(1.25)), .get(.state), .get(.windows), .get(.version), .get(.statistics), .get(.descriptors),
            .get(.violations), .get(.configuration), .get(.keys), .get(.order),
            .get(.configureLog(window: WindowID(7))), .act(.dividerStep(-1)),
            .act(.launch(command: ["sh", "-c", "echo \"ü\" \\ \n"], to: .splitView(.right))),
            .input(.drag(from: Point(1, 2), to: Point(3.5, 4), via: [Point(9, 9)], duration: 100, pointer: true)),
            .input(.pinch(center: Point(5, 5), from: 10, to: 20)),
            .input(.pointerButton(button: .right, pressed: false)),
            .input(.key(key: InputRequest.KeyName("Left")!, pressed: true)), .input(.type(text: "häß\t")),
            .screenshot(ScreenshotRequest(window: WindowID(1), path: "/tmp/x.png")), .screenshot(ScreenshotRequest()),
            .follow([.state, .events]), .follow([]), .clock(.hand), .clock(.step(16.5)), .clock(.read),
            .wait(WaitRequest(until: .idle)),
            .wait(WaitRequest(until: .window(appID: "foot", title: nil, after: WindowID(2)), timeout: 10)),
            .wait(WaitRequest(until: .gone(window: WindowID(2)))), .wait(WaitRequest(until: .sound)), .reload, .quit,
        ]
        for (index, request) in requests.enumerated() {
            let message = ReadMessage(line: try ControlMessage(request, id: Int64(index)).line())
            #expect(message.id == Int64(index))
            #expect(try message.request.get() == request)
        }
    }

    @Test(
        "what is wrong is named, and where",
        arguments: [
            ("", nil, "not JSON"), ("{", nil, "not JSON: the name of a field is missing at character 2"),
            (#"{"get":"state"} x"#, nil, "something follows the value at character 17"), ("[]", nil, "an object, not an array"),
            ("7", nil, "an object, not a number"), ("{}", nil, "nothing is asked"),
            (#"{"v":2,"get":"state"}"#, "v", "version 1"), (#"{"v":"1","get":"state"}"#, "v", "version 1"),
            (#"{"id":"a","get":"state"}"#, "id", "whole number"), (#"{"get":"state","quit":true}"#, nil, "one thing"),
            (#"{"gett":"state"}"#, "gett", "no request"), (#"{"get":"stat"}"#, "get", "known names"),
            (#"{"get":{"configureLog":{}}}"#, "get.configureLog.window", "missing"),
            (#"{"get":{"configureLog":{"window":"x"}}}"#, "get.configureLog.window", "whole number from 0 to 4294967295, and is \"x\""),
            (#"{"do":{"splitView":{}}}"#, "do.splitView.side", "missing"),
            (#"{"do":{"splitView":{"side":"lft"}}}"#, "do.splitView.side", "\"lft\" is not one of the values"),
            (#"{"do":{"fullScreen":{"windw":3}}}"#, "do.fullScreen.windw", "no field"),
            (#"{"do":{"slideOverSide":7}}"#, "do.slideOverSide", "has to be a string, and is 7"),
            (#"{"do":{"focus":{"window":-1}}}"#, "do.focus.window", "and is -1"),
            (#"{"do":{"launch":{"command":"foot"}}}"#, "do.launch.command", "an array"),
            (#"{"do":{"launch":{"command":["a",7]}}}"#, "do.launch.command[1]", ""),
            (#"{"do":"dividerStep"}"#, "do.dividerStep", "needs a value"), (#"{"do":7}"#, "do", "an object"),
            (#"{"do":{"a":{},"b":{}}}"#, "do", "known names"),
            (#"{"input":{"touchDown":{"at":[1]}}}"#, "input.touchDown.at[1]", "expected 2 numbers"),
            (#"{"input":{"touchDown":{"at":[1,1e999]}}}"#, nil, "too large"),
            (#"{"input":{"key":{"key":"Foo","pressed":true}}}"#, "input.key.key", "name on a US keyboard"),
            (#"{"input":{"pointerButton":{"button":"up","pressed":true}}}"#, "input.pointerButton.button", "a button is"),
            (#"{"follow":["frames"]}"#, "follow[0]", "\"frames\" is not one of the values"),
            (#"{"wait":{}}"#, "wait.until", "missing"), (#"{"wait":{"until":"later"}}"#, "wait.until", "known names"),
            (#"{"wait":{"until":"idle","timeot":1}}"#, "wait.timeot", "no field"),
            (#"{"quit":false}"#, "quit", "must be true"), (#"{"reload":{}}"#, "reload", "must be true"),
            (#"{"screenshot":{"window":[]}}"#, "screenshot.window", "an array"),
        ] as [(String, String?, String)])
    func mistakes(_ text: String, _ place: String?, _ what: String) throws {
        let error = try #require(Self.error(text), "\(text) was understood")
        #expect(error.where == place, "\(text): \(error)")
        #expect(what.isEmpty || error.what.contains(what), "\(text): \(error)")
    }

    @Test("an invalid request still carries the number of its answer")
    func idOfMistakes() {
        #expect(Self.read(#"{"id":12,"do":"fly"}"#).id == 12)
        #expect(Self.read(#"{"id":12,"v":9,"get":"state"}"#).id == 12)
        #expect(Self.read("{").id == nil)
    }

    @Test("deeply nested JSON does not overflow the stack")
    func depth() {
        #expect(Self.error(String(repeating: "[", count: 100_000))?.what.contains("inside one another") == true)
        #expect(Self.error(#"{"do":"# + String(repeating: #"{"a":"#, count: 100_000))?.what.contains("inside one another") == true)
    }

    @Test("nesting is refused where it becomes too deep; the rest of the line is not read")
    func depthIsCheap() {
        #expect(Self.error(String(repeating: "[", count: 100_000))?.what.contains("at character 129") == true)
        #expect(Self.error(#"{"do":"# + String(repeating: "[", count: 20_000))?.what.contains("at character 134") == true)
    }

    @Test("no number in a request ends the shell; one that makes no sense is refused by the name of its field")
    func extremeNumbers() throws {
        var refused: [String: Int] = [:]
        for example in DocumentTests.examples where example.hasPrefix("> ") {
            let value = try JSON(parsing: Array(example.dropFirst(2).utf8))
            for index in 0..<ExtremeNumbers.count(in: value) {
                for extreme in ExtremeNumbers.all {
                    let line = ExtremeNumbers.replacing(index, in: value, by: extreme).bytes
                    do throws(ControlError) {
                        if case .input(let input) = try ReadMessage(line: line).request.get() { _ = try InputPlan(input) }
                    } catch {
                        refused[error.where ?? "", default: 0] += 1
                    }
                }
            }
        }
        for place in [
            "input.pointerAxis.value", "input.touchDown.at", "input.touchMotion.at", "input.pointerMotion.at", "input.tap.at",
            "input.click.at",
            "input.drag.from", "input.drag.to", "input.drag.duration", "input.pinch.center", "input.pinch.from", "input.pinch.to",
        ] {
            #expect(refused[place] ?? 0 > 0, "\(place)")
        }
        #expect(refused[""] == nil)
    }

    @Test("bytes that are no text are no trouble")
    func noise() {
        var noise = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let line = (0..<Int.random(in: 0...60, using: &noise)).map { _ in UInt8.random(in: 0...255, using: &noise) }
            if case .success(let request) = ReadMessage(line: line).request { Issue.record("\(line) is \(request)") }
        }
        #expect(Self.error("{\"do\":\"\u{0}\"}") != nil)
        if case .success = ReadMessage(line: Array(#"{"do":""#.utf8) + [0xff, 0xfe] + Array(#""}"#.utf8)).request {
            Issue.record("bytes that are not UTF-8 were taken")
        }
    }
}

@Suite("Lines from bytes")
struct LineBufferTests {
    @Test("a line is whole wherever it was cut")
    func partial() {
        let text = Array("{\"a\":1}\n\n  \r\n{\"b\":2}\r\nrest".utf8)
        for cut in 0...text.count {
            var buffer = LineBuffer()
            let lines = buffer.append(text[..<cut]) + buffer.append(text[cut...])
            #expect(lines == [.line(Array("{\"a\":1}".utf8)), .line(Array("{\"b\":2}".utf8))])
        }
    }

    @Test("a line that is too long is reported once and skipped; the next one is read")
    func tooLong() {
        var buffer = LineBuffer(limit: 10)
        #expect(buffer.append(Array("0123456789\n".utf8)) == [.line(Array("0123456789".utf8))])
        #expect(buffer.append(Array("01234567890".utf8)) == [.tooLong])
        #expect(buffer.append(Array(repeating: UInt8(ascii: "x"), count: 1000)) == [])
        #expect(buffer.append(Array("tail\nnext\n".utf8)) == [.line(Array("next".utf8))])
    }
}
