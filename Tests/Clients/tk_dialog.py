#!/usr/bin/python3
"""A window of Tk (X11) with a dialog: WM_TRANSIENT_FOR and a grab, and no word of being modal."""

import tkinter
from tkinter import messagebox

window = tkinter.Tk()
window.title("Letter")
window.geometry("600x400")
tkinter.Text(window).pack(fill="both", expand=True)
window.after(800, lambda: messagebox.askyesno("Question", "Save changes?"))
window.mainloop()
