// Who has windows needs the screen and the idiom: rooms import this one for both.
@_exported import Idioms
