/// The keymap that clients get. It takes a while to make, so clients that came early are answered before.
final class Keymap: Adapter {
    private unowned let shell: Shell

    init(_ shell: Shell) { self.shell = shell }

    func start() throws { try shell.compositor.makeKeymap() }
}
