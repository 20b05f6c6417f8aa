import Glibc
import LinuxLibrary

/// The limits that a helper sets for itself before it touches a file. They work without bubblewrap, too. The helper can then read other
/// files of the user, but cannot pass them on.
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
        // A network namespace of its own has no device. Some systems do not allow it, but the filter refuses sockets, too.
        _ = unshare(0x1000_0000 | 0x4000_0000 | 0x0800_0000) // CLONE_NEWUSER, _NEWNET, _NEWIPC
        // A process that makes a user namespace has every capability in it.
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
        static func jump(ifEqual value: UInt32, _ yes: UInt8, _ no: UInt8) -> Step {
            Step(code: 0x15, ifTrue: yes, ifFalse: no, value: value)
        }
        static func jump(ifAtLeast value: UInt32, _ yes: UInt8, _ no: UInt8) -> Step {
            Step(code: 0x35, ifTrue: yes, ifFalse: no, value: value)
        }
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

    /// A helper may read files, compute on threads, and answer over its socket. Every other call fails, also one that this list does
    /// not know. It fails instead of ending the process: libraries try some calls and do without.
    private static var filter: [Step] {
        let number: UInt32 = 0, machine: UInt32 = 4
        func low(_ index: UInt32) -> UInt32 { 16 + 8 * index }
        func high(_ index: UInt32) -> UInt32 { 20 + 8 * index }
        /// Returns the steps that decide about this call. The last one must be an answer.
        func on(_ call: UInt32, _ steps: [Step]) -> [Step] { [.jump(ifEqual: call, 0, UInt8(steps.count))] + steps }
        func on(_ call: UInt32, _ argument: UInt32, oneOf values: [UInt32]) -> [Step] {
            on(call, [.load(low(argument))] + values.flatMap { [.jump(ifEqual: $0, 0, 1), .allow] } + [.fail(EPERM)])
        }
        var steps = [Step.load(machine), .jump(ifEqual: Calls.machine, 1, 0), .answer(0x8000_0000), .load(number)]
        for call in Calls.allowed { steps += on(call, [.allow]) }
        // Threads, no processes: CLONE_THREAD.
        steps += on(Calls.clone, [.load(low(0)), .jump(ifAny: 0x10000, 0, 1), .allow, .fail(EPERM)])
        // Reading only: no O_WRONLY, O_RDWR, O_CREAT, O_TRUNC.
        for (call, place) in Calls.opening {
            steps += on(call, [.load(low(place)), .jump(ifAny: 0x3 | 0x40 | 0x200, 1, 0), .allow, .fail(EPERM)])
        }
        // F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. Others send signals, or lock files.
        steps += on(Calls.fcntl, 1, oneOf: [0, 1, 2, 3, 1030])
        // PR_SET_NAME, PR_GET_NAME, PR_SET_VMA: names for threads and memory.
        steps += on(Calls.prctl, 0, oneOf: [15, 16, 0x5356_4d41])
        // Limits of this process are read (process 0, no new limit), and none is set.
        steps += on(
            Calls.prlimit,
            [
                .load(low(0)), .jump(ifEqual: 0, 0, 5), .load(low(2)), .jump(ifEqual: 0, 0, 3), .load(high(2)), .jump(ifEqual: 0, 0, 1),
                .allow, .fail(EPERM),
            ])
        // It has no terminal and no device.
        steps += on(Calls.ioctl, [.fail(ENOTTY)])
        // Newer calls, x32 too: glibc falls back to the older ones, whose arguments can be looked at (clone3, openat2).
        return steps + [.jump(ifAtLeast: 424, 0, 1), .fail(ENOSYS), .fail(EPERM)]
    }

    private enum Calls {
        #if arch(x86_64)
            static let machine: UInt32 = 0xc000_003e
            static let clone: UInt32 = 56, fcntl: UInt32 = 72, prctl: UInt32 = 157, prlimit: UInt32 = 302, ioctl: UInt32 = 16
            static let opening: [(UInt32, UInt32)] = [(257, 2), (2, 1)]
            static let allowed: [UInt32] = [
                // read, readv, pread64, preadv, write, writev, lseek, close, dup, dup3
                0, 19, 17, 295, 1, 20, 8, 3, 32, 292,
                // fstat, newfstatat, statx, statfs, fstatfs, faccessat, faccessat2, readlinkat, getdents64, getcwd, fadvise64
                5, 262, 332, 137, 138, 269, 439, 267, 217, 79, 221,
                // mmap, munmap, mremap, mprotect, madvise, brk
                9, 11, 25, 10, 28, 12,
                // futex, set_robust_list, rseq, sched_yield, sched_getaffinity, getcpu, membarrier, exit, exit_group
                202, 273, 334, 24, 204, 309, 324, 60, 231,
                // clock_gettime, clock_getres, clock_nanosleep, nanosleep, gettimeofday
                228, 229, 230, 35, 96,
                // rt_sigaction, rt_sigprocmask, rt_sigreturn, sigaltstack, restart_syscall
                13, 14, 15, 131, 219,
                // getpid, gettid, getuid, geteuid, getgid, getegid, getresuid, getresgid, uname, sysinfo, getrusage, getrandom
                39, 186, 102, 107, 104, 108, 118, 120, 63, 99, 98, 318,
                // eventfd2, ppoll
                290, 271,
                // Calls of this machine alone: stat, lstat, access, readlink, poll, time, getdents, arch_prctl
                4, 6, 21, 89, 7, 201, 78, 158,
            ]
        #elseif arch(arm64)
            static let machine: UInt32 = 0xc000_00b7
            static let clone: UInt32 = 220, fcntl: UInt32 = 25, prctl: UInt32 = 167, prlimit: UInt32 = 261, ioctl: UInt32 = 29
            static let opening: [(UInt32, UInt32)] = [(56, 2)]
            // In the order above.
            static let allowed: [UInt32] = [
                63, 65, 67, 69, 64, 66, 62, 57, 23, 24,
                80, 79, 291, 43, 44, 48, 439, 78, 61, 17, 223,
                222, 215, 216, 226, 233, 214,
                98, 99, 293, 124, 123, 168, 283, 93, 94,
                113, 114, 115, 101, 169,
                134, 135, 139, 132, 128,
                172, 178, 174, 175, 176, 177, 148, 150, 160, 179, 165, 278,
                19, 73,
            ]
        #endif
    }
}
