import AppScopes
import Chrome
import QuickLookHelper
import ShareHelper
import ViewServer

if CommandLine.arguments.count == 2, CommandLine.arguments[1] == IconService.word {
    IconService.serve()
} else if CommandLine.arguments.count == 2, CommandLine.arguments[1] == QuickLookHelper.word {
    QuickLookHelper.serve()
} else if CommandLine.arguments.count == 2, CommandLine.arguments[1] == ThawGuard.word {
    ThawGuard.run()
} else if CommandLine.arguments.dropFirst().first == ShareHelper.word {
    ShareHelper.serve(CommandLine.arguments.dropFirst(2))
} else if CommandLine.arguments.dropFirst().first == ViewService.word {
    ViewService.serve(CommandLine.arguments.dropFirst(2))
} else {
    do {
        // `main` of the library looks through all commands for asynchronous ones first, in a debug build. There are none.
        var command = try MullionCommand.parseAsRoot(CommandWords.prepared(Array(CommandLine.arguments.dropFirst())))
        try command.run()
    } catch {
        MullionCommand.exit(withError: error)
    }
}
