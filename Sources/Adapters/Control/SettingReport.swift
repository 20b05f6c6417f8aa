import Geometry
import Interface
import Multitasking

/// Answer to `get settings`: every setting, as the screen shows them.
public struct SettingReport: Codable, Hashable, Sendable {
    /// The name for `setting`. The configuration file has the same one, if it can fix it.
    public var key: String
    /// The page on which it stands.
    public var page: String
    /// As a script writes it.
    public var value: String
    /// The texts that it can be set to.
    public var allowed: String
    /// The key and the line of the configuration file that fix it; missing: a person may choose.
    public var fixedBy: String?

    init(_ setting: Setting, _ views: Views) {
        key = setting.key
        page = setting.page.rawValue
        value = setting.value.text
        allowed = setting.allowed
        fixedBy = views.line(fixing: setting).map { $0.line > 0 ? "\($0.key), line \($0.line)" : $0.key }
    }

    /// Without a screen there are none.
    static func all(_ system: System, at now: Moment) -> [SettingReport] {
        guard let views = system.views(at: now) else { return [] }
        return views.settings.map { SettingReport($0, views) }
    }
}
