extension Notices {
    /// Violations of the invariants that hold after every event; empty if there is none.
    func violations() -> [String] {
        var out: [String] = []
        let nameless = index.nameless ?? NoticeIndex.Held()
        if all.count - nameless.count > bounds.count || nameless.count > bounds.nameless { out.append("\(all.count) notifications") }
        for (id, notice) in all {
            if notice.content != notice.content.confined { out.append("P-06: \(id) says more than its sender may") }
            if id != notice.id || id.raw == 0 || id.raw > last { out.append("\(id) is not what it says") }
            if notice.sender == nil, notice.schedule == nil, !notice.content.buttons.allSatisfy(notice.content.outlives) {
                out.append("\(id) has buttons for nobody")
            }
        }
        out += indexViolations()
        for (key, schedule) in schedules where key != schedule.key { out.append("a schedule has another one's key") }
        return out
    }
}
