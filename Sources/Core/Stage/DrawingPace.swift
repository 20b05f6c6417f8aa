/// How much the shell draws at most in one frame, and when it draws coarser so that the frame is not late. The loops over pixels
/// follow these numbers, and decide nothing else. Times are in nanoseconds, areas in pixels of the screen.
public enum DrawingPace {
    // MARK: Pictures that are shown small

    /// The time per frame for averaging windows into small pictures, measured on the thread.
    public static let averaging: Int64 = 2_500_000
    /// The same while large windows are drawn scaled, which takes most of the frame by itself: so much less for each of their
    /// pixels, but at least this.
    public static let unreducedCost: Int64 = 2, leastAveraging: Int64 = 700_000
    /// The time for averaging one window for a screenshot, which waits for it.
    public static let captureAveraging: Int64 = 300_000_000
    /// The least time between two pictures of one window. The picture of a window that shrinks is made coarser after four times as long.
    public static let betweenPictures: Int64 = 66_000_000
    /// A scaled window with more pixels takes most of a frame. Meanwhile, the first picture of another window may wait so long.
    public static let heavyArea: Int64 = 1_200_000, deferred: Int64 = 250_000_000
    /// A window with more pixels of its own is a plain area until its turn comes. A smaller one is drawn without a filter.
    public static let plainArea: Int64 = 2_000_000
    /// A picture that was not used for so long gives its memory back.
    public static let unusedAfter: Int64 = 10_000_000_000

    // MARK: Movement

    /// If more pixels move, they are drawn without a filter: that would take longer than the rest of the frame. Tablets whose pixels a
    /// person can see have fewer in all. From `fineScale` on, half as many.
    public static let roughArea: Int64 = 1_200_000, fineScale = 1.5

    // MARK: Buffers of clients

    /// Nanoseconds for which the shell paints after a program read the screen, or the device refused a client's buffer. Then it tries
    /// again to show a buffer as it is.
    public static let scanOutPause: Int64 = 1_000_000_000
    /// Pages of a window out of sight are given back after so long, so that switching back and forth costs nothing.
    public static let pagesKept: Int64 = 400_000_000
    /// Memory of closed windows is unmapped so long after the last of them, at the latest so long after the first; then so many
    /// in each turn of the loop. More than `unmappedMost` are not deferred.
    public static let unmapDelay: Int64 = 4_000_000, unmapLatest: Int64 = 40_000_000, unmapAtOnce: UInt32 = 8
    /// More than one read of requests can hold, and few enough that no client can pile up memory.
    public static let unmapMost: UInt32 = 256
}
