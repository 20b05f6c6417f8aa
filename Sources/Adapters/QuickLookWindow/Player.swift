import Descriptors
import Glibc
import Processes
import QuickLookHelper

/// mpv, which plays one file in a window of its own: Wayland has no way to put a window of one program into that of
/// another.
final class Player {
    private var process: pid_t

    static var isInstalled: Bool { program != nil }
    private static var program: String? { Executable.find("mpv", path: "/usr/bin:/bin:/usr/local/bin") }

    /// In bubblewrap where that is installed: with that file, the shell's socket and the sound server's alone.
    init?(_ file: FileToShow, isVideo: Bool) {
        guard let mpv = Self.program else { return nil }
        // By its descriptor: no folder has to be visible, and no other file takes its place.
        var player = [
            mpv, "--no-config", "--no-terminal", "--ytdl=no", "--audio-fallback-to-null=yes", "--load-scripts=no",
            "--force-window=immediate",
            // Outputs that work here and do not ask for a console of their own.
            "--vo=gpu,wlshm", "--gpu-context=wayland", "--wayland-app-id=org.mullion.View.Player", "--autoload-files=no",
            "--access-references=no", "--keep-open=yes",
            "--title=\(String(file.name.prefix(200)).replacing("$", with: "$$"))",
        ]
        if !isVideo { player += ["--osc=yes", "--autofit=640x360"] }
        player += ["fd://0"]
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        guard let runtime = variable("XDG_RUNTIME_DIR"), let display = variable("WAYLAND_DISPLAY") else { return nil }
        let socket = display.hasPrefix("/") ? display : "\(runtime)/\(display)"
        let sounds = ["\(runtime)/pipewire-0", "\(runtime)/pulse/native"]
        var environment = ["XDG_RUNTIME_DIR=\(runtime)", "WAYLAND_DISPLAY=\(display)", "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/tmp"]
        for name in ["LIBGL_ALWAYS_SOFTWARE", "PULSE_SERVER", "PIPEWIRE_REMOTE", "PIPEWIRE_RUNTIME_DIR"] {
            if let value = variable(name) { environment.append("\(name)=\(value)") }
        }
        var words = player
        if let bubblewrap = Sandbox.program {
            words =
                [bubblewrap, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"] + Sandbox.system
                + ["--dev", "/dev", "--proc", "/proc", "--dev-bind-try", "/dev/dri", "/dev/dri", "--ro-bind-try", "/sys", "/sys"]
                + [
                    "--ro-bind-try", "/etc/machine-id", "/etc/machine-id", "--ro-bind-try", "/etc/pipewire", "/etc/pipewire", "--tmpfs",
                    "/tmp",
                ]
                + ([socket] + sounds).flatMap { ["--ro-bind-try", $0, $0] } + ["--remount-ro", "/", "--chdir", "/", "--"] + player
        }
        // Opened anew: two that read one open file move each other's place in it.
        let own = Descriptor(open("/proc/self/fd/\(file.file.number)", O_RDONLY | O_CLOEXEC), owner: "file to play")
        guard own.isOpen, let process = Sandbox.spawn(words, environment, [(own.number, 0)]) else { return nil }
        self.process = process
    }

    func hasEnded() -> Bool {
        var status: Int32 = 0
        guard process > 0, waitpid(process, &status, WNOHANG) == 0 else {
            process = 0
            return true
        }
        return false
    }
}
