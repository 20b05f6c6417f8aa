import CToolkit
import Glibc

/// Something in a window.
open class Widget {
    let raw: OpaquePointer

    init(_ raw: OpaquePointer) { self.raw = raw }

    public var isEnabled = true { didSet { if isEnabled != oldValue { ct_enable(raw, isEnabled) } } }

    /// A style class of GTK: "title-1", "dim-label", "suggested-action", "circular".
    @discardableResult
    public func styled(_ name: String) -> Self {
        ct_style(raw, name)
        return self
    }
}

public final class Box: Widget {
    public static func column(spacing: Int32 = 12, _ children: [Widget] = []) -> Box {
        Box(ct_column(spacing)).filled(with: children)
    }

    public static func row(spacing: Int32 = 12, _ children: [Widget] = []) -> Box {
        Box(ct_row(spacing)).filled(with: children)
    }

    private func filled(with children: [Widget]) -> Box {
        children.forEach(add)
        return self
    }

    public func add(_ child: Widget) { ct_add(raw, child.raw) }

    public func clear() { ct_clear(raw) }
}

public final class Label: Widget {
    public init(_ text: String, style: String? = nil) {
        self.text = text
        super.init(ct_label(text, style))
    }

    public var text: String { didSet { if text != oldValue { ct_label_set(raw, text) } } }
}

public final class Button: Widget {
    /// `icon`: a name of the icon theme; the text is what a screen reader says.
    public init(_ text: String, icon: String? = nil, _ pressed: @escaping () -> Void) {
        super.init(ct_button(text, icon, callVoid, Held<Void>(pressed).pointer()))
    }

    public func show(_ text: String, icon: String? = nil) { ct_button_set(raw, text, icon) }
}

public final class Slider: Widget {
    public init(from: Double = 0, to: Double = 1, step: Double = 0.01, _ moved: @escaping (Double) -> Void) {
        super.init(ct_slider(from, to, step, callValue, Held<Double>(moved).pointer()))
    }

    /// Shows a value; nobody is called for it.
    public func show(_ value: Double, of range: Double) { ct_slider_set(raw, value, range) }
}

public final class Meter: Widget {
    public init() { super.init(ct_meter()) }

    /// 0 to 1.
    public func show(_ value: Double) { ct_meter_set(raw, value) }
}

public final class Scrolled: Widget {
    public init(_ child: Widget) { super.init(ct_scrolled(child.raw)) }
}

/// Text of many lines that a person edits.
public final class Editor: Widget {
    /// `changed`: the text, the cursor or the place to which it is scrolled.
    public init(changed: @escaping () -> Void) { super.init(ct_editor(callVoid, Held<Void>(changed).pointer())) }

    public var text: String {
        let text = ct_editor_text(raw)
        defer { free(text) }
        return text.map { String(cString: $0) } ?? ""
    }

    /// In characters from the start.
    public var cursor: Int { Int(ct_editor_cursor(raw)) }
    /// In points from the top.
    public var scroll: Double { ct_editor_scroll(raw) }

    /// Shows it as it was; nobody is called for it.
    public func show(_ text: String, cursor: Int, scroll: Double) { ct_editor_show(raw, text, Int32(clamping: cursor), scroll) }

    /// Types at the cursor.
    public func type(_ text: String) { ct_editor_type(raw, text) }
}

open class Window: Widget {
    public init(_ title: String, width: Int32, height: Int32) { super.init(ct_window(title, width, height)) }

    public func show(_ content: Widget) { ct_window_show(raw, content.raw) }
}
