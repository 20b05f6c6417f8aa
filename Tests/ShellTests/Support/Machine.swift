import Foundation
import MullionTesting

/// What tests depend on that differs between machines.
enum Machine {
    /// Debian 13 ships wlroots 0.18, Debian 12 wlroots 0.15.
    static var hasWlroots18: Bool {
        #if WLR18
            true
        #else
            false
        #endif
    }
}

extension ShellUnderTest {
    /// `make test-slow`: floods and random runs in their long form.
    static let isSlow = TestSeed.isSlow
}
