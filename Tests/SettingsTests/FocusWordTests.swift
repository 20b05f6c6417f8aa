import Notices
import Testing

@testable import Settings

@Suite struct FocusWordTests {
    @Test(
        "S-07: times of a focus in the configuration",
        arguments: [
            ("mon-fri 09:00-17:00", FocusTime(days: [0, 1, 2, 3, 4], from: 540, to: 1020)), ("22:00-07:00", FocusTime(from: 1320, to: 420)),
            ("sat,sun 00:00-23:59", FocusTime(days: [5, 6], from: 0, to: 1439)),
            ("fri-mon 10:00-11:00", FocusTime(days: [0, 4, 5, 6], from: 600, to: 660)),
        ])
    func times(text: String, time: FocusTime) { #expect(FocusWords.time(text) == time) }

    @Test(
        "S-07: what is no time is refused",
        arguments: [
            "", "9-17", "09:00", "09:00-09:00", "24:00-25:00", "mon 09:60-10:00", "moon 09:00-10:00", "mon- 09:00-10:00",
            "mon 1 09:00-10:00", "-1:00-02:00",
        ])
    func odd(text: String) { #expect(FocusWords.time(text) == nil) }

    @Test("S-07: focuses and summaries are read, and a mistake names its place")
    func file() throws {
        let text = """
            [notifications]
            summary = ["08:00", "18:30"]
            [notifications.focus.Work]
            apps = ["mail"]
            people = ["Anna"]
            times = ["mon-fri 09:00-17:00"]
            urgent = false
            """
        let wishes = try Settings.parse(text, file: "x").notifications
        #expect(wishes.summary == [480, 1110])
        let work = try #require(wishes.focuses?.first)
        #expect(work.name == "Work" && work.apps == ["mail"] && work.people == ["Anna"] && !work.letsUrgentThrough && work.times.count == 1)
        for bad in [
            "summary = [\"8\"]", "focus.off = {}", "focus.\"3\" = {}", "focus.A = { times = [\"noon\"] }", "focus.A = { who = [] }",
        ] {
            #expect(throws: SettingsError.self, "\(bad)") { try Settings.parse("[notifications]\n" + bad, file: "x") }
        }
        do throws(SettingsError) {
            _ = try Settings.parse("[notifications]\nfocus.off = {}", file: "x")
            Issue.record("a focus is named off")
        } catch {
            #expect("\(error)".contains("a focus cannot have the name \"off\""), "\(error)")
        }
    }
}
