#!/usr/bin/env python3
"""A Tk window with a menu bar. It prints when its bar is drawn, when its menu opens, and the keys that its text gets."""

import tkinter

window = tkinter.Tk()
window.title("Menu Bar")
window.geometry("600x400")
bar = tkinter.Menu(window)
menu = tkinter.Menu(bar, tearoff=0, postcommand=lambda: print("posted", flush=True))
for label in ("New", "Open", "Save"):
    menu.add_command(label=label, command=lambda label=label: print("chose", label, flush=True))
bar.add_cascade(label="File", menu=menu)
window.config(menu=bar)
text = tkinter.Text(window)
text.pack(fill="both", expand=True)
text.focus_set()
text.bind("<Key>", lambda event: print("key", event.keysym, flush=True))
window.update()
window.after(200, lambda: print("drawn", flush=True))
window.mainloop()
