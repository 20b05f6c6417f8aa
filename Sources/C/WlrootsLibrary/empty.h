// Only CWlroots includes wlroots. None of it reaches Swift.
