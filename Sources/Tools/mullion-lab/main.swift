import Processes

do {
    var command = try Lab.parseAsRoot(Array(ProgramWords.all.dropFirst()))
    try command.run()
} catch {
    Lab.exit(withError: error)
}
