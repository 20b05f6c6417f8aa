import Chrome
import Geometry
import Glibc
import Stage

/// A painter that finds no icon.
func makePainter(_ change: (inout Theme) -> Void = { _ in }) -> Painter {
    let painter = Painter { _, _ in nil }
    change(&painter.theme)
    return painter
}

/// Every look that colours depend on.
let looks: [Theme] = [(false, false), (false, true), (true, false), (true, true)].map { dark, strong in
    var theme = Theme()
    theme.isDark = dark
    theme.increasedContrast = strong
    return theme
}

extension Painter {
    func text(
        _ text: String, _ style: TextStyle = .body, _ tone: Tone = .primary, _ alignment: TextAlignment = .leading,
        lines: Int = 1, in size: Size, scale: Double = 1
    ) -> Picture {
        picture(of: .text(.verbatim(text), style, tone, alignment, lines: lines), size: size, scale: scale)
    }
}

extension Picture {
    /// Around every pixel that is not clear; nil if there is none.
    func ink(rows: Range<Int>? = nil) -> Rect? {
        var left = width, right = 0, top = height, bottom = 0
        for y in rows ?? 0..<height {
            for x in 0..<width where pixels[y * width + x] >> 24 > 0 {
                left = min(left, x)
                right = max(right, x + 1)
                top = min(top, y)
                bottom = max(bottom, y + 1)
            }
        }
        return left < right ? Rect(Double(left), Double(top), Double(right - left), Double(bottom - top)) : nil
    }

    var mirrored: Picture {
        var result = self
        for y in 0..<height { for x in 0..<width { result[x, y] = self[width - 1 - x, y] } }
        return result
    }
}

/// A folder that goes with the test.
final class Folder {
    let path: String

    init() {
        var template = Array("/tmp/mullion-chrome-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template)!)
    }

    deinit {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink("\(path)/\(name)")
            }
            closedir(folder)
        }
        rmdir(path)
    }

    func write(_ name: String, _ bytes: [UInt8]) -> String {
        let file = fopen("\(path)/\(name)", "we")!
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        return "\(path)/\(name)"
    }
}
