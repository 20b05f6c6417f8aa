import CWlroots

// Names of device events, and where each keeps its device. wlroots 0.15 and 0.18 differ.
#if WLR18
    typealias PointerMotionEvent = wlr_pointer_motion_event
    typealias PointerMotionAbsoluteEvent = wlr_pointer_motion_absolute_event
    typealias PointerButtonEvent = wlr_pointer_button_event
    typealias PointerAxisEvent = wlr_pointer_axis_event
    typealias TouchDownEvent = wlr_touch_down_event
    typealias TouchMotionEvent = wlr_touch_motion_event
    typealias TouchUpEvent = wlr_touch_up_event
    typealias TouchCancelEvent = wlr_touch_cancel_event
    typealias PenProximityEvent = wlr_tablet_tool_proximity_event
    typealias PenAxisEvent = wlr_tablet_tool_axis_event
    typealias PenTipEvent = wlr_tablet_tool_tip_event
    typealias PenButtonEvent = wlr_tablet_tool_button_event

    extension wlr_pointer_motion_event { var of: Device { pointer.pointer(to: \.base)! } }
    extension wlr_pointer_motion_absolute_event { var of: Device { pointer.pointer(to: \.base)! } }
    extension wlr_pointer_button_event { var of: Device { pointer.pointer(to: \.base)! } }
    extension wlr_touch_down_event { var of: Device { touch.pointer(to: \.base)! } }
    extension wlr_touch_motion_event { var of: Device { touch.pointer(to: \.base)! } }
    extension wlr_tablet_tool_proximity_event { var of: Device { tablet.pointer(to: \.base)! } }
    extension wlr_tablet_tool_axis_event { var of: Device { tablet.pointer(to: \.base)! } }
    extension wlr_tablet_tool_tip_event { var of: Device { tablet.pointer(to: \.base)! } }
    extension wlr_tablet_tool_button_event { var of: Device { tablet.pointer(to: \.base)! } }

    /// Wheel clicks in units of 1/120.
    func discreteSteps(_ event: PointerAxisEvent) -> Int32 { event.delta_discrete }
#else
    typealias PointerMotionEvent = wlr_event_pointer_motion
    typealias PointerMotionAbsoluteEvent = wlr_event_pointer_motion_absolute
    typealias PointerButtonEvent = wlr_event_pointer_button
    typealias PointerAxisEvent = wlr_event_pointer_axis
    typealias TouchDownEvent = wlr_event_touch_down
    typealias TouchMotionEvent = wlr_event_touch_motion
    typealias TouchUpEvent = wlr_event_touch_up
    typealias TouchCancelEvent = wlr_event_touch_cancel
    typealias PenProximityEvent = wlr_event_tablet_tool_proximity
    typealias PenAxisEvent = wlr_event_tablet_tool_axis
    typealias PenTipEvent = wlr_event_tablet_tool_tip
    typealias PenButtonEvent = wlr_event_tablet_tool_button

    extension wlr_event_pointer_motion { var of: Device { device } }
    extension wlr_event_pointer_motion_absolute { var of: Device { device } }
    extension wlr_event_pointer_button { var of: Device { device } }
    extension wlr_event_touch_down { var of: Device { device } }
    extension wlr_event_touch_motion { var of: Device { device } }
    extension wlr_event_tablet_tool_proximity { var of: Device { device } }
    extension wlr_event_tablet_tool_axis { var of: Device { device } }
    extension wlr_event_tablet_tool_tip { var of: Device { device } }
    extension wlr_event_tablet_tool_button { var of: Device { device } }

    /// Wheel clicks in units of 1/120. wlroots 0.15 counts whole clicks.
    /// A client with a virtual pointer may send any number.
    func discreteSteps(_ event: PointerAxisEvent) -> Int32 { Int32(clamping: Int64(event.delta_discrete) * 120) }
#endif

typealias Device = UnsafeMutablePointer<wlr_input_device>

/// The event that a wlroots signal carries.
func event<Event>(_ data: UnsafeMutableRawPointer?, _ type: Event.Type = Event.self) -> Event {
    data!.assumingMemoryBound(to: Event.self).pointee
}

/// Converts an event's time to the machine's clock. Returns now if the device uses another clock.
func moment(of milliseconds: UInt32) -> Int64 {
    let now = mw_now()
    let age = Int32(bitPattern: UInt32(truncatingIfNeeded: now / 1_000_000) &- milliseconds)
    return (0..<1000).contains(age) ? now - Int64(age) * 1_000_000 : now
}
