"""A GTK 3 app that exports a menu bar. Choosing an item changes the title of its window."""
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
        self.set_menubar(bar)
        chosen = Gio.SimpleAction.new_stateful("recent", GLib.VariantType("s"), GLib.Variant("s", "first"))
        chosen.connect("activate", lambda action, value: (action.set_state(value), self.say(value.get_string())))
        self.add_action(chosen)

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
        window.show_all()


Menus(application_id="org.example.Menus").run([])
