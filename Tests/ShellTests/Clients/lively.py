#!/usr/bin/env python3
"""`Tests/Clients/window.py` with a will of its own. More commands:

colour RRGGBB (paints all windows anew), refuse (from now on it does not close when it is asked), agree, and those of
`inputs.py`, `memory.py` and `pictures.py`.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Clients"))
import window  # noqa: E402
import inputs  # noqa: E402
import memory  # noqa: E402
import pictures  # noqa: E402


class Window(inputs.CrispWindow, window.Window):
    def close(self):
        if self.app.refuses:
            self.app.log("client", "refused", [])
        else:
            super().close()


class App(memory.Commands, pictures.Commands, inputs.Commands, window.App):
    refuses = False

    def command(self, line):
        words = line.split()
        if words[:1] == ["colour"]:
            self.options.colour = int(words[1], 16)
            self.buffers.clear()
            for each in self.windows:
                each.buffer = None
                each.draw(*each.size)
        elif words[:1] in (["refuse"], ["agree"]):
            self.refuses = words[0] == "refuse"
        else:
            super().command(line)


window.Window = Window
window.App = App

if __name__ == "__main__":
    sys.exit(window.main())
