// Empty: Swift sees of wlroots what the headers of CWlroots include.
