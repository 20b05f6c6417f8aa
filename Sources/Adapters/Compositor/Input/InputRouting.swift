import CWlroots

/// A seat as C keeps it.
typealias SeatState = UnsafeMutablePointer<mw_seat>

/// What delivers input to clients. It lives from when the seat is there until the last of it is gone, in `mw_seat.input`.
final class InputRouting {
    let touches: TouchDelivery
    /// Fields and input methods, from when the seat is whole until it ends.
    var text: TextInput?

    init(_ seat: SeatState) {
        touches = TouchDelivery(seat)
    }

    static func of(_ seat: SeatState) -> InputRouting {
        Unmanaged<InputRouting>.fromOpaque(seat.pointee.input).takeUnretainedValue()
    }

    /// nil while there is no seat.
    static func of(server: OpaquePointer?) -> InputRouting? {
        guard let seat = mw_server_seat_state(server), seat.pointee.input != nil else { return nil }
        return of(seat)
    }
}

extension Compositor {
    /// nil while there is no seat.
    var touches: TouchDelivery? { InputRouting.of(server: server)?.touches }
}

// MARK: What C calls

@_cdecl("mw_input_begin")
public func beginInput(_ seat: UnsafeMutablePointer<mw_seat>) {
    seat.pointee.input = Unmanaged.passRetained(InputRouting(seat)).toOpaque()
}

@_cdecl("mw_input_end")
public func endInput(_ seat: UnsafeMutablePointer<mw_seat>) {
    Unmanaged<InputRouting>.fromOpaque(seat.pointee.input).release()
    seat.pointee.input = nil
}
