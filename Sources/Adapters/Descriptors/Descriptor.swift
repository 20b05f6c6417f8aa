import CDescriptors
import Glibc

/// A file descriptor that somebody owns: it is closed once, when its owner goes or says so.
///
/// The default is `none`, never descriptor 0. All owned descriptors, those of the C adapters as well, stand in one
/// ledger (`Descriptors.report`). A descriptor that somebody else closed meanwhile is left alone, because by now
/// its number may be another owner's.
public struct Descriptor: ~Copyable {
    private var owned: owned_fd

    /// Takes what a system call returned; a negative number is `none`. `owner` says in a report whose it is.
    public init(_ number: Int32, owner: StaticString) {
        // The text of a `StaticString` lives as long as the program and ends with a NUL.
        owned = owned_fd_take(number, UnsafeRawPointer(owner.utf8Start).assumingMemoryBound(to: CChar.self))
    }

    private init() { owned = owned_fd() }

    /// No descriptor.
    public static var none: Descriptor { Descriptor() }

    /// What system calls take; -1 for `none`.
    public var number: Int32 { owned_fd_number(owned) }

    public var isOpen: Bool { owned_fd_is_open(owned) }

    /// Nothing happens the second time.
    public mutating func close() { owned_fd_close(&owned) }

    deinit {
        var owned = owned
        owned_fd_close(&owned)
    }
}
