import Geometry

/// Quick look at files (W-18): one file in front, its neighbours beside it, and how the front one is scrolled and
/// zoomed. A value without pictures: the drawing code asks `placements` for the places.
public struct QuickLook: Hashable, Sendable {
    /// The known content of a file.
    public enum Content: Hashable, Sendable {
        /// Nothing yet.
        case waiting
        /// A message, or a sound or video that another program plays: fills the area, and neither scrolls nor zooms.
        case notice
        /// One picture of this size in points.
        case picture(Size)
        /// Pages from top to bottom, by their sizes in points.
        case pages([Size])
        /// Pieces of a text, laid out for the width that `textWidth` gave, without gaps.
        case text([Size])
    }

    /// A page or picture on the window. Page 0 of a notice stands for the whole area.
    public struct Placement: Hashable, Sendable {
        public var file: Int
        public var page: Int
        public var frame: Rect

        public init(file: Int, page: Int, frame: Rect) {
            self.file = file
            self.page = page
            self.frame = frame
        }
    }

    struct File: Hashable, Sendable {
        var content = Content.waiting
        /// Of the pages, at zoom 1, from the top left of the content.
        var frames: [Rect] = []
        var extent = Size.zero
    }

    public static let mostZoom = 8.0
    /// Height of the bar with the file's name.
    public static let barHeight = 64.0
    /// Between two files, and around the pages of a document.
    static let gap = 12.0
    static let margin = 12.0

    /// The size of the window.
    public private(set) var size: Size
    var files: [File]
    public internal(set) var front = 0
    /// How far the front file stands right of its place.
    var slide = Animated(0)
    /// How far the front file has been pulled down to close the window.
    var drop = Animated(0)
    var zoom = Animated(1)
    /// The place of the content's top left corner in the area.
    var left = Animated(0)
    var top = Animated(0)
    var touch = Touch.none
    var fingers: [Int: Point] = [:]
    var tracker = VelocityTracker()
    /// The last tap, until it is too old for a double tap.
    var tapped: Tap?
    /// A person wants the window closed.
    public internal(set) var isDone = false

    public init(count: Int, size: Size) {
        files = Array(repeating: File(), count: max(1, count))
        self.size = size
    }

    public var count: Int { files.count }

    /// Where files are shown: the window below the bar.
    public var area: Rect { Rect(0, Self.barHeight, size.width, max(1, size.height - Self.barHeight)) }

    /// The width that texts are laid out for, in points.
    public var textWidth: Double { max(120, min(size.width - 2 * Self.margin, 760)) }

    public func content(of file: Int) -> Content { files.indices.contains(file) ? files[file].content : .waiting }

    // MARK: Content

    /// - Parameter content: with text laid out for the present `textWidth`.
    public mutating func show(_ content: Content, of file: Int, at now: Moment) {
        guard files.indices.contains(file), files[file].content != content else { return }
        let hadPages = !files[file].frames.isEmpty
        files[file].content = content
        arrange(file)
        guard file == front else { return }
        if hadPages {
            left.set(bounded(left.value(at: now), horizontally: true))
            top.set(bounded(top.value(at: now), horizontally: false))
        } else {
            rest()
        }
    }

    public mutating func resize(_ new: Size, at now: Moment) {
        guard new != size, !new.isEmpty else { return }
        let before = files[front].extent, wasAt = top.value(at: now), middle = area.height / 2
        size = new
        for file in files.indices { arrange(file) }
        let after = files[front].extent
        // The middle of the window shows the same content as before.
        if before.height > 0 {
            let share = (middle - wasAt) / (before.height * zoom.value(at: now))
            top.set(area.height / 2 - share * after.height * zoom.value(at: now))
        }
        zoom.set(min(max(zoom.value(at: now), 1), Self.mostZoom))
        left.set(bounded(left.value(at: now), horizontally: true))
        top.set(bounded(top.value(at: now), horizontally: false))
        slide.set(0)
        drop.set(0)
        touch = .none
    }

    /// Where the pages of a file stand at zoom 1.
    private mutating func arrange(_ index: Int) {
        var file = files[index]
        let area = Size(area.width, area.height)
        switch file.content {
        case .waiting, .notice:
            file.frames = []
            file.extent = area
        case .picture(let natural):
            let room = Rect(0, 0, area.width, area.height)
            file.frames = [Rect(origin: .zero, size: room.fitting(natural).size)]
            file.extent = file.frames[0].size
        case .pages(let sizes):
            let widest = max(1, sizes.reduce(0) { max($0, $1.width) })
            // A page as wide as the window, but no poster of a business card.
            let scale = min(max(40, area.width - 2 * Self.margin) / widest, 1.6)
            (file.frames, file.extent) = Self.column(sizes, scale: scale, gap: Self.gap, margin: Self.margin)
        case .text(let sizes):
            (file.frames, file.extent) = Self.column(sizes, scale: 1, gap: 0, margin: Self.margin)
        }
        files[index] = file
    }

    private static func column(_ sizes: [Size], scale: Double, gap: Double, margin: Double) -> ([Rect], Size) {
        let widest = sizes.reduce(0) { max($0, $1.width) } * scale
        var frames: [Rect] = [], y = margin
        frames.reserveCapacity(sizes.count)
        for size in sizes {
            let own = size * scale
            frames.append(Rect((margin + (widest - own.width) / 2).rounded(), y.rounded(), own.width, own.height))
            y += own.height + gap
        }
        return (frames, Size(widest + 2 * margin, y - (sizes.isEmpty ? 0 : gap) + margin))
    }

    /// The front file as it stands when it comes to the front.
    mutating func rest() {
        zoom.set(1)
        left.set(bounded(0, horizontally: true))
        top.set(bounded(0, horizontally: false))
    }

    /// Whether anything moves without a finger.
    public func isMoving(at now: Moment) -> Bool {
        ![slide, drop, zoom, left, top].allSatisfy { $0.isSettled(at: now) }
    }

    public func zoom(at now: Moment) -> Double { zoom.value(at: now) }

    /// Everything that is in the window, from the left.
    public func placements(at now: Moment) -> [Placement] {
        let shift = slide.value(at: now), step = size.width + Self.gap
        var all: [Placement] = []
        for file in max(0, front - 1)...min(files.count - 1, front + 1) {
            let x = shift + Double(file - front) * step
            guard x < size.width, x > -size.width else { continue }
            let isFront = file == front
            let scale = isFront ? zoom.value(at: now) : 1
            let area = area.offset(by: Vector(x, isFront ? drop.value(at: now) : 0))
            guard !files[file].frames.isEmpty else {
                all.append(Placement(file: file, page: 0, frame: area))
                continue
            }
            let origin =
                isFront
                ? Vector(left.value(at: now), top.value(at: now))
                : Vector(
                    standing(files[file].extent.width, area.width, centred: true),
                    isTall(file) ? 0 : standing(files[file].extent.height, area.height, centred: true))
            // Pages stand in order, so those in sight are found by halving: a book has thousands.
            let frames = files[file].frames
            func place(_ page: Int) -> Rect {
                let r = frames[page]
                return Rect(area.x + origin.dx + r.x * scale, area.y + origin.dy + r.y * scale, r.width * scale, r.height * scale)
            }
            var low = 0, high = frames.count
            while low < high {
                let middle = (low + high) / 2
                if place(middle).maxY <= self.area.minY { low = middle + 1 } else { high = middle }
            }
            for page in low..<frames.count {
                let frame = place(page)
                if frame.minY >= size.height { break }
                all.append(Placement(file: file, page: page, frame: frame))
            }
        }
        return all
    }

    /// A page at zoom 1, from the top left of the content.
    public func frame(of file: Int, page: Int) -> Rect? {
        files.indices.contains(file) && files[file].frames.indices.contains(page) ? files[file].frames[page] : nil
    }

    public func firstFrame(of file: Int) -> Rect? { frame(of: file, page: 0) }

    /// The page in the middle of the window, from 0, and how many there are. nil for what has no pages.
    public func page(at now: Moment) -> (number: Int, count: Int)? {
        guard case .pages(let sizes) = files[front].content else { return nil }
        let middle = area.center.y
        let seen = placements(at: now).filter { $0.file == front }
        let nearest = seen.min { abs($0.frame.center.y - middle) < abs($1.frame.center.y - middle) }
        return (nearest?.page ?? 0, sizes.count)
    }

    // MARK: Where the content may stand

    func isTall(_ file: Int) -> Bool { files[file].extent.height > area.height + 0.5 }

    private func standing(_ extent: Double, _ room: Double, centred: Bool) -> Double {
        centred && extent < room ? ((room - extent) / 2).rounded() : 0
    }

    /// Where the content may stand at this zoom along one axis: from, to.
    func range(horizontally: Bool, zoom: Double) -> ClosedRange<Double> {
        let extent = (horizontally ? files[front].extent.width : files[front].extent.height) * zoom
        let room = horizontally ? area.width : area.height
        if extent <= room {
            let middle = standing(extent, room, centred: true)
            return middle...middle
        }
        return (room - extent)...0
    }

    func bounded(_ value: Double, horizontally: Bool, zoom: Double? = nil) -> Double {
        let range = range(horizontally: horizontally, zoom: zoom ?? self.zoom.target)
        return min(max(value, range.lowerBound), range.upperBound)
    }

    /// Brings the content back to where it may stand.
    mutating func settle(at now: Moment) {
        zoom.retarget(min(max(zoom.target, 1), Self.mostZoom), at: now, spring: .layout)
        left.retarget(bounded(left.target, horizontally: true), at: now, spring: .layout)
        top.retarget(bounded(top.target, horizontally: false), at: now, spring: .layout)
    }
}

/// A number pulled beyond its range follows less and less, and never by more than `give`.
func pulled(_ value: Double, in range: ClosedRange<Double>, give: Double) -> Double {
    func beyond(_ distance: Double) -> Double { give * (1 - 1 / (distance * 0.55 / give + 1)) }
    if value < range.lowerBound { return range.lowerBound - beyond(range.lowerBound - value) }
    if value > range.upperBound { return range.upperBound + beyond(value - range.upperBound) }
    return value
}
