"""More of `Tests/Clients/window.py`, for the protocols of surfaces and input.

One more command: `do STATEMENT` runs a line of Python in which these are known: `bind(interface)`, `surface`, `window`,
`seat`, `pointer`, `app`, `connection`, `compositor`, `new_surface()`, `region(x, y, w, h)`, and what lines before it named.
With --crisp the window is drawn for the scale that fractional-scale-v1 names, in stripes of one pixel.
"""

import os
import struct


def stripes(painter, width, height):
    """Black and white columns, one pixel each: nothing blurs as visibly."""
    row = (struct.pack("=II", 0xffffffff, 0xff000000) * (width // 2 + 1))[:width * 4]
    pixels = row * height
    fd = os.memfd_create("stripes")
    os.write(fd, pixels)
    pool = painter.shm.create_pool(fd, len(pixels))
    made = pool.create_buffer(0, width, height, width * 4, 1)
    pool.destroy()
    os.close(fd)
    return made


class CrispWindow:
    """A mixin of windows: draws for the fractional scale."""

    def __init__(self, app, *rest):
        self.parts = None
        super().__init__(app, *rest)
        if app.options.crisp:
            self.viewport = app.globals["bind"]("wp_viewporter").get_viewport(self.surface)
            fraction = app.globals["bind"]("wp_fractional_scale_manager_v1").get_fractional_scale(self.surface)
            fraction.on("preferred_scale", self.prefer)

    def prefer(self, parts):
        self.parts = parts
        if self.size != (0, 0):
            self.draw(*self.size)

    def draw(self, width, height):
        if self.parts is None:
            return super().draw(width, height)
        self.size = (width, height)
        pixels = [(side * self.parts + 60) // 120 for side in (width, height)]
        self.buffer = stripes(self.app.painter, *pixels)
        self.viewport.set_destination(width, height)
        self.surface.attach(self.buffer, 0, 0)
        self.surface.damage_buffer(0, 0, *pixels)
        self.surface.commit()


class Commands:
    """A mixin of apps."""

    def __init__(self, options):
        self.bound = {}
        self.globals = {"app": self, "bind": self.bind, "new_surface": lambda: self.compositor.create_surface(),
                        "region": self.region}
        super().__init__(options)

    def bind(self, name):
        if name not in self.bound:
            self.bound[name] = self.connection.bind(name)
        return self.bound[name]

    def region(self, x, y, width, height):
        region = self.compositor.create_region()
        region.add(x, y, width, height)
        return region

    def command(self, line):
        if not line.startswith("do "):
            return super().command(line)
        window = self.windows[0] if self.windows else None
        self.globals.update(
            window=window, surface=window and window.surface, seat=self.seat, pointer=self.devices.get("pointer"),
            connection=self.connection, compositor=self.compositor)
        exec(line[3:], self.globals)
