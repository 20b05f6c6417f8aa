import Chrome
import Shell
import ViewServer

if CommandLine.arguments.count == 2, CommandLine.arguments[1] == IconService.word {
    IconService.serve()
} else if CommandLine.arguments.dropFirst().first == ViewService.word {
    ViewService.serve(CommandLine.arguments.dropFirst(2))
} else if CommandLine.arguments.dropFirst().first == "run", let options = ShellOptions(plainly: Array(CommandLine.arguments.dropFirst(2))) {
    do {
        try RunCommand.start(options)
    } catch {
        MullionCommand.exit(withError: error)
    }
} else {
    do {
        MullionCommand.main(try CommandWords.prepared(Array(CommandLine.arguments.dropFirst())))
    } catch {
        MullionCommand.exit(withError: error)
    }
}
