import CWlroots
import Glibc
import LinuxLibrary
import Seat

/// The keymap that a virtual keyboard brings: wlroots gets a copy that nobody changes any more, or nothing and the client ends.
enum VirtualKeymap {
    /// A file of our own with the same content: nobody changes it while it is read, and it ends with a NUL. Throws why it is refused.
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

/// Before wlroots handles the request: it maps the file and reads it as a string, whatever its length is and whether it ends.
func keymapOfVirtualKeyboard(_ message: UnsafePointer<wl_protocol_logger_message>) {
    guard message.pointee.arguments_count >= 3, let resource = message.pointee.resource else { return }
    let arguments = UnsafeMutablePointer(mutating: message.pointee.arguments!)
    let fd = arguments[1].h, client = wl_resource_get_client(resource)
    countKeymap(of: client)
    guard wl_resource_get_user_data(resource) != nil else {
        // wlroots does nothing for a keyboard whose seat is gone, and forgets the descriptor.
        close(fd)
        arguments[1].h = -1
        return
    }
    let instead: Int32
    do throws(VirtualKeymap.Refused) {
        instead = try VirtualKeymap.copy(fd, size: Int(arguments[2].u))
    } catch {
        // wlroots would call it a lack of memory when it cannot map the file.
        mw_post_implementation_error(client, "the keymap is refused: \(error.text)")
        instead = open("/dev/null", O_WRONLY | O_CLOEXEC)
    }
    guard instead >= 0 else {
        // No descriptors are left. wlroots then has nothing that it could map.
        close(fd)
        arguments[1].h = -1
        return
    }
    dup3(instead, fd, O_CLOEXEC)
    close(instead)
}
