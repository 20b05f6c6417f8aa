import Chrome
import Compositor
import Descriptors
import Desktop
import Geometry
import Glibc
import LifeBus
import Logging
import Multitasking
import Processes
import Windows

/// Pictures of the screen for apps, in the person's folder for pictures. Without the shell's questions, and never of a locked session.
final class ScreenPictures: Adapter {
    private struct Written: Sendable {
        var number: Int
        var path: String?
        var flaw: String?
    }

    private struct Trouble: Error, CustomStringConvertible {
        var description: String
    }

    private unowned let shell: Shell
    /// Encodes and writes.
    private let worker = Worker<Written>(owner: "pictures of the screen")
    private var source: EventSource?
    private var jobs: [Int: (String?) -> Void] = [:]
    private var last = 0

    init(_ shell: Shell) { self.shell = shell }

    func start() { source = shell.compositor.watch(fd: worker.descriptor) { [unowned self] _ in drain() } }

    func stop() {
        worker.finish()
        drain()
        source?.cancel()
        source = nil
    }

    /// `done` gets the address of the file; nil: there is none.
    func take(_ part: ScreenPart, done: @escaping (String?) -> Void) {
        guard let (pixels, width, height) = pixels(of: part) else { return done(nil) }
        last += 1
        let number = last
        jobs[number] = done
        let name = shell.adapter(Look.self).painter.string(.message(.pictureOfScreen)), environment = shell.environment
        worker.add {
            let folder = UserFolder.path("PICTURES", or: "Pictures", environment: environment)
            mkdir(folder, 0o777)
            do {
                let bytes = try PNG.encode(pixels: pixels, width: width, height: height, stride: width * 4)
                return Written(number: number, path: try Self.save(bytes, in: folder, name: "\(name) \(UserFolder.stamp)"))
            } catch {
                return Written(number: number, flaw: "\(error)")
            }
        }
    }

    /// The colour at a point of the screen; each part from 0 to 1.
    func colour(at point: Point) -> SIMD3<Double>? {
        guard let (pixels, width, _) = pixels(of: .part(Rect(point.x, point.y, 0, 0))), width > 0 else { return nil }
        return SIMD3(Double(pixels[2]), Double(pixels[1]), Double(pixels[0])) / 255
    }

    private func pixels(of part: ScreenPart) -> (pixels: [UInt8], width: Int, height: Int)? {
        let system = shell.system
        guard !system.isLocked else { return nil }
        if case .window(let window) = part {
            // Out of sight it has the picture that it drew last.
            guard system.workspace[window]?.isMapped ?? false else { return nil }
            return shell.compositor.capture(window)
        }
        guard let screen = system.workspace.screen?.bounds,
            let whole = shell.compositor.capture(system.itemsWithoutViews(at: shell.clock.now()))
        else { return nil }
        guard case .part(let frame) = part else { return whole }
        let scale = Double(whole.width) / max(1, screen.width)
        func pixel(_ length: Double, _ most: Int) -> Int { min(max(Int(clamping: length * scale), 0), most) }
        let left = pixel(frame.minX, whole.width - 1), top = pixel(frame.minY, whole.height - 1)
        let right = max(left + 1, pixel(frame.maxX, whole.width)), bottom = max(top + 1, pixel(frame.maxY, whole.height))
        var out: [UInt8] = []
        out.reserveCapacity((right - left) * (bottom - top) * 4)
        for y in top..<bottom { out += whole.pixels[((y * whole.width + left) * 4)..<((y * whole.width + right) * 4)] }
        return (out, right - left, bottom - top)
    }

    private func drain() {
        for written in worker.outcomes() {
            if let flaw = written.flaw { shell.log.warning("a picture of the screen is not kept: \(flaw)") }
            jobs.removeValue(forKey: written.number)?(written.path.map(App.address(of:)))
        }
    }

    // MARK: Files

    /// Writes a file that only this user can read, and overwrites nothing.
    private static func save(_ bytes: [UInt8], in folder: String, name: String) throws -> String {
        let hidden = "\(folder)/.mullion-\(UInt64.random(in: 0 ... .max)).png"
        try PrivateFile.write(bytes, to: hidden)
        defer { unlink(hidden) }
        for number in 1...99 {
            let path = "\(folder)/\(name)\(number == 1 ? "" : " \(number)").png"
            if link(hidden, path) == 0 { return path }
            // A file system without links.
            if errno != EEXIST, access(path, F_OK) != 0, rename(hidden, path) == 0 { return path }
        }
        throw Trouble(description: "\(folder) takes no picture: \(String(cString: strerror(errno)))")
    }
}
