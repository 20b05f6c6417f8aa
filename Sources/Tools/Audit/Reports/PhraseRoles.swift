extension Phrase {
    /// The media role of a sound that the audit plays.
    static func sound(role: String) -> Words {
        switch role {
        case "Phone": Words(role, ko: "전화", ja: "電話")
        case "Alarm": Words(role, ko: "알람", ja: "アラーム")
        case "Announcement": Words(role, ko: "안내 음성", ja: "音声案内")
        default: Words(role, ko: role, ja: role)
        }
    }
}
