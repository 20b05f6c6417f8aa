import Glibc
import LinuxLibrary

/// What a helper takes from itself before it touches a file. It works without bubblewrap, too, but then other files of
/// the user can be read, and told to nobody.
package enum Confinement {
    /// Bytes of address space.
    static let memory: UInt = 2 << 30
    /// Seconds of computing time until the helper ends, over all its pages.
    static let seconds: UInt = 60

    /// The exit status of a helper that the kernel does not confine. It has read nothing.
    static let failure: Int32 = 97

    /// Ends the process if that fails.
    package static func begin() {
        limit(9, memory) // RLIMIT_AS
        limit(0, seconds) // RLIMIT_CPU
        limit(7, 64) // RLIMIT_NOFILE
        limit(4, 0) // RLIMIT_CORE
        limit(1, 1 << 20) // RLIMIT_FSIZE
        signal(SIGXFSZ, SIG_IGN)
        // A network of its own has no device. Not possible for everybody, and the filter allows no socket either.
        _ = unshare(0x1000_0000 | 0x4000_0000 | 0x0800_0000) // CLONE_NEWUSER, _NEWNET, _NEWIPC
        // Whoever makes a user namespace has every capability in it.
        var header: (UInt32, Int32) = (0x2008_0522, 0) // _LINUX_CAPABILITY_VERSION_3, this process
        var none: (UInt64, UInt64, UInt64) = (0, 0, 0)
        guard capset(&header, &none) == 0, mullion_prctl(38, 1, nil) == 0, install(filter) else { // PR_SET_NO_NEW_PRIVS
            _exit(failure)
        }
    }

    private static func limit(_ what: UInt32, _ value: UInt) {
        var limit = rlimit(rlim_cur: value, rlim_max: value)
        setrlimit(__rlimit_resource_t(what), &limit)
    }

    // MARK: The filter of system calls

    /// `struct sock_filter`.
    private struct Step {
        var code: UInt16
        var ifTrue: UInt8 = 0
        var ifFalse: UInt8 = 0
        var value: UInt32 = 0

        static func load(_ offset: UInt32) -> Step { Step(code: 0x20, value: offset) }
        static func jump(ifEqual value: UInt32, _ yes: UInt8, _ no: UInt8) -> Step { Step(code: 0x15, ifTrue: yes, ifFalse: no, value: value) }
        static func jump(ifAtLeast value: UInt32, _ yes: UInt8, _ no: UInt8) -> Step { Step(code: 0x35, ifTrue: yes, ifFalse: no, value: value) }
        static func jump(ifAny bits: UInt32, _ yes: UInt8, _ no: UInt8) -> Step { Step(code: 0x45, ifTrue: yes, ifFalse: no, value: bits) }
        static func answer(_ value: UInt32) -> Step { Step(code: 0x06, value: value) }
        static func fail(_ error: Int32) -> Step { .answer(0x0005_0000 | UInt32(error)) }
        static let allow = Step.answer(0x7fff_0000)
    }

    /// `struct sock_fprog`.
    private struct Program {
        var count: UInt16
        var steps: UnsafePointer<Step>?
    }

    private static func install(_ steps: [Step]) -> Bool {
        steps.withUnsafeBufferPointer { steps in
            var program = Program(count: UInt16(steps.count), steps: steps.baseAddress)
            return mullion_prctl(22, 2, &program) == 0 // PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        }
    }

    /// No new process or program, no socket, no other process, no namespace, and nothing written to a file system.
    /// The calls fail instead of ending the process: libraries try some and go on without.
    private static var filter: [Step] {
        let number: UInt32 = 0, machine: UInt32 = 4
        func argument(_ index: UInt32) -> UInt32 { 16 + 8 * index }
        var steps = [Step.load(machine), .jump(ifEqual: Calls.machine, 1, 0), .answer(0x8000_0000), .load(number)]
        // The numbers of x32, another door to the same calls.
        steps += [.jump(ifAtLeast: 0x4000_0000, 0, 1), .fail(EPERM)]
        for call in Calls.refused { steps += [.jump(ifEqual: call, 0, 1), .fail(EPERM)] }
        // glibc falls back to the older calls, whose arguments can be looked at.
        for call in Calls.newer { steps += [.jump(ifEqual: call, 0, 1), .fail(ENOSYS)] }
        // Threads are allowed, processes are not.
        steps += [.jump(ifEqual: Calls.clone, 0, 4), .load(argument(0)), .jump(ifAny: 0x10000, 1, 0), .fail(EPERM), .allow]
        // Reading only: no O_WRONLY, O_RDWR, O_CREAT, O_TRUNC.
        for (call, place) in Calls.opening {
            steps += [.jump(ifEqual: call, 0, 4), .load(argument(place)), .jump(ifAny: 0x3 | 0x40 | 0x200, 0, 1), .fail(EPERM), .allow]
        }
        return steps + [.allow]
    }

    private enum Calls {
        #if arch(x86_64)
        static let machine: UInt32 = 0xc000_003e
        static let clone: UInt32 = 56
        static let opening: [(UInt32, UInt32)] = [(257, 2), (2, 1)]
        private static let own: [UInt32] = [
            // execve, execveat, fork, vfork
            59, 322, 57, 58,
            // socket, socketpair, connect, bind, listen, accept, accept4, sendto, sendmsg, sendmmsg
            41, 53, 42, 49, 50, 43, 288, 44, 46, 307,
            // ptrace, process_vm_readv, process_vm_writev, kill, tkill
            101, 310, 311, 62, 200,
            // mount, umount2, pivot_root, chroot, unshare, setns
            165, 166, 155, 161, 272, 308,
            // bpf, perf_event_open, userfaultfd, keyctl, add_key, request_key, init_module, finit_module, delete_module
            321, 298, 323, 250, 248, 249, 175, 313, 176,
            // kexec_load, kexec_file_load, reboot, swapon, swapoff, name_to_handle_at, open_by_handle_at
            246, 320, 169, 167, 168, 303, 304,
            // unlink, unlinkat, rename, renameat, renameat2, mkdir, mkdirat, rmdir, link, linkat, symlink, symlinkat, creat
            87, 263, 82, 264, 316, 83, 258, 84, 86, 265, 88, 266, 85,
            // chmod, fchmod, fchmodat, chown, fchown, lchown, fchownat, truncate, ftruncate, utimensat, mknod, mknodat
            90, 91, 268, 92, 93, 94, 260, 76, 77, 280, 133, 259,
            // setxattr, lsetxattr, fsetxattr, removexattr, lremovexattr, fremovexattr
            188, 189, 190, 197, 198, 199,
        ]
        #elseif arch(arm64)
        static let machine: UInt32 = 0xc000_00b7
        static let clone: UInt32 = 220
        static let opening: [(UInt32, UInt32)] = [(56, 2)]
        // In the order above, without those that this machine never had.
        private static let own: [UInt32] = [
            221, 281,
            198, 199, 203, 200, 201, 202, 242, 206, 211, 269,
            117, 270, 271, 129, 130,
            40, 39, 41, 51, 97, 268,
            280, 241, 282, 219, 217, 218, 105, 273, 106,
            104, 294, 142, 224, 225, 264, 265,
            35, 38, 276, 34, 37, 36,
            52, 53, 55, 54, 45, 46, 88, 33,
            5, 6, 7, 14, 15, 16,
        ]
        #endif
        /// pidfd_send_signal, io_uring_setup, io_uring_enter, io_uring_register, open_tree, move_mount, fsopen,
        /// fsmount, pidfd_open, pidfd_getfd, mount_setattr: the same numbers everywhere.
        static let refused = own + [424, 425, 426, 427, 428, 429, 430, 432, 434, 438, 442]
        /// clone3, openat2.
        static let newer: [UInt32] = [435, 437]
    }
}
