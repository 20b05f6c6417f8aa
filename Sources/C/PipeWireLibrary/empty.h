// Carries the include paths and the name of the library (through pkg-config) to CPipeWire; it declares nothing to Swift.
