import Geometry
import Interface
import MullionTesting
import Multitasking
import Testing
import Windows

let one = WindowID(1), two = WindowID(2), three = WindowID(3), four = WindowID(4)
