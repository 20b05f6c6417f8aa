import Descriptors
import Geometry
import Glibc
import Multitasking
import Processes

/// Writes a session's events to a file, from which `Replay` reaches the same state.
///
/// An event is in the file before it is handled, so that a crash loses nothing and the last line shows what led to it.
/// A write goes to the kernel's memory and not to the disk; if it fails the recording ends there and the shell goes on.
public final class Recorder {
    /// Why the recording ended early.
    public private(set) var failure: String?
    /// Events written.
    public private(set) var count = 0

    private var file: Descriptor

    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public var description: String
    }

    /// Makes the file, for this user alone (0600), in place of one that was there. Throws why it cannot be written.
    /// `version`: of the program. `system`: as it is before the first event that is recorded.
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

    /// Call it before the system handles the event.
    public func begins(_ event: Event, at now: Moment) {
        guard file.isOpen else { return }
        write(Recording.Line(t: now, event: event))
        count += 1
    }

    /// Call it after the system has handled the event: what it caused, and the system as it is now.
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

    /// The session is over: the whole state, and the end of the file. Nothing happens the second time.
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
