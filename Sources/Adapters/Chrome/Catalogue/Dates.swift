import Status

/// Days of the calendar in the words of each language.
enum Dates {
    static func words(_ day: CalendarDay, _ language: Language) -> String {
        switch language {
        case .english: "\(english[day.weekday]), \(months[day.month - 1]) \(day.day)"
        case .korean: "\(day.month)월 \(day.day)일 \(korean[day.weekday])"
        case .japanese: "\(day.month)月\(day.day)日 \(japanese[day.weekday])"
        }
    }

    private static let english = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]
    private static let korean = ["일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"]
    private static let japanese = ["日曜日", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日"]
}
