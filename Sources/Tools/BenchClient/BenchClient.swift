import CBenchClient
import Clocks
import Glibc

/// The client that `scripts/bench-peers` runs under every compositor. It reads one command per line from standard
/// input, and answers each with a line of JSON.
@main
struct BenchClient {
    static func main() {
        let client = Client()
        answer("{\"registry_at\": \(Clocks.monotonicNanoseconds), \"globals\": \(client.globals)}")
        guard client.compositor != nil, client.memory != nil, client.shell != nil else {
            fail("wl_compositor, wl_shm or xdg_wm_base is missing")
        }
        client.makePointer()
        var line: [UInt8] = []
        while true {
            guard client.turn(also: STDIN_FILENO, timeout: -1) else { continue }
            var byte: UInt8 = 0
            guard read(STDIN_FILENO, &byte, 1) > 0 else { break }
            guard byte == UInt8(ascii: "\n") else {
                if line.count < 255 { line.append(byte) }
                continue
            }
            guard client.obey(String(decoding: line, as: UTF8.self)) else { break }
            line = []
        }
    }
}

extension Client {
    /// Carries out a command. Returns false if it was the last one.
    func obey(_ line: String) -> Bool {
        let words = line.split(separator: " ")
        let begin = Clocks.monotonicNanoseconds
        var passed: String { digits(Double(Clocks.monotonicNanoseconds - begin) / 1e6, 3) }
        switch words.first {
        case "open" where words.count == 5:
            guard let count = Int(words[1]), let width = Int32(words[3]), let height = Int32(words[4]) else { fallthrough }
            let first = windows.count
            open(count, isFullscreen: words[2] == "full", width: width, height: height)
            let synced = passed
            // The front window gets its first frame soon; windows behind it may never get one.
            if count == 1, first < windows.count, waitFrames(windows[first], moreThan: 0, 5) {
                let shown = windows[first]
                answer("{\"ms\": \(synced), \"frame_at\": \(shown.lastFrame), \"width\": \(shown.width), \"height\": \(shown.height)}")
            } else {
                answer("{\"ms\": \(synced), \"frame_at\": null}")
            }
        case "latency" where words.count == 3 && Int(words[1]) != nil:
            measureLatency(Int(words[1])!, pauses: words[2] == "pauses")
        case "throughput" where words.count == 2 && Double(words[1]) != nil:
            measureThroughput(Double(words[1])!)
        case "close" where words.count == 1:
            closeWindows()
            answer("{\"ms\": \(passed)}")
        case "animate" where words.count == 1:
            isAnimating = true
            for window in windows { window.animate() }
            answer("{}")
        case "rest" where words.count == 1:
            isAnimating = false
            answer("{}")
        case "frames" where words.count == 1:
            let all = windows.reduce(0) { $0 + $1.frames }
            let cpu = digits(Double(Clocks.processNanoseconds) / 1e9, 6)
            answer("{\"all\": \(all), \"top\": \(windowInSight?.frames ?? 0), \"at\": \(Clocks.monotonicNanoseconds), \"cpu\": \(cpu)}")
        case "quit" where words.count == 1:
            return false
        default:
            fail("unknown command")
        }
        return true
    }
}
