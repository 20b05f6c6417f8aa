import Seat
import Testing

/// Messages in short, for tables: `3 wl_touch@9.down 1 0 @5 7` is an event of client 3 with two numbers, object 5 and a number;
/// `-> 3 wl_surface@5.destroy` is a request; `+4` a new object, `@-` no object, `[30,31]` an array, `v3` the version.
private struct Line {
    var message: WireMessage

    init(_ text: String) {
        var words = text.split(separator: " ").map(String.init), isEvent = true
        if words[0] == "->" {
            isEvent = false
            words.removeFirst()
        }
        let client = UInt64(words.removeFirst())!, target = words.removeFirst().split { $0 == "@" || $0 == "." }.map(String.init)
        message = WireMessage(client: client, object: UInt32(target[1])!, interface: target[0], name: target[2], isEvent: isEvent)
        for word in words {
            switch word.first {
            case "v": message.version = Int(word.dropFirst())!
            case "@": message.arguments.append(.object(UInt32(word.dropFirst())))
            case "+": message.arguments.append(.new(UInt32(word.dropFirst())!))
            case "[": message.arguments.append(.numbers(word.dropFirst().dropLast().split(separator: ",").map { UInt32($0)! }))
            default: message.arguments.append(.number(Int64(word)!))
            }
        }
    }
}

@Suite("P-05: the laws of what is sent")
struct WireLawsTests {
    private var laws = WireLaws()

    /// Everything found, as `law: object.event`. `!1 2` ends the connection 1; `held 7` puts the finger 7 down.
    private mutating func read(_ lines: [String]) -> [String] {
        for client in 1...3 { laws.connected(UInt64(client)) }
        var found: [WireViolation] = []
        for line in lines {
            if line.hasPrefix("gone ") {
                laws.gone(UInt64(line.dropFirst(5))!)
            } else {
                let message = Line(line).message
                #expect(WireLaws.concerns(interface: message.interface, name: message.name, isEvent: message.isEvent), "\(line)")
                found += laws.heard(message)
            }
        }
        return (found + laws.missingEnds()).map { "\($0.law): \($0.object)\($0.event.isEmpty ? "" : ".\($0.event)")" }
    }

    private static let down = "1 wl_touch@9.down 1 0 @5 7 10 10", up = "1 wl_touch@9.up 2 0 7"
    private static let enter = "1 wl_pointer@8.enter 1 @5 0 0", press = "1 wl_pointer@8.button 2 0 272 1",
        release = "1 wl_pointer@8.button 3 0 272 0"
    private static let leave = "1 wl_pointer@8.leave 4 @5"
    private static let keys = "1 wl_keyboard@7.enter 1 @5 [30]", key = "1 wl_keyboard@7.key 2 0 31 1"
    private static let drag = "1 wl_data_device@6.enter 1 @5 0 0 @-"
    private static let start = "-> 2 wl_data_device@4.start_drag @20 @5 @- 9", told = "2 wl_data_source@20.target v3"
    private static let window = [
        "-> 1 xdg_wm_base@3.get_xdg_surface +11 @10", "-> 1 xdg_surface@11.get_toplevel +12", "1 xdg_toplevel@12.configure 800 600 [4]",
        "1 xdg_surface@11.configure 1",
    ]
    private static let popup = [
        "-> 1 xdg_surface@31.get_popup +32 @11 @33", "1 xdg_popup@32.configure 0 0 10 10", "1 xdg_surface@31.configure 2",
    ]

    @Test(
        "an end follows each begin: nothing is found",
        arguments: [
            [down, "1 wl_touch@9.motion 0 7 11 11", up, down, "1 wl_touch@9.cancel", down, up],
            [enter, "1 wl_pointer@8.motion 0 1 1", press, release, leave, enter, press, leave],
            [keys, key, "1 wl_keyboard@7.key 3 0 31 0", "1 wl_keyboard@7.key 3 0 30 0", "1 wl_keyboard@7.leave 4 @5"],
            // What was down already is named on entering.
            [keys, "1 wl_keyboard@7.key 3 0 30 0"],
            // One after the other; several objects of one client; a client that is gone.
            [enter, leave, "2 wl_pointer@8.enter 5 @5 0 0"], [enter, "1 wl_pointer@18.enter 1 @5 0 0"],
            [enter, press, "gone 1", "2 wl_pointer@8.enter 5 @5 0 0"],
            ["1 zwp_text_input_v3@40.enter @5", "1 zwp_text_input_v3@40.leave @5", "2 zwp_text_input_v3@40.enter @5"],
            [
                drag, "1 wl_data_device@6.motion 0 1 1", "1 wl_data_device@6.drop", "1 wl_data_device@6.leave", drag,
                "1 wl_data_device@6.leave",
            ],
            [start, told, "2 wl_data_source@20.cancelled v3"],
            [start, told, "2 wl_data_source@20.dnd_drop_performed v3", "2 wl_data_source@20.dnd_finished v3"],
            // Sources of old versions hear nothing of a drop that was taken.
            [start, "2 wl_data_source@20.target v1"],
            // A client that gives something up needs no end.
            [down, "-> 1 wl_surface@5.destroy"], [down, "-> 1 wl_surface@5.destroy", up],
            [enter, press, "-> 1 wl_surface@5.destroy", "1 wl_display@1.delete_id 5", enter],
            [keys, "1 wl_display@1.delete_id 7", "-> 1 wl_seat@2.get_keyboard +7", keys, "1 wl_keyboard@7.key 3 0 30 0"],
            [start, told, "2 wl_data_source@20.cancelled v3", start, "2 wl_data_source@20.cancelled v3"], [drag, "-> 1 wl_seat@2.release"],
            [drag, "-> 1 wl_surface@5.destroy"], [start, told, "1 wl_display@1.delete_id 9", "2 wl_display@1.delete_id 20"],
            // An object that is made later hears ends of what the client's others began.
            [down, "-> 1 wl_seat@2.get_touch +19", up, "1 wl_touch@19.up 2 0 7"],
            window + [
                "1 xdg_toplevel@12.configure 800 600 []", "1 xdg_surface@11.configure 2", "-> 1 xdg_toplevel@12.set_fullscreen @-",
                "1 xdg_surface@11.configure 3",
            ],
            window + ["-> 1 wl_surface@10.attach @- 0 0", "1 xdg_surface@11.configure 2"],
            window + [
                "-> 1 zxdg_decoration_manager_v1@2.get_toplevel_decoration +13 @12", "1 xdg_surface@11.configure 2",
                "1 zxdg_toplevel_decoration_v1@13.configure 2", "1 xdg_surface@11.configure 3",
            ],
            popup + ["1 xdg_popup@32.popup_done"],
            popup + ["1 xdg_popup@32.popup_done", "-> 1 xdg_popup@32.destroy", "1 xdg_popup@32.popup_done"],
            popup + ["-> 1 xdg_popup@32.grab @2 5", "1 wl_keyboard@7.enter 1 @5 []"],
            popup + ["-> 1 xdg_popup@32.grab @2 5", "1 wl_display@1.delete_id 32", "2 wl_keyboard@7.enter 1 @5 []"],
            [
                "1 wl_surface@5.enter @30", "1 wl_surface@5.enter @31", "1 wl_surface@5.leave @30", "1 wl_display@1.delete_id 31",
                "1 wl_surface@5.enter @31",
            ],
            ["1 zwp_locked_pointer_v1@50.locked", "1 zwp_locked_pointer_v1@50.unlocked", "1 zwp_locked_pointer_v1@50.locked"],
            // The id is another object's.
            ["1 zwlr_layer_surface_v1@60.closed", "1 wl_display@1.delete_id 60", "1 zwlr_layer_surface_v1@60.configure 1 2 3"],
            [
                "1 zwlr_foreign_toplevel_handle_v1@99.closed", "1 zwlr_foreign_toplevel_manager_v1@2.toplevel +99",
                "1 zwlr_foreign_toplevel_handle_v1@99.title",
            ],
        ])
    mutating func holds(_ lines: [String]) {
        #expect(read(lines) == [], "\(lines)")
    }

    @Test(
        "each law can fail",
        arguments: [
            ([down], "touch: wl_touch@9"), ([up], "touch: wl_touch@9.up"), ([down, down, up], "touch: wl_touch@9.down"),
            (["1 wl_touch@9.motion 0 7 11 11"], "touch: wl_touch@9.motion"), ([down, "1 wl_touch@9.cancel", up], "touch: wl_touch@9.up"),
            ([enter, press], "pointer: wl_pointer@8"), ([leave], "pointer: wl_pointer@8.leave"),
            ([enter, enter], "pointer: wl_pointer@8.enter"),
            ([enter, "1 wl_pointer@8.leave 4 @6"], "pointer: wl_pointer@8.leave"), ([enter, release], "pointer: wl_pointer@8.button"),
            ([enter, press, press, leave], "pointer: wl_pointer@8.button"),
            ([enter, press, leave, enter, release], "pointer: wl_pointer@8.button"),
            (["1 wl_pointer@8.motion 0 1 1"], "pointer: wl_pointer@8.motion"),
            (["1 wl_pointer@8.axis 0 0 9"], "pointer: wl_pointer@8.axis"),
            ([enter, "2 wl_pointer@8.enter 5 @5 0 0"], "pointer: wl_pointer@8.enter"),
            ([keys], "keyboard: wl_keyboard@7"), (["1 wl_keyboard@7.enter 1 @5 []", key], "keyboard: wl_keyboard@7"),
            ([keys, keys, "1 wl_keyboard@7.leave 4 @5"], "keyboard: wl_keyboard@7.enter"),
            (["1 wl_keyboard@7.enter 1 @5 []", "1 wl_keyboard@7.key 3 0 31 0"], "keyboard: wl_keyboard@7.key"),
            ([keys, "1 wl_keyboard@7.key 3 0 30 1", "1 wl_keyboard@7.leave 4 @5"], "keyboard: wl_keyboard@7.key"),
            (["1 wl_keyboard@7.enter 1 @5 []", "2 wl_keyboard@7.enter 5 @5 []"], "keyboard: wl_keyboard@7.enter"),
            (["1 zwp_text_input_v3@40.leave @5"], "text: zwp_text_input_v3@40.leave"),
            (["1 zwp_text_input_v3@40.commit_string"], "text: zwp_text_input_v3@40.commit_string"),
            (["1 zwp_text_input_v3@40.enter @5", "2 zwp_text_input_v3@40.enter @5"], "text: zwp_text_input_v3@40.enter"),
            ([drag], "drag: wl_data_device@6"), (["1 wl_data_device@6.leave"], "drag: wl_data_device@6.leave"),
            (["1 wl_data_device@6.drop"], "drag: wl_data_device@6.drop"),
            ([drag, "1 wl_data_device@6.drop", "1 wl_data_device@6.drop"], "drag: wl_data_device@6.drop"),
            ([drag, "1 wl_data_device@6.drop", "1 wl_data_device@6.motion 0 1 1"], "drag: wl_data_device@6.motion"),
            ([start, told], "drag: wl_data_source@20"),
            ([start, told, "2 wl_data_source@20.dnd_drop_performed v3"], "drag: wl_data_source@20"),
            ([start, told, "2 wl_data_source@20.cancelled v3", "2 wl_data_source@20.cancelled v3"], "drag: wl_data_source@20.cancelled"),
            (window + ["1 xdg_surface@11.configure 2"], "configure: xdg_surface@11.configure"),
            (window + ["1 xdg_toplevel@12.configure 800 600 [4]", "1 xdg_surface@11.configure 2"], "configure: xdg_surface@11.configure"),
            (popup + ["1 xdg_popup@32.popup_done", "1 xdg_popup@32.popup_done"], "popup: xdg_popup@32.popup_done"),
            (popup + ["-> 1 xdg_popup@32.grab @2 5", "2 wl_keyboard@7.enter 1 @5 []"], "popup: xdg_popup@32"),
            (["1 wl_surface@5.enter @30", "1 wl_surface@5.enter @30"], "pair: wl_surface@5.enter"),
            (["1 wl_surface@5.leave @30"], "pair: wl_surface@5.leave"),
            (["1 ext_idle_notification_v1@50.resumed"], "pair: ext_idle_notification_v1@50.resumed"),
            (
                ["1 zwlr_layer_surface_v1@60.closed", "1 zwlr_layer_surface_v1@60.configure 1 2 3"],
                "end: zwlr_layer_surface_v1@60.configure"
            ),
        ])
    mutating func fails(_ lines: [String], _ found: String) { #expect(read(lines) == [found], "\(lines)") }

    @Test("what a client got in a drop may be taken at leisure; the source hears of the end afterwards")
    mutating func takesItsTime() {
        let dropped = [
            "1 wl_data_device@6.enter 1 @5 0 0 @99", Self.start, Self.told, "1 wl_data_device@6.drop", "1 wl_data_device@6.leave",
            "2 wl_data_source@20.dnd_drop_performed v3",
        ]
        #expect(read(dropped) == [])
        _ = laws.heard(Line("-> 1 wl_data_offer@99.finish").message)
        #expect(laws.missingEnds().map(\.law) == [.drag])
    }

    @Test("while a finger, a button or a key is held, nothing of its kind has to end")
    mutating func held() {
        laws.held.fingers = [7]
        laws.held.keys = [30]
        #expect(read([Self.down, Self.keys, Self.drag, Self.enter, Self.press]) == [])
        laws.held = WireLaws.Held()
        #expect(Set(laws.missingEnds().map(\.law)) == [.touch, .keyboard, .drag, .pointer])
    }

    @Test("a missing end is told once, and again when it came and is missing again")
    mutating func newMissingEnds() {
        func keyboard(_ line: String) { #expect(laws.heard(Line(line).message) == []) }
        laws.connected(1)
        keyboard(Self.keys)
        #expect(laws.newMissingEnds().map(\.law) == [.keyboard])
        #expect(laws.newMissingEnds() == [])
        keyboard("1 wl_keyboard@7.key 3 0 30 0")
        #expect(laws.newMissingEnds() == [])
        keyboard("1 wl_keyboard@7.key 4 0 30 1")
        #expect(laws.newMissingEnds().map(\.law) == [.keyboard])
        // Another client with the same fault, after the first is gone.
        laws.gone(1)
        laws.connected(2)
        keyboard("2 wl_keyboard@7.enter 1 @5 [30]")
        #expect(laws.newMissingEnds().map(\.client) == [2])
    }

    @Test("a decision of the shell may be taken back before it is sent")
    mutating func decided() {
        #expect(read(Self.window) == [])
        laws.decided(11, of: 1)
        #expect(laws.heard(Line("1 xdg_surface@11.configure 2").message) == [])
        #expect(laws.heard(Line("1 xdg_surface@11.configure 3").message).map(\.law) == [.configure])
    }

    @Test("a message of a connection that is gone means nothing")
    mutating func gone() {
        #expect(read(["gone 1", Self.up]) == [])
    }

    @Test("a violation names law, client, object and message")
    mutating func words() {
        laws.connected(4)
        let found = laws.heard(Line("4 wl_touch@9.up 2 0 7").message)
        #expect(found.map { "\($0)" } == ["P-05 (touch): client 4: wl_touch@9.up: finger 7 is not down"])
    }
}
