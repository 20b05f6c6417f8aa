// The measures follow.
