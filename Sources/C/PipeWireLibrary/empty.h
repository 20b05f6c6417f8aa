// Passes the library's include paths and name (through pkg-config) to CPipeWire. Declares nothing for Swift.
