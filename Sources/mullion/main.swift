MullionCommand.main()
