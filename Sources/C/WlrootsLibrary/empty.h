// Empty: Swift sees the headers of wlroots that those of CWlroots include.
