// Carries the include paths and the name of the library (through pkg-config) to CSystemd; it declares nothing to Swift.
