import AppScopes
import Chrome
import Glibc
import Processes
import QuickLookHelper
import ShareHelper
import UnlockHelper
import ViewServer

if ProgramWords.all.count == 2, ProgramWords.all[1] == IconService.word {
    IconService.serve()
} else if ProgramWords.all.count == 2, ProgramWords.all[1] == QuickLookHelper.word {
    QuickLookHelper.serve()
} else if ProgramWords.all.count == 2, ProgramWords.all[1] == ThawGuard.word {
    ThawGuard.run()
} else if ProgramWords.all.dropFirst().first == ShareHelper.word {
    ShareHelper.serve(ProgramWords.all.dropFirst(2))
} else if ProgramWords.all.dropFirst().first == UnlockHelper.word {
    UnlockHelper.serve(ProgramWords.all.dropFirst(2))
} else if ProgramWords.all.dropFirst().first == ViewService.word {
    ViewService.serve(ProgramWords.all.dropFirst(2))
} else {
    do {
        // GnuPG and ssh start programs by one word, without arguments of their own.
        let name = ProgramWords.all.first?.split(separator: "/").last.map(String.init)
        if name == PinentryCommand.link {
            PinentryCommand.serve(Array(ProgramWords.all.dropFirst()))
            exit(EXIT_SUCCESS)
        }
        if name == AskpassCommand.link {
            try AskpassCommand.serve(Array(ProgramWords.all.dropFirst()))
            exit(EXIT_SUCCESS)
        }
        // `main` of the library looks through all commands for asynchronous ones first, in a debug build. There are none.
        var command = try MullionCommand.parseAsRoot(CommandWords.prepared(Array(ProgramWords.all.dropFirst())))
        try command.run()
    } catch let error as UnknownCommand {
        let line = Array(error.lines.utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(EX_USAGE)
    } catch {
        MullionCommand.exit(withError: error)
    }
}
