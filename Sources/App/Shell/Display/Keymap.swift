/// The keymap for clients. Compiling it takes time, so early clients are served first.
final class Keymap: Adapter {
    private unowned let shell: Shell

    init(_ shell: Shell) { self.shell = shell }

    func start() throws { try shell.compositor.makeKeymap() }
}
