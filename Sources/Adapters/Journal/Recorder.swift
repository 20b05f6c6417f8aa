import Descriptors
import Geometry
import Glibc
import Multitasking
import Processes

/// Writes the events of a session to a file, from which `Replay` reaches the same state.
///
/// An event is written before it is handled, so that a crash loses nothing and the last line shows its cause. Writes
/// go to the page cache, not to the disk. If a write fails, the recording ends and the shell continues.
public final class Recorder {
    /// The reason why the recording ended early.
    public private(set) var failure: String?
    /// Events written.
    public private(set) var count = 0

    private var file: Descriptor

    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public var description: String
    }

    /// Creates the file for this user alone (0600), replacing an existing one. Throws the reason if it cannot be
    /// written. `version`: of the program. `system`: the state before the first recorded event.
    public init(path: String, version: String, system: System) throws(Failure) {
        do throws(PrivateFile.Failure) {
            file = Descriptor(try PrivateFile.open(replacing: path), owner: "recording")
        } catch {
            throw Failure(description: "the recording \(error)")
        }
        write(Recording.Line(mullion: .init(version: version, start: system)))
        if let failure { throw Failure(description: "the recording \(path): \(failure)") }
    }

    deinit { stop() }

    /// Call before the system handles the event.
    public func begins(_ event: Event, at now: Moment) {
        guard file.isOpen else { return }
        write(Recording.Line(t: now, event: event))
        count += 1
    }

    /// Call after the system handled the event, with its effects and the new state.
    public func ended(_ effects: [Effect], _ system: System) {
        guard file.isOpen else { return }
        do {
            if !effects.isEmpty { write(Recording.Line(effects: try Digest(of: effects))) }
            if count % Recording.stride == 0 {
                write(Recording.Line(after: count, digest: try Digest(of: system)))
            }
        } catch {
            stop("the state cannot be written as JSON: \(error)")
        }
    }

    /// Ends the recording with the whole state. Further calls do nothing.
    public func finish(_ system: System) {
        guard file.isOpen else { return }
        do {
            write(Recording.Line(end: .init(events: count, state: try JSON(encoding: system))))
            stop()
        } catch {
            stop("the state cannot be written as JSON: \(error)")
        }
    }

    private func write(_ line: Recording.Line) {
        do {
            var bytes = try JSON.bytes(line)
            bytes.append(UInt8(ascii: "\n"))
            write(bytes)
        } catch {
            stop("an event cannot be written as JSON: \(error)")
        }
    }

    private func write(_ bytes: [UInt8]) {
        var done = 0
        let number = file.number
        while done < bytes.count, file.isOpen {
            let written = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress! + done, bytes.count - done) }
            if written > 0 {
                done += written
            } else if errno != EINTR {
                stop(String(cString: strerror(errno)))
            }
        }
    }

    private func stop(_ reason: String? = nil) {
        if let reason, failure == nil { failure = reason }
        file.close()
    }
}
