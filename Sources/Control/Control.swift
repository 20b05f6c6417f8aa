// The room's files follow.
