// Rooms with windows need the screen and the idiom, too, so this module exports both.
@_exported import Idioms
