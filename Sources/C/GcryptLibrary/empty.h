// Passes the library's include paths and name (through pkg-config) to CSecretExchange. Declares nothing for Swift.
