import Chrome

/// The files that wait to be painted, in their order (P-06). The painter paints the first one now, if it is at work.
///
/// A file that takes too long gets a second try, with more time, after all others. That try makes way for every file that comes meanwhile,
/// so that no sender waits long for another sender's slow file.
struct PaintLine {
    /// The most seconds for one file at the first try, and at the second.
    static let patience = 5.0, patienceOfPicture = 2.0, secondPatience = 20.0

    private(set) var files: [IconFile] = []
    /// Files that took too long once.
    private(set) var late: Set<IconFile> = []
    /// Whether the first one is being painted.
    var isAtWork = false

    var first: IconFile? { files.first }

    /// Returns whether the one that is being painted has to stop: it comes again later.
    mutating func add(_ file: IconFile) -> Bool {
        guard !files.contains(file) else { return false }
        // Only one thing plays at a time, so no view waits for earlier artwork.
        if file.kind == .artwork {
            let present = isAtWork ? files.first : nil
            files.removeAll { $0.kind == .artwork && $0 != present }
        }
        let makesWay = isAtWork && files.first.map(late.contains) ?? false
        if makesWay { files.append(files.removeFirst()) }
        // Icons come before artwork, which any program may change all the time. Late files come last.
        let rest = files.dropFirst(isAtWork && !makesWay ? 1 : 0)
        files.insert(file, at: rest.firstIndex { late.contains($0) || (file.kind != .artwork && $0.kind == .artwork) } ?? files.endIndex)
        return makesWay
    }

    /// The seconds that the first one may take.
    var patience: Double {
        guard let file = files.first else { return 0 }
        return late.contains(file) ? PaintLine.secondPatience : file.kind == .picture ? PaintLine.patienceOfPicture : PaintLine.patience
    }

    /// The first one is painted, or cannot be.
    mutating func end() -> IconFile {
        isAtWork = false
        let file = files.removeFirst()
        late.remove(file)
        return file
    }

    /// The first one takes too long. Returns whether it gets another try, after the others. Artwork gets only one, because a slow start of
    /// the machine does not affect it.
    mutating func isTooLong() -> Bool {
        guard let file = files.first, !late.contains(file), file.kind != .artwork else { return false }
        late.insert(file)
        files.append(files.removeFirst())
        return true
    }

    mutating func forget() {
        files.removeAll()
        late.removeAll()
    }
}
