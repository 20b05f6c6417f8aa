import CWlroots
import Glibc
import LinuxLibrary
import Seat

/// The keymap of a virtual keyboard. wlroots gets a private copy, or the client is disconnected.
enum VirtualKeymap {
    /// Copies the keymap to a file of our own, which cannot change while it is read and ends with a NUL. Throws the
    /// reason if the keymap is refused.
    fileprivate static func copy(_ fd: Int32, size: Int) throws(Refused) -> Int32 {
        var file = stat()
        guard (1...KeymapText.longest).contains(size), fstat(fd, &file) == 0, file.st_mode & S_IFMT == S_IFREG else {
            throw Refused(text: wrongFile)
        }
        var text = [UInt8](repeating: 0, count: size)
        guard pread(fd, &text, size - 1, 0) > 0 else { throw Refused(text: wrongFile) }
        if let wrong = KeymapText.refusal(of: text) { throw Refused(text: wrong) }
        let copy = memfd_create("keymap", MFD_CLOEXEC)
        guard copy >= 0 else { throw Refused(text: noMemory) }
        guard write(copy, text, size) == size else {
            close(copy)
            throw Refused(text: noMemory)
        }
        return copy
    }

    fileprivate struct Refused: Error {
        var text: String
    }

    private static let wrongFile = "it must be a file that is not empty, and of at most 262144 bytes"
    private static let noMemory = "there is no memory for it"
}

/// Called before wlroots handles the request. wlroots maps the file and reads it as a string without checking its
/// length or its end.
func keymapOfVirtualKeyboard(_ message: UnsafePointer<wl_protocol_logger_message>) {
    guard message.pointee.arguments_count >= 3, let resource = message.pointee.resource else { return }
    let arguments = UnsafeMutablePointer(mutating: message.pointee.arguments!)
    let fd = arguments[1].h, client = wl_resource_get_client(resource)
    countKeymap(of: client)
    guard wl_resource_get_user_data(resource) != nil else {
        // wlroots ignores a keyboard whose seat is gone, and leaks the descriptor.
        close(fd)
        arguments[1].h = -1
        return
    }
    let instead: Int32
    do throws(VirtualKeymap.Refused) {
        instead = try VirtualKeymap.copy(fd, size: Int(arguments[2].u))
    } catch {
        // If wlroots cannot map the file, it reports a lack of memory.
        mw_post_implementation_error(client, "the keymap is refused: \(error.text)")
        instead = open("/dev/null", O_WRONLY | O_CLOEXEC)
    }
    guard instead >= 0 else {
        // The process is out of descriptors. wlroots then has no file to map.
        close(fd)
        arguments[1].h = -1
        return
    }
    dup3(instead, fd, O_CLOEXEC)
    close(instead)
}
