"""A window whose buffer lies in named memory that the client can write, resize and cut off after it gave it away."""

import os

WIDTH, HEIGHT = 1180, 820
SIZE = WIDTH * HEIGHT * 4


class Commands:
    """A mixin of apps, for `do` of `inputs.py`: `give(name, colour)` shows the window in memory of that name, in a colour of
    eight hexadecimal digits, in the order of memory: blue, green, red, alpha. Then these are known: `fd`, `size` in bytes,
    `pool`, `own` (the buffer), and `os`."""

    def __init__(self, options):
        super().__init__(options)
        self.globals.update(give=self.give, size=SIZE, os=os)

    def give(self, name, colour):
        fd = os.memfd_create(name)
        os.write(fd, bytes.fromhex(colour) * (SIZE // 4))
        pool = self.painter.shm.create_pool(fd, SIZE)
        own = pool.create_buffer(0, WIDTH, HEIGHT, WIDTH * 4, 1)
        surface = self.windows[0].surface
        surface.attach(own, 0, 0)
        surface.damage_buffer(0, 0, WIDTH, HEIGHT)
        surface.commit()
        self.globals.update(fd=fd, pool=pool, own=own)
