import Windows

/// The look of a person's own shell, as far as the greeter takes it over for the person of the last login. It comes from a file that the
/// person can write, so it is only what changes nothing but the look.
public enum GreeterLook {
    /// As many parts as there are, and some more.
    public static let most = 16

    public static func takes(_ choice: Choice) -> Bool {
        guard choice.isPossible else { return false }
        switch choice {
        case .darkAppearance, .reducedMotion, .textSize, .increasedContrast, .reducedTransparency, .accent, .language, .direction,
            .input(.layouts):
            return true
        // A picture of a person would be read by the greeter: those of the system alone.
        case .wallpaper(let wallpaper): return !wallpaper.hasPrefix("/") || isOfSystem(wallpaper)
        default: return false
        }
    }

    /// Whether a file belongs to the system, so that no person can change it.
    public static func isOfSystem(_ path: String) -> Bool {
        path.hasPrefix("/usr/share/") && !path.split(separator: "/").contains("..")
    }
}
