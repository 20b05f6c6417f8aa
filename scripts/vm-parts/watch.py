"""Looks at the machine's screen about twice a second, from the moment it is asked to until it is told to stop."""

import os
import threading
import time

from machine import Failure, Lines, picture_of


class Watch(threading.Thread):
    """`kind`: what a picture shows, as one word. A picture is kept as PNG each time that the word changes."""

    def __init__(self, vm, name, kind):
        super().__init__(daemon=True)
        self.vm, self.name, self.kind = vm, name, kind
        self.seen, self.count, self.failure = [], 0, None
        # Not oftener: QEMU holds its lock for each picture, which an emulated machine waits for.
        self.pause = 0.3
        self.over = threading.Event()
        self.lines = Lines(f"{vm.run}/watch") if not vm.window else None
        if self.lines:
            self.lines.receive(30)
            self.lines.ask("qmp_capabilities")
        self.start()

    def run(self):
        path = os.path.join(self.vm.out, f"{self.vm.name}-{self.name}-now.ppm")
        try:
            while not self.over.wait(self.pause):
                picture = picture_of(self.vm.window, self.lines, path)
                self.count += 1
                word = self.kind(picture)
                if not self.seen or self.seen[-1] != word:
                    self.seen.append(word)
                    picture.write(os.path.join(self.vm.out, f"{self.vm.name}-{self.name}-{len(self.seen):02}-{word}"), ppm=False)
        except Exception as failure:   # reported by the thread that asked
            self.failure = failure
        finally:
            if os.path.exists(path):
                os.unlink(path)

    def end(self):
        """The words in the order in which they were seen."""
        self.over.set()
        self.join(60)
        if self.lines:
            self.lines.socket.close()
        if self.failure or not self.count:
            raise Failure(f"the screen could not be watched: {self.failure}")
        print(f"    seen in {self.count} pictures: {', '.join(self.seen)}", flush=True)
        return self.seen
