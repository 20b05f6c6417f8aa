// wlroots is included by CWlroots alone; nothing of it reaches Swift.
