import Foundation
import Glibc
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

    /// A container may have none. The sound of a helper process is then not known to be that of its app's window (docs/limits.md).
    static var hasControlGroups: Bool {
        ["cgroup.controllers", "freezer"].contains { access("/sys/fs/cgroup/\($0)", F_OK) == 0 }
    }
}

extension ShellUnderTest {
    /// `make test-slow`: floods and random runs in their long form.
    static let isSlow = TestSeed.isSlow
}
