import Stage
import Windows

/// When the session is locked, and the keys for it.
extension Views {
    var lockSettings: [Setting] {
        let lock = facts.lock, minutes = lock.after / 60
        let usual = [0.0, 1, 2, 5, 10, 15, 30, 60], all = usual.contains(minutes) ? usual : (usual + [minutes]).sorted()
        var after = Setting(
            key: "lock-after", page: .lock, title: .message(.lockAfter),
            kind: .names(
                all.map { ($0 == 0 ? "never" : Setting.text($0), $0 == 0 ? .message(.never) : .verbatim("\(Setting.text($0)) min")) },
                other: "minutes without use, up to 1440"),
            value: .name(minutes == 0 ? "never" : Setting.text(minutes)), fixes: .lockAfter, choice: "lock-after"
        ) { .choose(.lock(.after($0.text == "never" ? 0 : Double($0.text) ?? 0))) }
        after.objection = { text in
            text == "never" || Double(text).map { LockPreferences.delays.contains($0) } ?? false
                ? nil : "lock-after: \"never\", or minutes up to 1440"
        }
        return [
            after, flag("lock-on-sleep", .lock, .lockOnSleep, lock.onSleep, .lockOnSleep, "lock-on-sleep") { .choose(.lock(.onSleep($0))) },
            flag("lock-power-button", .lock, .lockPowerButton, lock.powerButton, .lockPowerButton, "lock-power-button") {
                .choose(.lock(.powerButton($0)))
            },
            Setting(
                key: "lock-keys", page: .lock, title: .message(.lockKeys),
                kind: .names([
                    ("auto", .message(.automatic)), ("digits", .message(.showDigits)), ("letters", .message(.showLetters)),
                    ("none", .message(.lockKeysNone)),
                ]), value: .name(lock.keys.rawValue), fixes: .lockKeys, choice: "lock-keys"
            ) { .choose(.lock(.keys(LockKeys(rawValue: $0.text) ?? .auto))) },
        ]
    }
}
