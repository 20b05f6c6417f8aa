import Journal
import Testing

@Suite("JSON values")
struct JSONTests {
    @Test(
        "text to value to text",
        arguments: [
            ("null", JSON.null), ("true", .bool(true)), ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)),
            ("1.5e3", .integer(1500)), ("0.25", .number(0.25)), ("-0", .integer(0)), ("18446744073709551615", .number(0x1p64)),
            (#""a\"\\\/\u00e9\ud83d\ude00\n""#, .string("a\"\\/é😀\n")), ("[ ]", .array([])), ("{ }", .object([:])),
            (#"{"b":[1,{"a":null}],"a":""}"#, .object(["a": .string(""), "b": .array([.integer(1), .object(["a": .null])])])),
        ] as [(String, JSON)])
    func reading(_ text: String, _ value: JSON) throws {
        let read = try JSON(parsing: Array(text.utf8))
        #expect(read == value)
        #expect(try JSON(parsing: read.bytes) == value)
        #expect(try JSON(parsing: Array(read.text(pretty: true).utf8)) == value)
    }

    @Test(
        "invalid JSON is reported with its position",
        arguments: [
            ("", 0), ("tru", 0), ("[1,]", 3), ("[1 2]", 3), ("{\"a\" 1}", 5), ("{\"a\":1,\"a\":2}", 7), ("01", 1), ("1.", 2),
            ("\"abc", 0), ("\"\\x\"", 2), ("\"\\ud800\"", 7), ("[\"\u{1}\"]", 2), ("nul", 0), ("{a:1}", 1), ("1 1", 2),
        ])
    func mistakes(_ text: String, _ offset: Int) {
        #expect { try JSON(parsing: Array(text.utf8)) } throws: { ($0 as? JSONSyntaxError)?.offset == offset }
    }

    struct Name: Hashable, Codable { var raw: Int }
    struct Sample: Codable, Equatable {
        var set: Set<Int>
        var names: [Name: Double]
        var words: [String: Int?]
        var rest: [Int]?
        var number = 1.0
        var small = 1e-7
    }

    @Test("equal values have equal JSON, whatever order their sets happen to have")
    func canonical() throws {
        var texts: Set<String> = []
        for count in [1, 10, 500] {
            var sample = Sample(set: [], names: [:], words: ["z": 1, "a": nil])
            // Another history, another order in memory.
            sample.set.reserveCapacity(count)
            sample.names.reserveCapacity(count)
            for value in (0..<40).shuffled() {
                sample.set.insert(value)
                sample.names[Name(raw: value)] = Double(value) / 2
            }
            texts.insert(try JSON(encoding: sample).text())
            #expect(try JSON(encoding: sample).decoded(as: Sample.self) == sample)
        }
        #expect(texts.count == 1)
    }

    private struct Numbers: Codable, Equatable {
        var int = Int.min, int8 = Int8.min, int16 = Int16.min, int32 = Int32.min, int64 = Int64.max
        var uint = UInt(Int64.max), uint8 = UInt8.max, uint16 = UInt16.max, uint32 = UInt32.max, uint64 = UInt64(1) << 63
        var float = Float(0.25), double = -1e300, bool = true
        var list: [UInt8?] = [0, nil, 255]
        var byName: [String: Int16] = ["a": -1]
    }

    @Test("numbers of every type come back, and one that is too large is an error with its place")
    func numbers() throws {
        let json = try JSON(encoding: Numbers())
        #expect(try json.decoded(as: Numbers.self) == Numbers())
        #expect(json.text().contains("\"int8\":-128") && json.text().contains("\"uint8\":255"))
        for (name, most) in [("int8", "127"), ("uint16", "65535"), ("int32", "2147483647"), ("uint64", "18446744073709551615")] {
            guard case .object(var fields) = json else { return #expect(Bool(false)) }
            for wrong: JSON in [.number(1e300), .number(0.5), .string("1"), name == "uint64" ? .integer(-1) : .integer(1 << 40)] {
                fields[name] = wrong
                #expect { try JSON.object(fields).decoded(as: Numbers.self) } throws: {
                    guard let mistake = JSONMistake($0) else { return false }
                    return mistake.place == name && mistake.what.contains("to \(most)")
                }
            }
        }
    }

    @Test("a number that JSON lacks is an error and no crash")
    func notFinite() {
        #expect(throws: EncodingError.self) { try JSON(encoding: [Double.nan]) }
        #expect(throws: EncodingError.self) { try JSON(encoding: Sample(set: [], names: [:], words: [:], number: .infinity)) }
    }

    @Test("digests are the same in every run")
    func digest() throws {
        #expect(Digest(bytes: []).description == "cbf29ce484222325")
        #expect(Digest(bytes: Array("foobar".utf8)).description == "85944171f73967e8")
        #expect(try JSON(encoding: Digest(bytes: [])).decoded(as: Digest.self) == Digest(bytes: []))
    }

    @Test("differences are named by their paths")
    func differences() throws {
        let a = try JSON(parsing: Array(#"{"a":{"b":[1,2,3]},"c":1}"#.utf8))
        let b = try JSON(parsing: Array(#"{"a":{"b":[1,5]},"d":null}"#.utf8))
        #expect(a.differences(from: a).isEmpty)
        #expect(
            a.differences(from: b) == [
                JSONDifference(path: "a.b[1]", first: .integer(2), second: .integer(5)),
                JSONDifference(path: "a.b[2]", first: .integer(3), second: nil),
                JSONDifference(path: "c", first: .integer(1), second: nil),
                JSONDifference(path: "d", first: nil, second: .null),
            ])
    }
}
