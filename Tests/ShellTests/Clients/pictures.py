"""More of `Tests/Clients/window.py`, for Picture in Picture by its role (xx-pip).

Commands: `pip W H` (a picture of that natural size, out of the upper half of the first window), `pip-on-press move` or
`resize EDGES` or `nothing` (what it asks for when a finger or button comes down), `pip-unmap`, `pip-map`, `pip-destroy`,
`pip-name ID`, `pip-serial N` (asks to be moved with any serial).
"""


class Picture:
    COLOUR, EDGE = 0x115522, 0xffffff

    def __init__(self, app, natural):
        self.app = app
        self.natural = natural
        self.wanted = (0, 0)
        self.mapped = True
        self.surface = app.compositor.create_surface()
        self.xdg = app.shell.get_xdg_surface(self.surface)
        self.pip = app.globals["bind"]("xx_pip_shell_v1").get_pip(self.xdg)
        self.pip.on("configure_size", lambda *size: setattr(self, "wanted", size))
        self.xdg.on("configure", self.configure)
        self.pip.set_app_id(app.options.app_id)
        if app.windows:
            width, height = app.windows[0].size
            self.pip.set_origin(app.windows[0].surface)
            self.pip.set_origin_rect(0, 0, width, height // 2)
        self.surface.commit()

    def configure(self, serial):
        self.xdg.ack_configure(serial)
        if not self.mapped:
            return
        width, height = (wanted or natural for wanted, natural in zip(self.wanted, self.natural))
        self.surface.attach(self.app.painter.buffer(width, height, self.COLOUR, self.EDGE), 0, 0)
        self.surface.damage_buffer(0, 0, width, height)
        self.surface.commit()

    def unmap(self):
        self.mapped = False
        self.surface.attach(None, 0, 0)
        self.surface.commit()

    def map(self):
        self.mapped = True
        self.surface.commit()

    def destroy(self):
        self.pip.destroy()
        self.xdg.destroy()
        self.surface.destroy()


class Commands:
    """A mixin of apps."""

    picture = None
    on_press = ["nothing"]

    def pressed(self, serial, opens=True):
        super().pressed(serial, opens)
        if self.picture and opens and self.on_press[0] == "move":
            self.picture.pip.move(self.seat, serial)
        elif self.picture and opens and self.on_press[0] == "resize":
            self.picture.pip.resize(self.seat, serial, int(self.on_press[1]))

    def command(self, line):
        name, *rest = line.split() or [""]
        if name == "pip":
            self.picture = Picture(self, (int(rest[0]), int(rest[1])))
        elif name == "pip-on-press":
            self.on_press = rest
        elif name == "pip-name":
            self.picture.pip.set_app_id(rest[0])
        elif name == "pip-serial":
            self.picture.pip.move(self.seat, int(rest[0]))
        elif name in ("pip-unmap", "pip-map", "pip-destroy"):
            getattr(self.picture, name[4:])()
            if name == "pip-destroy":
                self.picture = None
        else:
            super().command(line)
