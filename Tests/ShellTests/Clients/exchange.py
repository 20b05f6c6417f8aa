"""What clients do to each other, for `lively.py`: `do import exchange`, then these.

    Keymaps(app).change(N)      N times another keyboard types, with another keymap
    Clipboard(app).change(N)    N times something else is copied, as a clipboard manager does
    Selection(app)              has the selection from now on: its window had a key before
    Source(app)                 a press into its window drags a text out of it
    Target(app)                 takes what is dropped, and logs the text: ["client", "dropped", [text]]
"""

import os

KEYMAP = """xkb_keymap {{ xkb_keycodes {{ include "evdev+aliases(qwerty)" }}; xkb_types {{ include "complete" }};
xkb_compat {{ include "complete" }}; xkb_symbols {{ include "pc+{}+inet(evdev)" }}; }};\0"""
TEXT = "text/plain"


class Keymaps:
    def __init__(self, app):
        self.app = app
        manager = app.connection.bind("zwp_virtual_keyboard_manager_v1")
        self.keyboards = []
        for layout in ("us", "de"):
            keyboard = manager.create_virtual_keyboard(app.seat)
            keymap = KEYMAP.format(layout).encode()
            fd = os.memfd_create("keymap")
            os.write(fd, keymap)
            keyboard.keymap(1, fd, len(keymap))
            self.keyboards.append(keyboard)
        app.connection.roundtrip()

    def change(self, times):
        for number in range(times):
            keyboard = self.keyboards[number % 2]
            for state in (1, 0):
                keyboard.key(number, 30, state)
            self.app.connection.roundtrip()


class Clipboard:
    def __init__(self, app):
        self.app = app
        self.manager = app.connection.bind("zwlr_data_control_manager_v1")
        self.device = self.manager.get_data_device(app.seat)

    def change(self, times):
        for _ in range(times):
            source = self.manager.create_data_source()
            source.offer(TEXT)
            self.device.set_selection(source)
            self.app.connection.roundtrip()


def manager(app):
    return app.connection.bind("wl_data_device_manager")


class Selection:
    def __init__(self, app):
        self.source = manager(app).create_data_source()
        self.source.offer(TEXT)
        manager(app).get_data_device(app.seat).set_selection(self.source, app.press)


class Source:
    def __init__(self, app, text="dragged in time"):
        self.app, self.text = app, text
        self.manager = manager(app)
        self.device = self.manager.get_data_device(app.seat)
        app.devices["touch"].on("down", lambda serial, *rest: self.begin(serial))

    def begin(self, serial):
        source = self.manager.create_data_source()
        source.offer(TEXT)
        source.set_actions(1)
        source.on("send", self.send)
        self.device.start_drag(source, self.app.windows[0].surface, None, serial)

    def send(self, kind, fd):
        with os.fdopen(fd, "w") as file:
            file.write(self.text)


class Target:
    def __init__(self, app):
        self.app, self.offer = app, None
        self.device = manager(app).get_data_device(app.seat)
        self.device.on("enter", self.enter)
        self.device.on("drop", self.drop)

    def enter(self, serial, surface, x, y, offer):
        self.offer = offer
        if offer is not None:
            offer.accept(serial, TEXT)
            offer.set_actions(1, 1)

    def drop(self):
        reading, writing = os.pipe()
        self.offer.receive(TEXT, writing)
        self.app.connection.flush()
        os.close(writing)
        with os.fdopen(reading) as file:
            self.app.log("client", "dropped", [file.read()])
        self.offer.finish()
