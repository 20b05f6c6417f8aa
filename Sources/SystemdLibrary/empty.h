// libsystemd is included by CSystemd alone; nothing of it reaches Swift.
