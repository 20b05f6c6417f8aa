import CDescriptors
import Glibc

/// An owned file descriptor. It is closed once, when its owner is destroyed or calls `close`.
///
/// The default is `none`, never descriptor 0. One ledger lists all owned descriptors, including those of the C
/// adapters (`Descriptors.report`). If other code closed the descriptor in the meantime, it is left alone, because
/// its number may have a new owner.
public struct Descriptor: ~Copyable {
    private var owned: owned_fd

    /// Takes ownership of a system call's result. A negative number becomes `none`. `owner` names the owner in
    /// reports.
    public init(_ number: Int32, owner: StaticString) {
        // The text of a `StaticString` is NUL-terminated and lives as long as the process.
        owned = owned_fd_take(number, UnsafeRawPointer(owner.utf8Start).assumingMemoryBound(to: CChar.self))
    }

    private init() { owned = owned_fd() }

    /// No descriptor.
    public static var none: Descriptor { Descriptor() }

    /// The number for system calls; -1 for `none`.
    public var number: Int32 { owned_fd_number(owned) }

    public var isOpen: Bool { owned_fd_is_open(owned) }

    /// Further calls do nothing.
    public mutating func close() { owned_fd_close(&owned) }

    deinit {
        var owned = owned
        owned_fd_close(&owned)
    }
}
