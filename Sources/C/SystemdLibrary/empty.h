// Passes the library's include paths and name (through pkg-config) to CSystemd. Declares nothing for Swift.
