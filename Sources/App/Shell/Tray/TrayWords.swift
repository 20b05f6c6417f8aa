import MessageBus
import NoticeBus
import Tray

/// The properties of an item of the tray (`org.kde.StatusNotifierItem`), as its app tells them, within limits.
struct TrayWords {
    /// A picture of an item: four bytes for each pixel, in the order alpha, red, green, blue.
    struct Pixels: Hashable {
        var width: Int
        var height: Int
        var bytes: [UInt8]

        /// The longest side that is read, and the side from which on a picture is large enough.
        static let longest = 256, enough = 64
    }

    struct Picture {
        var name = ""
        var pixels: Pixels?

        var isEmpty: Bool { name.isEmpty && pixels == nil }
    }

    var name = ""
    var title = ""
    var tooltip = ""
    var state = TrayFacts.State.active
    var themePath = ""
    var icon = Picture(), attention = Picture()
    var menu: String?
    var isMenu = false
    /// Why a picture is left out, for the log.
    var trouble: String?

    private static let limits = BusValue.Limits(text: 4096, entries: 8)

    /// The answer of `GetAll`; nil if it has another form.
    init?(_ answer: Incoming) {
        let isWhole = answer.fields { key in
            switch key {
            case "Id": name = Self.text(answer)
            case "Title": title = Self.text(answer)
            case "Status":
                switch Self.text(answer) {
                case "Passive": state = .passive
                case "NeedsAttention": state = .attention
                default: state = .active
                }
            case "IconThemePath": themePath = Self.text(answer)
            case "IconName": icon.name = Self.text(answer)
            case "AttentionIconName": attention.name = Self.text(answer)
            case "IconPixmap": icon.pixels = pixels(answer)
            case "AttentionIconPixmap": attention.pixels = pixels(answer)
            case "ToolTip": tooltip = Self.tooltip(answer)
            case "Menu":
                let path = Self.text(answer)
                // KDE says so where an item has none.
                menu = path.hasSuffix("NO_DBUSMENU") || !NoticeBus.isObject(path) ? nil : path
            case "ItemIsMenu": isMenu = answer.value(Self.limits)?.flag ?? false
            default: break
            }
            return true
        }
        guard isWhole else { return nil }
    }

    /// The picture for the present state.
    var shown: Picture { state == .attention && !attention.isEmpty ? attention : icon }

    private static func text(_ answer: Incoming) -> String { answer.value(limits)?.text ?? "" }

    /// Of several pictures the smallest one that is large enough, or else the largest.
    private mutating func pixels(_ answer: Incoming) -> Pixels? {
        var best: (side: Int, bytes: UnsafeRawBufferPointer, width: Int, height: Int)?
        var count = 0, longest = 0
        _ = answer.whole(.variant, "a(iiay)") {
            answer.wholeArray(of: "(iiay)", limit: 32) { () -> Bool? in
                answer.structure("iiay") { () -> Bool? in
                    guard let width = answer.int32().map(Int.init), let height = answer.int32().map(Int.init), let bytes = answer.bytes()
                    else { return nil }
                    count += 1
                    longest = max(longest, width, height)
                    guard (1...Pixels.longest).contains(width), (1...Pixels.longest).contains(height), bytes.count == 4 * width * height
                    else { return true }
                    let side = max(width, height)
                    if let best, best.side >= Pixels.enough ? side < Pixels.enough || side >= best.side : side <= best.side { return true }
                    best = (side, bytes, width, height)
                    return true
                }
            }
        }
        guard let best else {
            if count > 0 {
                trouble =
                    "no picture of it has 1 to \(Pixels.longest) pixels on each side with four bytes each; the longest side is \(longest)"
            }
            return nil
        }
        return Pixels(width: best.width, height: best.height, bytes: Array(best.bytes))
    }

    /// The title of a tooltip, and its text.
    private static func tooltip(_ answer: Incoming) -> String {
        let words = answer.whole(.variant, "(sa(iiay)ss)") {
            answer.whole(.structure, "sa(iiay)ss") { () -> [String]? in
                guard answer.value(limits) != nil, answer.wholeArray(of: "(iiay)", limit: 0, { nil as Bool? }) != nil else { return nil }
                return [text(answer), text(answer)]
            }
        }
        return (words ?? []).filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension TrayWords.Pixels {
    /// Blue, green, red and alpha, with colours that are multiplied by alpha, as pictures of the shell are.
    var shellPixels: [UInt8] {
        var out = [UInt8](repeating: 0, count: bytes.count)
        bytes.withUnsafeBufferPointer { source in
            out.withUnsafeMutableBufferPointer { target in
                for place in stride(from: 0, to: source.count - 3, by: 4) {
                    let alpha = UInt32(source[place])
                    for (offset, colour) in [(2, 1), (1, 2), (0, 3)] {
                        target[place + offset] = UInt8(truncatingIfNeeded: (UInt32(source[place + colour]) * alpha + 127) / 255)
                    }
                    target[place + 3] = UInt8(truncatingIfNeeded: alpha)
                }
            }
        }
        return out
    }
}
