#!/usr/bin/env python3
"""A window with text fields, or an input method that types into them, for tests: raw clients that log every event.

    textfield.py [--fields N] [--by-hand] [the options of window.py]
    textfield.py --method [--log FILE] [--commands FIFO]

The log is that of window.py. A field that gets the focus is enabled at once, unless --by-hand. Lines of its own:
{"o": "field#0", "e": "text", "a": [the end of what it holds, its preedit]} after each done.

Commands through the FIFO, besides those of window.py. Of fields (I: number of the field, 0 the first): enable I, disable I,
fill I TEXT (sets its text and tells the surrounding text), flood I COUNT TEXT (commits so often at once, then fills),
caret I X Y W H, purpose I N, destroy I, new (another field).
Of the input method: commit TEXT, preedit TEXT, delete BEFORE AFTER, late TEXT (a commit with the serial of the done before
the last), ended TEXT (a commit with the serial of the done that told it of the last end), both TEXT (twice in one batch), pour COUNT LENGTH (so many commits at once), grab, release, popup W H, popup-gone, popup-again (commits its surface once more),
popup-wrong (a popup of a surface with another role), key CODE (press and release, by a virtual keyboard), forget (destroys
the input method), sync TEXT, quit.
"""

import argparse
import os
import struct
import sys

import rawclient
import window

# What the distribution does not install: names, order and types of the messages.
DESCRIPTIONS = """<protocol name="input">
  <interface name="zwp_input_method_v2" version="1">
    <request name="commit_string"><arg name="text" type="string"/></request>
    <request name="set_preedit_string"><arg name="text" type="string"/><arg name="cursor_begin" type="int"/>
      <arg name="cursor_end" type="int"/></request>
    <request name="delete_surrounding_text"><arg name="before_length" type="uint"/><arg name="after_length" type="uint"/></request>
    <request name="commit"><arg name="serial" type="uint"/></request>
    <request name="get_input_popup_surface"><arg name="id" type="new_id" interface="zwp_input_popup_surface_v2"/>
      <arg name="surface" type="object" interface="wl_surface"/></request>
    <request name="grab_keyboard"><arg name="keyboard" type="new_id" interface="zwp_input_method_keyboard_grab_v2"/></request>
    <request name="destroy" type="destructor"/>
    <event name="activate"/>
    <event name="deactivate"/>
    <event name="surrounding_text"><arg name="text" type="string"/><arg name="cursor" type="uint"/>
      <arg name="anchor" type="uint"/></event>
    <event name="text_change_cause"><arg name="cause" type="uint"/></event>
    <event name="content_type"><arg name="hint" type="uint"/><arg name="purpose" type="uint"/></event>
    <event name="done"/>
    <event name="unavailable"/>
  </interface>
  <interface name="zwp_input_popup_surface_v2" version="1">
    <request name="destroy" type="destructor"/>
    <event name="text_input_rectangle"><arg name="x" type="int"/><arg name="y" type="int"/><arg name="width" type="int"/>
      <arg name="height" type="int"/></event>
  </interface>
  <interface name="zwp_input_method_keyboard_grab_v2" version="1">
    <request name="release" type="destructor"/>
    <event name="keymap"><arg name="format" type="uint"/><arg name="fd" type="fd"/><arg name="size" type="uint"/></event>
    <event name="key"><arg name="serial" type="uint"/><arg name="time" type="uint"/><arg name="key" type="uint"/>
      <arg name="state" type="uint"/></event>
    <event name="modifiers"><arg name="serial" type="uint"/><arg name="mods_depressed" type="uint"/>
      <arg name="mods_latched" type="uint"/><arg name="mods_locked" type="uint"/><arg name="group" type="uint"/></event>
    <event name="repeat_info"><arg name="rate" type="int"/><arg name="delay" type="int"/></event>
  </interface>
  <interface name="zwp_input_method_manager_v2" version="1">
    <request name="get_input_method"><arg name="seat" type="object" interface="wl_seat"/>
      <arg name="input_method" type="new_id" interface="zwp_input_method_v2"/></request>
    <request name="destroy" type="destructor"/>
  </interface>
  <interface name="zwp_virtual_keyboard_v1" version="1">
    <request name="keymap"><arg name="format" type="uint"/><arg name="fd" type="fd"/><arg name="size" type="uint"/></request>
    <request name="key"><arg name="time" type="uint"/><arg name="key" type="uint"/><arg name="state" type="uint"/></request>
    <request name="modifiers"><arg name="mods_depressed" type="uint"/><arg name="mods_latched" type="uint"/>
      <arg name="mods_locked" type="uint"/><arg name="group" type="uint"/></request>
    <request name="destroy" type="destructor"/>
  </interface>
  <interface name="zwp_virtual_keyboard_manager_v1" version="1">
    <request name="create_virtual_keyboard"><arg name="seat" type="object" interface="wl_seat"/>
      <arg name="id" type="new_id" interface="zwp_virtual_keyboard_v1"/></request>
  </interface>
</protocol>"""

KEYMAP = """xkb_keymap {
    xkb_keycodes { minimum = 8; maximum = 255; <A> = 38; <B> = 56; };
    xkb_types { include "complete" };
    xkb_compatibility { include "complete" };
    xkb_symbols { key <A> { [ a, A ] }; key <B> { [ b, B ] }; };
};"""


def know(connection):
    """Adds the interfaces of this file and of text-input to those of the connection."""
    connection.interfaces.add(DESCRIPTIONS)
    for folder in rawclient._folders():
        path = os.path.join(folder, "unstable/text-input/text-input-unstable-v3.xml")
        if os.path.exists(path):
            connection.interfaces.read(path)


class Field:
    """A zwp_text_input_v3 and the text that it holds; the caret stays at the text's end."""

    def __init__(self, app, number):
        self.app = app
        self.number = number
        self.text = ""
        self.preedit = ""
        self.pending = {}
        self.commits = 0
        self.object = app.manager.get_text_input(app.seat)
        self.object.on("enter", self.entered)
        self.object.on("leave", self.left)
        self.object.on("preedit_string", lambda text, begin, end: self.pending.update(preedit=text))
        self.object.on("commit_string", lambda text: self.pending.update(commit=text))
        self.object.on("delete_surrounding_text", lambda before, after: self.pending.update(before=before))
        self.object.on("done", self.done)

    def entered(self, _):
        if not self.app.options.by_hand and self.number == 0:
            self.enable()

    def left(self, _):
        self.preedit = ""

    def enable(self):
        self.object.enable()
        self.object.set_content_type(0, 0)
        self.object.set_cursor_rectangle(20, 20, 2, 20)
        self.tell(1)

    def tell(self, cause):
        # A message has at most 4 KiB.
        near = self.text.encode()[-4000:].decode(errors="ignore")
        caret = len(near.encode())
        self.object.set_surrounding_text(near, caret, caret)
        self.object.set_text_change_cause(cause)
        self.commit()

    def commit(self):
        self.commits += 1
        self.object.commit()

    def done(self, serial):
        pending, self.pending = self.pending, {}
        before = pending.get("before", 0)
        if before:
            self.text = self.text.encode()[:-before].decode(errors="replace")
        self.text += pending.get("commit") or ""
        self.preedit = pending.get("preedit") or ""
        self.app.log(f"field#{self.number}", "text", [self.text[-4000:], self.preedit])
        if "commit" in pending or before:
            self.tell(0)


class FieldApp(window.App):
    def __init__(self, options):
        self.fields = []
        super().__init__(options)
        know(self.connection)
        self.manager = self.connection.bind("zwp_text_input_manager_v3")
        for number in range(options.fields):
            self.fields.append(Field(self, number))

    def command(self, line):
        words = line.split(" ")
        name, rest = words[0], words[1:]
        field = self.fields[int(rest[0])] if rest and rest[0].isdigit() and int(rest[0]) < len(self.fields) else None
        if name == "enable":
            field.enable()
        elif name == "disable":
            field.object.disable()
            field.commit()
        elif name == "fill":
            field.text = " ".join(rest[1:])
            field.tell(1)
        elif name == "caret":
            field.object.set_cursor_rectangle(*map(int, rest[1:]))
            field.commit()
        elif name == "purpose":
            field.object.set_content_type(0, int(rest[1]))
            field.commit()
        elif name == "flood":
            # In one write, so that all of them are there before anything is answered.
            field.text = rest[2]
            field.object.set_surrounding_text("a" * 4000, 0, 0)
            code = field.object.interface.requests["commit"].opcode
            self.connection.flush()
            field.commits += int(rest[1])
            self.connection.socket.sendall(struct.pack("=IHH", field.object.number, code, 8) * int(rest[1]))
            field.tell(1)
        elif name == "destroy":
            field.object.destroy()
        elif name == "new":
            self.fields.append(Field(self, len(self.fields)))
        else:
            super().command(line)


class MethodApp(window.App):
    """The input method. It has no window; commands and log are those of one."""

    def __init__(self, options):
        options.count = 0
        super().__init__(options)
        know(self.connection)
        self.serial = 0
        self.popups = []
        self.grab = self.keyboard = None
        manager = self.connection.bind("zwp_input_method_manager_v2")
        self.method = manager.get_input_method(self.seat)
        self.method.on("done", self.done)
        self.method.on("deactivate", lambda: setattr(self, "ends", True))
        self.ends, self.ended = False, 0

    def done(self):
        self.serial += 1
        if self.ends:
            self.ends, self.ended = False, self.serial

    def command(self, line):
        words = line.split(" ")
        name, rest = words[0], words[1:]
        text = " ".join(rest)
        if name == "commit":
            self.method.commit_string(text)
            self.method.commit(self.serial)
        elif name == "both":
            for _ in range(2):
                self.method.commit_string(text)
                self.method.commit(self.serial)
        elif name == "pour":
            for _ in range(int(rest[0])):
                self.method.commit_string("y" * int(rest[1]))
                self.method.commit(self.serial)
        elif name == "late":
            self.method.commit_string(text)
            self.method.commit(self.serial - 1)
        elif name == "ended":
            self.method.commit_string(text)
            self.method.commit(self.ended)
        elif name == "preedit":
            self.method.set_preedit_string(text, len(text.encode()), len(text.encode()))
            self.method.commit(self.serial)
        elif name == "delete":
            self.method.delete_surrounding_text(*map(int, rest))
            self.method.commit(self.serial)
        elif name == "grab":
            self.grab = self.method.grab_keyboard()
        elif name == "release":
            self.grab.release()
        elif name == "popup":
            surface = self.compositor.create_surface()
            popup = self.method.get_input_popup_surface(surface)
            width, height = map(int, rest)
            self.popups.append((surface, popup, self.buffer(width, height)))
            self.draw_popup()
        elif name == "popup-gone":
            self.popups[-1][1].destroy()
        elif name == "popup-again":
            self.draw_popup()
        elif name == "popup-wrong":
            surface = self.compositor.create_surface()
            self.shell.get_xdg_surface(surface).get_toplevel()
            self.method.get_input_popup_surface(surface)
        elif name == "key":
            self.type(int(rest[0]))
        elif name == "forget":
            self.method.destroy()
        else:
            super().command(line)

    def draw_popup(self):
        surface, _, buffer = self.popups[-1]
        surface.attach(buffer, 0, 0)
        surface.damage_buffer(0, 0, 10000, 10000)
        surface.commit()

    def type(self, code):
        if self.keyboard is None:
            self.keyboard = self.connection.bind("zwp_virtual_keyboard_manager_v1").create_virtual_keyboard(self.seat)
            data = KEYMAP.encode() + b"\0"
            fd = os.memfd_create("keymap")
            os.write(fd, data)
            self.keyboard.keymap(1, fd, len(data))
            os.close(fd)
        self.keyboard.key(0, code, 1)
        self.keyboard.key(1, code, 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--method", action="store_true")
    parser.add_argument("--fields", type=int, default=1)
    parser.add_argument("--by-hand", action="store_true")
    parser.add_argument("--app-id", default="test.textfield")
    parser.add_argument("--title", default="text")
    parser.add_argument("--colour", type=lambda t: int(t, 16), default=0xdddddd)
    parser.add_argument("--edge", type=lambda t: int(t, 16), default=0x333333)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--token", default=os.environ.get("XDG_ACTIVATION_TOKEN"))
    parser.add_argument("--log")
    parser.add_argument("--commands")
    options = parser.parse_args()
    options.minimum = options.hang_after = None
    options.sharp = options.animate = options.popup_on_press = False
    try:
        (MethodApp if options.method else FieldApp)(options).run()
    except rawclient.Disconnected as error:
        print(f"disconnected: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
