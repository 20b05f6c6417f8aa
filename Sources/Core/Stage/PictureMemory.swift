/// How much memory the shell keeps for pictures that are out of sight, and when it gives memory back. Adapters compare with these numbers,
/// and decide nothing else. Sizes are in bytes, times in seconds.
public enum PictureMemory {
    // MARK: While a person uses the device

    /// The shell's own pictures that are not on the screen, without the last wallpaper. The oldest are freed first.
    public static let spare = 12 << 20

    /// Pictures and copies from this size on are mapped by themselves, so that all of one goes back to the kernel when it is freed. By
    /// itself the heap raises this to the largest that was freed, and then keeps the room between what is left.
    public static let mappedFrom: Int32 = 128 << 10

    // MARK: At rest

    /// After windows came or went, and nothing was painted for so long, the shell gives free pages of the heap, buffers of clients and
    /// the wallpaper back.
    public static let quiet = 0.5
    /// After its own views, or windows, have not moved for so long, it gives back the pictures behind them, whatever apps draw.
    /// A person who comes back within seconds finds them ready.
    public static let calm = 10.0
    /// The part of `spare` that remains then, besides pictures in a file. Icons go last: a process of its own draws them, and a home
    /// screen without them flickers.
    public static let spareAtRest = 3 << 20

    /// The kinds of the shell's own pictures.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        case wallpaper, glass, icons, placeholders, texts, others

        /// Its pages move to a file at rest, from which the kernel can take them back: freeing it would gain nothing.
        public var goesToFile: Bool { self == .wallpaper || self == .glass }

        /// The one that was drawn last is kept: a large one takes longer to paint than a frame has, and an app that fills the screen hides
        /// it.
        public var lastStays: Bool { self == .wallpaper }

        /// Freed only after all others.
        public var isSlowToPaint: Bool { self == .icons }

        public static func of(_ art: Art) -> Kind {
            switch art {
            case .wallpaper: .wallpaper
            case .glass, .glassOver: .glass
            case .icon, .artwork, .picture: .icons
            case .placeholder: .placeholders
            case .text: .texts
            case .symbol, .outline, .arrow, .aroundDisc: .others
            }
        }
    }
}
