import CWlroots
import Stage

/// What memory is used for, and what can be given back.
extension Compositor {
    /// Protocol objects of all clients.
    public var clientObjects: Int { counts?.objects ?? 0 }

    /// Frees pictures that nobody sees: the shell's own, and those of windows that were shown small.
    public func freePictures() {
        images.rest()
        mw_free_pictures(server)
    }

    /// What pictures take, and how much of it lies in a file.
    public var pictureMemory: (own: [PictureMemory.Kind: Int], stored: Int, windows: mw_picture_memory) {
        var windows = mw_picture_memory()
        mw_server_picture_memory(server, &windows)
        return (images.bytesByKind, storedBytes, windows)
    }

    /// Bytes of what was copied that the shell keeps.
    public var copiedBytes: Int { routing?.copied?.bytes ?? 0 }
}
