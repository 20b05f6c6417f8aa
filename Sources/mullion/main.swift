import Chrome

if CommandLine.arguments.count == 2, CommandLine.arguments[1] == IconService.word {
    IconService.serve()
} else {
    MullionCommand.main()
}
