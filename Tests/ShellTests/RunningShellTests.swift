import Testing

/// The real program, headless, with real clients. One shell at a time, because they measure time and the machine may
/// be small.
@Suite(.serialized) enum RunningShell {}
