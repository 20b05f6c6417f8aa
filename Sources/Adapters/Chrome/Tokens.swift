import Stage
import Windows

/// A colour without premultiplied alpha. Each component is from 0 to 1.
public struct Colour4: Hashable, Sendable {
    public var red: Float
    public var green: Float
    public var blue: Float
    public var alpha: Float

    public init(_ red: Float, _ green: Float, _ blue: Float, _ alpha: Float = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    static func white(_ value: Float, _ alpha: Float = 1) -> Colour4 { Colour4(value, value, value, alpha) }

    /// The result of blending over an opaque colour.
    public func over(_ below: Colour4) -> Colour4 {
        func mix(_ above: Float, _ below: Float) -> Float { above * alpha + below * (1 - alpha) }
        return Colour4(mix(red, below.red), mix(green, below.green), mix(blue, below.blue))
    }

    /// Relative luminance as WCAG 2 defines it, from 0 to 1. Ignores the alpha.
    public var luminance: Float {
        func linear(_ value: Float) -> Float {
            value <= 0.04045 ? value / 12.92 : Float(power(Double((value + 0.055) / 1.055), 2.4))
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// WCAG's contrast between two opaque colours, from 1 to 21.
    public func contrast(to other: Colour4) -> Float {
        let one = luminance, two = other.luminance
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }
}

/// Every colour of the shell, in one place. `TokenTests` holds them to their contrast.
public enum Tokens {
    /// The colour of a fill. Fills over apps' content, and the frame around windows, are the same in both looks.
    public static func colour(of paint: Paint, _ theme: Theme) -> Colour4 {
        let dark = theme.isDark, strong = theme.increasedContrast
        return switch paint {
        case .wallpaper: Colour4(0.16, 0.20, 0.29)
        case .divider, .locked: .white(0)
        case .letterbox: Colour4(0.07, 0.07, 0.08)
        case .card: dark ? Colour4(0.17, 0.17, 0.19) : Colour4(0.95, 0.95, 0.96)
        case .cardOnLight: Colour4(0.95, 0.95, 0.96)
        case .cardOnDark: Colour4(0.17, 0.17, 0.19)
        case .pill: Colour4(0.78, 0.78, 0.80)
        case .grip: .white(dark ? 0.97 : 0.13)
        case .gripOnLight: .white(strong ? 0 : 0.13)
        case .gripOnDark: .white(strong ? 1 : 0.97)
        case .dots: dark ? Colour4(0.08, 0.08, 0.10, strong ? 1 : 0.62) : Colour4(0.97, 0.97, 0.98, strong ? 1 : 0.62)
        case .dotsOnLight: Colour4(0.97, 0.97, 0.98, strong ? 1 : 0.36)
        case .dotsOnDark: Colour4(0.08, 0.08, 0.10, strong ? 1 : 0.34)
        case .mark: strong ? .white(dark ? 1 : 0) : .white(dark ? 0.78 : 0.40)
        case .handle: Colour4(0.10, 0.10, 0.12, strong ? 1 : 0.75)
        case .preview: Colour4(0.62, 0.72, 0.95, strong ? 0.6 : 0.38)
        case .indicator: Colour4(0.5, 0.5, 0.52, strong ? 1 : 0.85)
        case .controls: Colour4(0.10, 0.10, 0.12, strong ? 1 : 0.72)
        case .scrim: dark ? .white(0, 0.62) : Colour4(0.02, 0.03, 0.06, 0.56)
        case .dock:
            dark ? Colour4(0.12, 0.12, 0.14, strong ? 1 : 0.66) : Colour4(0.96, 0.96, 0.98, strong ? 1 : 0.62)
        case .panel:
            dark ? Colour4(0.13, 0.13, 0.145) : Colour4(0.97, 0.97, 0.98)
        case .rim: dark ? .white(1, 0.16) : .white(0, 0.10)
        case .control: dark ? Colour4(0.92, 0.92, 0.98, 0.12) : Colour4(0.22, 0.22, 0.33, 0.10)
        case .pressed: dark ? .white(1, 0.10) : .white(0, 0.08)
        case .focus where theme.accent != .blue: dark ? light(theme.accent, 0.45) : base(theme.accent)
        case .focus: dark ? Colour4(0.42, 0.68, 1) : Colour4(0.05, 0.40, 0.90)
        case .accent where theme.accent != .blue: strong ? deep(theme.accent, 0.72) : base(theme.accent)
        case .accent: strong ? Colour4(0.02, 0.31, 0.72) : Colour4(0.04, 0.40, 0.88)
        case .badge: strong ? Colour4(0.67, 0.05, 0.08) : Colour4(0.82, 0.13, 0.15)
        case .separator: dark ? .white(1, strong ? 0.5 : 0.14) : .white(0, strong ? 0.5 : 0.13)
        case .separatorOnLight: .white(0, strong ? 0.5 : 0.13)
        case .separatorOnDark: .white(1, strong ? 0.5 : 0.14)
        case .track:
            dark ? .white(strong ? 0.62 : 0.44) : .white(strong ? 0.42 : 0.70)
        case .knob: .white(1)
        case .recording: strong ? Colour4(0.72, 0.30, 0) : Colour4(0.93, 0.46, 0.05)
        case .haze: Colour4(0.30, 0.36, 0.48)
        case .launching: dark ? Colour4(0.11, 0.11, 0.12) : Colour4(0.95, 0.95, 0.96)
        }
    }

    // MARK: Accents besides blue

    /// White text on it has a contrast of at least 4.5.
    private static func base(_ accent: Accent) -> Colour4 {
        switch accent {
        case .blue: Colour4(0.04, 0.40, 0.88)
        case .purple: Colour4(0.50, 0.24, 0.78)
        case .pink: Colour4(0.77, 0.12, 0.43)
        case .red: Colour4(0.78, 0.12, 0.13)
        case .orange: Colour4(0.70, 0.31, 0)
        case .green: Colour4(0.06, 0.45, 0.24)
        case .graphite: Colour4(0.37, 0.37, 0.40)
        }
    }

    private static func deep(_ accent: Accent, _ share: Float) -> Colour4 {
        let colour = base(accent)
        return Colour4(colour.red * share, colour.green * share, colour.blue * share)
    }

    /// Mixed with so much white.
    private static func light(_ accent: Accent, _ share: Float) -> Colour4 {
        let colour = base(accent)
        func mix(_ part: Float) -> Float { part + (1 - part) * share }
        return Colour4(mix(colour.red), mix(colour.green), mix(colour.blue))
    }

    /// The share of its own colour in a glass background. The rest comes from the wallpaper.
    static func tint(of paint: Paint, _ theme: Theme) -> Float {
        paint == .dock ? (theme.isDark ? 0.5 : 0.45) : (theme.isDark ? 0.62 : 0.68)
    }

    /// The colour of texts and symbols.
    public static func colour(of tone: Tone, _ theme: Theme) -> Colour4 {
        let dark = theme.isDark, strong = theme.increasedContrast
        return switch tone {
        case .primary: strong ? .white(dark ? 1 : 0) : dark ? Colour4(0.96, 0.96, 0.97) : Colour4(0.07, 0.07, 0.085)
        case .secondary:
            switch (dark, strong) {
            case (false, false): Colour4(0.34, 0.34, 0.37)
            case (false, true): Colour4(0.21, 0.21, 0.24)
            case (true, false): Colour4(0.76, 0.76, 0.79)
            case (true, true): Colour4(0.86, 0.86, 0.89)
            }
        case .destructive:
            switch (dark, strong) {
            case (false, false): Colour4(0.72, 0.06, 0.09)
            case (false, true): Colour4(0.53, 0, 0.03)
            case (true, false): Colour4(1, 0.53, 0.50)
            case (true, true): Colour4(1, 0.72, 0.70)
            }
        case .accent where theme.accent != .blue:
            switch (dark, strong) {
            case (false, false): deep(theme.accent, 0.84)
            case (false, true): deep(theme.accent, 0.6)
            case (true, false): light(theme.accent, 0.58)
            case (true, true): light(theme.accent, 0.76)
            }
        case .accent:
            switch (dark, strong) {
            case (false, false): Colour4(0, 0.34, 0.78)
            case (false, true): Colour4(0, 0.22, 0.58)
            case (true, false): Colour4(0.45, 0.70, 1)
            case (true, true): Colour4(0.68, 0.84, 1)
            }
        case .onAccent, .onWallpaper: .white(1)
        case .onLight: strong ? .white(0) : Colour4(0.07, 0.07, 0.085)
        case .onDark: strong ? .white(1) : Colour4(0.96, 0.96, 0.97)
        case .onWallpaperSecondary: strong ? .white(1) : .white(1, 0.84)
        }
    }
}
