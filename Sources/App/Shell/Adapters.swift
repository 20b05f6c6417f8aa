extension Shell {
    /// Every adapter, in the order in which they start; they stop in the reverse order. Between two of them clients are
    /// heard and answered, so those that clients need first stand first.
    func makeAdapters() throws -> [any Adapter] {
        [
            Display(self),
            try Recording(self),
            Clients(self),
            Session(self),
            Timers(self),
            Programs(self),
            Configuration(self),
            ControlSocket(self),
            Keymap(self),
            Look(self),
            SessionBus(self),
            SoundBus(self),
            SoundServer(self),
            ShortSounds(self),
            Activation(self),
            AppAppearance(self),
            RemoteViewAdapter(self),
            ScreenKeyboard(self),
            Apps(self),
            Accessibility(self),
        ]
    }
}
