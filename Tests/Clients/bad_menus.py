"""A window whose menus (com.canonical.dbusmenu) are a flood, a deep well, nonsense, or never come: the first argument says which."""
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gio, GLib, Gtk

KIND = sys.argv[1]
MENUS = """<node><interface name="com.canonical.dbusmenu">
<method name="GetLayout"><arg type="i" direction="in"/><arg type="i" direction="in"/><arg type="as" direction="in"/>
<arg type="%s" direction="out"/>%s</method>
<method name="AboutToShow"><arg type="i" direction="in"/><arg type="b" direction="out"/></method>
<method name="Event"><arg type="i" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="in"/><arg type="u" direction="in"/></method>
</interface></node>"""


def item(number, label, *inner):
    children = {"children-display": GLib.Variant("s", "submenu")} if inner else {}
    return (number, {"label": GLib.Variant("s", label), **children}, [GLib.Variant("(ia{sv}av)", each) for each in inner])


def layout():
    if KIND == "flood":
        return item(0, "", *(item(n, "Menu %d" % n, *(item(n * 1000 + m, "Item " + "x" * 400) for m in range(500))) for n in range(1, 21)))
    if KIND == "deep":
        # The bus itself allows 64 containers in each other.
        well = item(99, "Ground")
        for number in range(18, 0, -1):
            well = item(number, "Deep %d" % number, well)
        return item(0, "", well)
    # Wrong types, an item that is no struct, and a menu that says that it changes whenever it is shown.
    return (0, {"label": GLib.Variant("i", 7)}, [
        GLib.Variant("s", "no item"), GLib.Variant("(ia{sv}av)", (1, {"label": GLib.Variant("s", "Wrong"), "enabled": GLib.Variant("s", "yes")}, [])),
        GLib.Variant("(ia{sv}av)", item(2, "Never", item(-7, "Odd")))])


def call(connection, sender, path, interface, method, arguments, invocation):
    if KIND == "silent":
        return
    if method == "GetLayout":
        invocation.return_value(GLib.Variant("(s)", ("nothing",)) if KIND == "nonsense" else GLib.Variant("(u(ia{sv}av))", (1, layout())))
    elif method == "AboutToShow":
        invocation.return_value(GLib.Variant("(b)", (True,)))
    else:
        invocation.return_value(None)


bus = Gio.bus_get_sync(Gio.BusType.SESSION)
form = ("s", "") if KIND == "nonsense" else ("u", '<arg type="(ia{sv}av)" direction="out"/>')
bus.register_object("/MenuBar/1", Gio.DBusNodeInfo.new_for_xml(MENUS % form).interfaces[0], call, None, None)
for number in range(200 if KIND == "flood" else 1):
    bus.call("com.canonical.AppMenu.Registrar", "/com/canonical/AppMenu/Registrar", "com.canonical.AppMenu.Registrar", "RegisterWindow",
             GLib.Variant("(uo)", (number + 1, "/MenuBar/1")), None, 0, -1, None, None)
window = Gtk.Window(title=KIND)
window.connect("destroy", Gtk.main_quit)
window.set_default_size(300, 200)
window.show_all()
Gtk.main()
