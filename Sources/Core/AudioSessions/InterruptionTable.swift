/// The effects of a sound that starts while another one plays (A-15 to A-19, A-22, A-26). Rows are the incumbents,
/// columns the newcomers. `AudioSessions.cell(of:under:)` then applies the options of both sessions.
public enum InterruptionTable {
    public enum Cell: String, CaseIterable, Hashable, Codable, Sendable {
        // MARK: Effects on the incumbent
        case mix = "M"
        /// Ducked by 14 dB.
        case duck = "D"
        /// Ducked by 35 dB.
        case duckStrongly = "d"
        /// Interrupted; it may resume afterwards.
        case pause = "P"
        /// Interrupted; only its app may open the microphone again.
        case pauseForGood = "Pm"
        /// Interrupted without resuming.
        case stop = "X"
        /// Interrupted without resuming, unless the newcomer deactivates and notifies others.
        case stopUnlessNotified = "X°"
        /// Interrupted; it resumes by itself.
        case suspend = "A"
        /// Cut off.
        case cut = "C"

        // MARK: Effects on the newcomer; the incumbent stays unchanged
        case startDucked = "i"
        case startStronglyDucked = "id"
        case wait = "W"
        case refuse = "R"
        case startSilent = "N"

        // MARK: Conditional cells
        /// `stop` if the user started the newcomer, else `refuse`.
        case stopOrRefuse = "X/R"
        /// `startSilent` if the incumbent prefers no interruptions, else `pause`.
        case silentOrPause = "N/P"
    }

    public static let columns: [SoundKind] = [
        .music, .podcast, .gameSolo, .gameAmbient, .prompt, .alarm, .callRinging, .callActive, .recording, .notification, .video,
        .screenReader, .click, .unknown,
    ]

    public static let rows: [(kind: SoundKind, cells: String)] = [
        //                mus  pod  solo amb  nav  alrm ring call rec  ntf  vid  a11y clk  unk
        (.music, " X    X    X°   M    D    P    P    P    P    D    X°   D    M    M  "),
        (.podcast, " X    X    X°   M    P    P    P    P    P    D    X°   D    M    M  "),
        (.gameSolo, " A    A    X°   M    D    A    A    A    A    D    A    D    M    M  "),
        (.gameAmbient, " M    M    M    M    D    A    A    A    A    D    M    D    M    M  "),
        (.prompt, " i    W    i    i    C    M    M    C    M    M    i    M    M    i  "),
        (.alarm, " i    i    i    i    M    C    d    C    C    M    i    D    M    i  "),
        (.callRinging, " id   id   id   id   i    id   id   d    M    i    id   D    M    id "),
        (.callActive, " id   id   id   id   i    id   id   P    R    i    id   D    M    id "),
        (.recording, " X/R  X/R  X/R  N    N    N/P  M    Pm   R    N    X/R  M    N    M  "),
        (.notification, " M    M    M    M    M    M    M    C    C    C    M    M    M    M  "),
        (.video, " X    X    X°   M    D    P    P    P    P    D    X    D    M    M  "),
        (.screenReader, " i    i    i    i    M    i    i    M    M    M    i    C    M    i  "),
        (.click, " M    M    M    M    M    M    M    M    M    M    M    M    M    M  "),
        (.unknown, " M    M    M    M    D    D    D    d    M    D    M    D    M    M  "),
    ]

    /// The cells, indexed by the ordinals of both kinds.
    private static let cells: [Cell] = {
        var cells = [Cell](repeating: .mix, count: SoundKind.count * SoundKind.count)
        for row in rows {
            let codes = row.cells.split(separator: " ")
            precondition(codes.count == columns.count, "a row of the table has \(codes.count) cells")
            for (column, code) in zip(columns, codes) {
                guard let cell = Cell(rawValue: String(code)) else { preconditionFailure("no such cell: \(code)") }
                cells[row.kind.ordinal * SoundKind.count + column.ordinal] = cell
            }
        }
        return cells
    }()

    private static let refusing: [Bool] = SoundKind.allCases.map { incumbent in
        SoundKind.allCases.contains { [.refuse, .stopOrRefuse].contains(cell(incumbent, under: $0)) }
    }

    /// Whether the incumbent refuses any newcomer.
    static func mayRefuse(_ incumbent: SoundKind) -> Bool { refusing[incumbent.ordinal] }

    public static func cell(_ incumbent: SoundKind, under newcomer: SoundKind) -> Cell {
        cells[incumbent.ordinal * SoundKind.count + newcomer.ordinal]
    }
}

extension SoundKind {
    static let count = 14

    /// The index in `allCases`.
    var ordinal: Int {
        switch self {
        case .music: 0
        case .podcast: 1
        case .gameSolo: 2
        case .gameAmbient: 3
        case .prompt: 4
        case .alarm: 5
        case .callRinging: 6
        case .callActive: 7
        case .recording: 8
        case .notification: 9
        case .video: 10
        case .screenReader: 11
        case .click: 12
        case .unknown: 13
        }
    }
}

extension InterruptionTable.Cell {
    /// How the incumbent loses its sound, if it does.
    var loss: Loss.Kind? {
        switch self {
        case .pause: .resumable
        case .pauseForGood: .forGood
        case .stop: .nonresumable
        case .stopUnlessNotified: .unlessNotified
        case .suspend: .automatic
        default: nil
        }
    }

    var incumbentDuck: Duck.Strength? {
        switch self {
        case .duck: .light
        case .duckStrongly: .strong
        default: nil
        }
    }

    var newcomerDuck: Duck.Strength? {
        switch self {
        case .startDucked: .light
        case .startStronglyDucked: .strong
        case .startSilent: .silent
        default: nil
        }
    }
}
