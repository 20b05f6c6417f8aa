import CWlroots
import Stage

/// The uses of memory by kind, and the memory that the shell can free.
extension Compositor {
    /// Protocol objects of all clients.
    public var clientObjects: Int { counts?.objects ?? 0 }

    /// Frees pictures that are out of sight: the shell's own, and those of windows that were shown small.
    public func freePictures() {
        images.rest()
        mw_free_pictures(server)
    }

    /// The bytes of pictures, and how many of them lie in a file.
    public var pictureMemory: (own: [PictureMemory.Kind: Int], stored: Int, windows: mw_picture_memory) {
        var windows = mw_picture_memory()
        mw_server_picture_memory(server, &windows)
        return (images.bytesByKind, storedBytes, windows)
    }

    /// Bytes of copied content that the shell keeps.
    public var copiedBytes: Int { routing?.copied?.bytes ?? 0 }
}
