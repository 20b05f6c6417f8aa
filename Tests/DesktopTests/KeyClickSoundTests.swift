import Testing

@testable import Desktop

/// the shell's own key click.
@Suite struct KeyClickSoundTests {
    @Test("A-21: the key click is short and soft, and begins and ends in silence")
    func click() {
        let samples = KeyClickSound.samples
        #expect((240...960).contains(samples.count), "5 to 20 ms")
        let peak = Double(samples.map { abs(Int($0)) }.max() ?? 0) / 32_767
        #expect(abs(peak - 0.22) < 0.001)
        #expect(samples.first == 0 && abs(Int(samples.last ?? 1)) < 40)
        // Most of it is in the first half.
        let half = samples.count / 2
        func energy(_ part: ArraySlice<Int16>) -> Double { part.reduce(0) { $0 + Double($1) * Double($1) } }
        #expect(energy(samples[..<half]) > 10 * energy(samples[half...]))
    }

    @Test("A-21: its file is one that players read")
    func file() {
        let file = KeyClickSound.file,
            count = KeyClickSound.samples.count + Int(clamping: KeyClickSound.silence * Double(KeyClickSound.rate))
        #expect(file.count == 44 + 2 * count)
        #expect(String(decoding: file[0..<4], as: UTF8.self) == "RIFF" && String(decoding: file[8..<16], as: UTF8.self) == "WAVEfmt ")
        func number(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(file[at + $1]) << (8 * $1) } }
        #expect(number(4) == file.count - 8 && number(40) == 2 * count && number(24) == 48_000)
    }
}
