import Glibc
import PixbufLibrary

/// librsvg, loaded for the first vector graphic. It is larger than all other libraries of the shell.
struct VectorLibrary {
    typealias Failure = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>
    /// An `RsvgRectangle`: x, y, width, height.
    typealias Box = (Double, Double, Double, Double)

    typealias Read = @convention(c) (UnsafePointer<UInt8>, gsize, Failure) -> OpaquePointer?
    typealias Measure = @convention(c) (OpaquePointer, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>) -> gboolean
    /// The box is a pointer to a `Box`.
    typealias Render = @convention(c) (OpaquePointer, OpaquePointer?, UnsafeRawPointer, Failure) -> gboolean

    /// `rsvg_handle_new_from_data`
    let read: Read
    /// `rsvg_handle_get_intrinsic_size_in_pixels`
    let size: Measure
    /// `rsvg_handle_render_document`
    let render: Render

    /// nil if it is not installed.
    static let loaded = VectorLibrary()

    private init?() {
        guard let library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL), let read = dlsym(library, "rsvg_handle_new_from_data"),
            let size = dlsym(library, "rsvg_handle_get_intrinsic_size_in_pixels"),
            let render = dlsym(library, "rsvg_handle_render_document")
        else { return nil }
        self.read = unsafeBitCast(read, to: Read.self)
        self.size = unsafeBitCast(size, to: Measure.self)
        self.render = unsafeBitCast(render, to: Render.self)
    }
}
