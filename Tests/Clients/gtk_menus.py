"""A GTK 3 app that exports a menu bar. Choosing an item changes the title of its window. "Styles" is filled while it is open, and as many
groups of items as an office program has stand in "Many"."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gio, GLib, Gtk


class Menus(Gtk.Application):
    def do_startup(self):
        Gtk.Application.do_startup(self)
        files, first, recent, view, bar = Gio.Menu(), Gio.Menu(), Gio.Menu(), Gio.Menu(), Gio.Menu()
        first.append("_Open", "win.open")
        first.append("_Save", "win.save")
        recent.append("First", "app.recent('first')")
        recent.append("Second", "app.recent('second')")
        files.append_section(None, first)
        files.append_submenu("_Recent", recent)
        view.append("_Wrap Lines", "win.wrap")
        bar.append_submenu("_File", files)
        bar.append_submenu("_View", view)
        self.styles, many = Gio.Menu(), Gio.Menu()
        item = Gio.MenuItem.new_submenu("_Styles", self.styles)
        item.set_attribute_value("submenu-action", GLib.Variant("s", "win.styles"))
        bar.append_item(item)
        for group in range(60):
            items = Gio.Menu()
            for number in range(12):
                items.append("Item %d" % number, "win.many-%d" % (group * 12 + number))
            many.append_submenu("Group %d" % group, items)
        bar.append_submenu("_Many", many)
        keys = Gio.MenuItem.new("_Print", "win.open")
        keys.set_attribute_value("accel", GLib.Variant("s", "<Primary><Shift>p"))
        view.append_item(keys)
        self.set_menubar(bar)
        chosen = Gio.SimpleAction.new_stateful("recent", GLib.VariantType("s"), GLib.Variant("s", "first"))
        chosen.connect("activate", lambda action, value: (action.set_state(value), self.say(value.get_string())))
        self.add_action(chosen)

    def open_styles(self, action, is_open):
        action.set_state(is_open)
        self.styles.remove_all()
        if is_open.get_boolean():
            self.styles.append("_Bold", "win.open")
            self.get_active_window().lookup_action("save").set_enabled(True)
        else:
            self.say("closed styles")

    def say(self, text):
        self.get_active_window().set_title(text)

    def do_activate(self):
        window = Gtk.ApplicationWindow(application=self, title="Menus")
        window.set_default_size(420, 260)
        for name in ("open", "save"):
            action = Gio.SimpleAction.new(name, None)
            action.set_enabled(name == "open")
            action.connect("activate", lambda action, _: self.say("chose " + action.get_name()))
            window.add_action(action)
        wrap = Gio.SimpleAction.new_stateful("wrap", None, GLib.Variant("b", True))
        wrap.connect("activate", lambda action, _: action.set_state(GLib.Variant("b", not action.get_state().get_boolean())))
        window.add_action(wrap)
        styles = Gio.SimpleAction.new_stateful("styles", None, GLib.Variant("b", False))
        styles.connect("change-state", self.open_styles)
        window.add_action(styles)
        for number in range(60 * 12):
            action = Gio.SimpleAction.new("many-%d" % number, None)
            action.connect("activate", lambda action, _: self.say(action.get_name()))
            window.add_action(action)
        window.show_all()


Menus(application_id="org.example.Menus").run([])
