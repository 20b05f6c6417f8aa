"""An app of Qt with a QSystemTrayIcon that has a menu, and a window that its icon shows and hides. Prints what it is told.
Run with /usr/bin/python3."""
import sys

from PyQt5.QtGui import QColor, QIcon, QPixmap
from PyQt5.QtWidgets import QAction, QApplication, QMenu, QSystemTrayIcon, QWidget

app = QApplication(["qt-tray"])
app.setApplicationName("qt-tray")
app.setDesktopFileName("qt-tray")
app.setQuitOnLastWindowClosed(False)


def say(text):
    print(text, flush=True)


window = QWidget()
window.setWindowTitle("Qt in the Tray")
window.resize(400, 300)
picture = QPixmap(64, 64)
picture.fill(QColor(30, 120, 220))
icon = QSystemTrayIcon(QIcon(picture))
icon.setToolTip("Qt item")
menu = QMenu()
entry = QAction("Say Hello")
entry.triggered.connect(lambda: say("hello"))
menu.addAction(entry)
check = QAction("Loud")
check.setCheckable(True)
check.toggled.connect(lambda on: say(f"loud {on}"))
menu.addAction(check)
icon.setContextMenu(menu)


def activated(reason):
    say(f"activated {int(reason)}")
    window.show()
    window.raise_()
    window.activateWindow()


icon.activated.connect(activated)
say(f"tray {QSystemTrayIcon.isSystemTrayAvailable()}")
icon.show()
sys.exit(app.exec_())
