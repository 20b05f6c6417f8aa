/// The real program, headless, with real clients: the namespace of its suites.
///
/// The tests of each suite run one after another, because they measure time and the machine may be small. Suites run
/// side by side: `scripts/test` gives each a process of its own.
enum RunningShell {}
