import CToolkit

/// A closure that C holds for as long as the program runs.
final class Held<Value> {
    let body: (Value) -> Void

    init(_ body: @escaping (Value) -> Void) { self.body = body }

    /// Widgets and timers of these small programs live until the end, and so do their closures.
    func pointer() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    /// For what is watched anew again and again: whoever watches keeps it.
    var borrowed: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func at(_ pointer: UnsafeMutableRawPointer?) -> Held<Value> {
        Unmanaged<Held<Value>>.fromOpaque(pointer!).takeUnretainedValue()
    }
}

let callVoid: ct_callback = { Held<Void>.at($0).body(()) }
let callValue: ct_value_callback = { Held<Double>.at($0).body($1) }
