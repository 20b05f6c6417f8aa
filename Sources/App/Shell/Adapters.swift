extension Shell {
    /// All adapters in the order of their start; they stop in reverse order. Client requests are handled between two
    /// starts, so the adapters that clients need first come first.
    func makeAdapters() throws -> [any Adapter] {
        [
            Display(self),
            // Before the first client is served and the first frame is drawn.
            LockKeeping(self),
            Greeting(self),
            try Recording(self),
            Clients(self),
            Session(self),
            Timers(self),
            // Before windows come back.
            HardwareReport(self),
            SessionStore(self),
            KeptChoices(self),
            ToolkitSessions(self),
            Keeper(self),
            CopiedText(self),
            Programs(self),
            // It stops before `Programs`: a frozen program would not receive the signal to end.
            AppLives(self),
            Configuration(self),
            ControlSocket(self),
            Keymap(self),
            // Before `Gamepads`, which carries out the effect for both.
            PostureSensor(self),
            Gamepads(self),
            Look(self),
            SessionBus(self),
            SessionPrograms(self),
            ProgramViews(self),
            OfferedPictures(self),
            ScreenPictures(self),
            MailPrograms(self),
            AppShortcuts(self),
            ShownFiles(self),
            SharedThings(self),
            LifeOnBus(self),
            // It gets the items that programs register with the notification service.
            TrayItems(self),
            Notifications(self),
            SoundBus(self),
            SoundServer(self),
            ShortSounds(self),
            Activation(self),
            Lockers(self),
            Unlocking(self), Fingerprints(self),
            AppAppearance(self),
            RemoteViewAdapter(self),
            ScreenKeyboard(self),
            Apps(self),
            AppMenus(self),
            Accessibility(self),
            Power(self),
            DeviceStatus(self),
            AskingServices(self),
            Cameras(self),
            SettingsFacts(self),
            OwnLook(self),
        ]
    }
}
