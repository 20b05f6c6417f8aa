#!/usr/bin/env python3
"""X11 programs that mean harm: `x11_abuse.py DISPLAY WAY`.

flood-titles, flood-messages, flood-answers, flood-windows: as much as goes through for three seconds, with one mapped window
    named "Flood". Prints how many, or that the connection ended.
long-title: a title of a megabyte, in Latin-1, while a taskbar of this process is told of titles. Prints the longest, and its
    beginning; or that the taskbar was disconnected.
long-types: copies something whose types have names of 60000 bytes, likewise before a clipboard manager.
short-properties: every property that window managers read, of every size of element and many lengths.
paste-blocking: copies a megabyte, and is asked for it by a Wayland client that keeps its pipe and has it wait for room.
paste-long, paste-too-long: copies 12 and 40 million bytes in one property.
paste-twice: copies four million bytes, and gives them again when they have been taken, though nobody asked for them again. All
    four print how many were pasted.
ask-often: asks for what a Wayland client copied in the name of 200 windows; that client answers none. Prints how many were refused.
forge-destroy: says in the X server's name of every window that it is destroyed.
into-another: puts a mapped window into another one, and ends.
out-of-another: takes a window out of another one and maps it. Prints whether a taskbar was told.
end-window-manager: has the X server end the window manager's connection.
"""

import fcntl
import os
import select
import socket
import struct
import sys
import time

from x11 import Connection

ATOM, LATIN1, WINDOW = 4, 31, 33
SECONDS = 3


def change(window, name, kind, size, data):
    """ChangeProperty with as long a length as it takes (BIG-REQUESTS)."""
    body = struct.pack("<IIIB3xI", window, name, kind, size, len(data) * 8 // size) + data + b"\0" * (-len(data) % 4)
    words = 1 + len(body) // 4
    return struct.pack("<BBH", 18, 0, words) + body if words < 65536 else struct.pack("<BBHI", 18, 0, 0, words + 1) + body


def send_event(to, event, mask=0):
    return struct.pack("<BBHII", 25, 0, 11, to, mask) + event.ljust(32, b"\0")


def flood(x, requests):
    x.socket.settimeout(SECONDS)
    sent, until = 0, time.monotonic() + SECONDS
    try:
        while time.monotonic() < until:
            x.socket.sendall(requests * 200)
            sent += 200
            while select.select([x.socket], [], [], 0)[0]:
                if not x.socket.recv(65536):
                    raise BrokenPipeError
    except (BrokenPipeError, ConnectionResetError, socket.timeout):
        print("ended after", sent)
    print("sent", sent)


def flood_titles(x, window):
    flood(x, change(window, 39, LATIN1, 8, b"a" * 50) + change(window, 39, LATIN1, 8, b"b" * 50))


def flood_messages(x, window):
    message = struct.pack("<BBHII5I", 33, 32, 0, window, x.atom(b"_NET_ACTIVE_WINDOW"), 1, 0, 0, 0, 0)
    flood(x, send_event(x.root, message, 0x180000))


def flood_answers(x, window):
    answer = struct.pack("<BBHIIIII", 31, 0, 0, 0, window, x.atom(b"CLIPBOARD"), x.atom(b"TARGETS"), x.atom(b"_WL_SELECTION"))
    flood(x, send_event(x.root, answer, 0x180000))


def flood_windows(x, window):
    made = x.new_id()
    flood(x, struct.pack("<BBHIIhhHHHHII", 1, 0, 8, made, x.root, 0, 0, 10, 10, 0, 1, 0, 0) + struct.pack("<BBHI", 4, 0, 2, made))


def big_requests(x):
    name = b"BIG-REQUESTS"
    x.request(98, 0, struct.pack("<HH", len(name), 0) + name)
    x.socket.sendall(struct.pack("<BBH", x.reply()[9], 0, 1))
    x.reply()


def watch(connection, handled):
    until = time.monotonic() + 20
    try:
        while not handled() and time.monotonic() < until:
            connection.dispatch(0.2)
        connection.roundtrip()
        print("still connected")
    except Exception as error:
        print("disconnected:", error)


def long_title(x, window):
    import rawclient
    titles = []
    connection = rawclient.Connection()
    taskbar = connection.bind("zwlr_foreign_toplevel_manager_v1")
    taskbar.on("toplevel", lambda handle: handle.on("title", titles.append))
    connection.roundtrip()
    big_requests(x)
    x.socket.sendall(change(window, 39, LATIN1, 8, b"\xe9" + b"t" * (1 << 20)))
    watch(connection, lambda: any(len(title) > 100 for title in titles))
    print("longest", max(map(len, titles)), max(titles, key=len)[:3])


def long_types(x, window):
    import rawclient
    connection = rawclient.Connection()
    types = []
    device = connection.bind("zwlr_data_control_manager_v1").get_data_device(connection.bind("wl_seat"))
    device.on("data_offer", lambda offer: offer.on("offer", types.append))
    connection.roundtrip()
    atoms = [x.atom(name) for name in (b"text/long" + b"x" * 60000, b"text/short")]
    clipboard, targets = x.atom(b"CLIPBOARD"), x.atom(b"TARGETS")
    x.request(22, 0, struct.pack("<III", window, clipboard, 0))
    while True:
        event = x.take(32)
        if event[0] & 0x7f != 30:
            continue
        moment, _, requestor, selection, target, where = struct.unpack_from("<IIIIII", event, 4)
        if target == targets:
            x.socket.sendall(change(requestor, where, ATOM, 32, struct.pack("<2I", *atoms)))
            answer = struct.pack("<BBHIIIII", 31, 0, 0, moment, requestor, selection, target, where)
            x.socket.sendall(send_event(requestor, answer))
            break
    watch(connection, lambda: types)
    print("types", [kind[:20] for kind in types])


def short_properties(x, window):
    big_requests(x)
    names = [b"WM_CLASS", b"WM_NAME", b"WM_TRANSIENT_FOR", b"WM_PROTOCOLS", b"WM_HINTS", b"WM_NORMAL_HINTS", b"_MOTIF_WM_HINTS",
             b"_NET_STARTUP_ID", b"_NET_WM_STATE", b"_NET_WM_WINDOW_TYPE", b"_NET_WM_NAME", b"WM_WINDOW_ROLE", b"_NET_WM_STRUT_PARTIAL"]
    for name in map(x.atom, names):
        for kind in [ATOM, LATIN1, WINDOW, 6, 35, 41, name]:
            for size in (8, 16, 32):
                for count in (0, 1, 5, 17, 8192):
                    x.socket.sendall(change(window, name, kind, size, os.urandom(count * size // 8)))
            # The window manager reads what it finds when it has the time: each size of element must still be there then.
            x.sync()
            time.sleep(0.002)
        x.sync()
    print("sent")


def ask(connection):
    """What is copied, and its types."""
    found = []
    device = connection.bind("zwlr_data_control_manager_v1").get_data_device(connection.bind("wl_seat"))
    device.on("data_offer", lambda offer: (found.append((offer, [])), offer.on("offer", found[-1][1].append)))
    return found


def gone(x, window, property):
    x.request(20, 0, struct.pack("<IIIII", window, property, 0, 0, 0))
    return struct.unpack_from("<I", x.reply(), 8)[0] == 0


def paste(x, window, pieces, blocking=False, twice=False):
    """Copies so many pieces of a million bytes and pastes them."""
    import rawclient
    connection = rawclient.Connection()
    found = ask(connection)
    clipboard, targets, text = x.atom(b"CLIPBOARD"), x.atom(b"TARGETS"), x.atom(b"UTF8_STRING")
    big_requests(x)
    x.request(22, 0, struct.pack("<III", window, clipboard, 0))
    reader, writer = os.pipe()
    asked, answered = False, 0
    until = time.monotonic() + 20
    # The shell itself asks first, to keep what was copied; then the Wayland client does.
    while answered < 2 and time.monotonic() < until:
        connection.dispatch(0.05)
        if not asked and answered and found and found[-1][1]:
            found[-1][0].receive("text/plain;charset=utf-8", writer)
            connection.roundtrip()
            asked = True
        while select.select([x.socket], [], [], 0)[0]:
            event = x.take(32)
            if event[0] & 0x7f != 30:
                continue
            moment, _, requestor, selection, target, where = struct.unpack_from("<IIIIII", event, 4)
            if target == targets:
                x.socket.sendall(change(requestor, where, ATOM, 32, struct.pack("<I", text)))
            else:
                if blocking:
                    fcntl.fcntl(writer, fcntl.F_SETFL, 0)
                for piece in range(pieces):
                    data = bytearray(change(requestor, where, target, 8, b"z" * 1000000))
                    data[1] = 2 if piece > 0 else 0   # append
                    x.socket.sendall(data)
                answered += 1
            answer = send_event(requestor, struct.pack("<BBHIIIII", 31, 0, 0, moment, requestor, selection, target, where))
            x.socket.sendall(answer)
    if twice:
        while not gone(x, requestor, where):
            time.sleep(0.01)
        x.socket.sendall(change(requestor, where, target, 8, b"y" * 1000000) + answer)
        x.sync()
    if blocking:
        time.sleep(0.5)
        connection.roundtrip(5)
    else:
        os.close(writer)
    count = 0
    while select.select([reader], [], [], 5)[0]:
        piece = os.read(reader, 65536)
        count += len(piece)
        if not piece or blocking and count == pieces * 1000000:
            break
    connection.roundtrip(5)
    print("pasted", count)


def paste_blocking(x, window):
    paste(x, window, 1, True)


def paste_long(x, window):
    paste(x, window, 12)


def paste_too_long(x, window):
    paste(x, window, 40)


def paste_twice(x, window):
    paste(x, window, 4, twice=True)


def ask_often(x, window):
    import rawclient
    connection = rawclient.Connection()
    manager = connection.bind("zwlr_data_control_manager_v1")
    device, source = manager.get_data_device(connection.bind("wl_seat")), manager.create_data_source()
    kept = []
    source.on("send", lambda kind, fd: kept.append(fd))
    source.offer("text/plain;charset=utf-8")
    device.set_selection(source)
    connection.roundtrip()
    time.sleep(0.5)
    connection.roundtrip()
    # The shell asks, too, to keep what was copied.
    unanswered, kept = kept, []
    clipboard, text, property = x.atom(b"CLIPBOARD"), x.atom(b"UTF8_STRING"), x.atom(b"ANSWER")
    for _ in range(200):
        made = x.new_id()
        x.request(1, 0, struct.pack("<IIhhHHHHII", made, x.root, 0, 0, 1, 1, 0, 2, 0, 0))
        x.request(24, 0, struct.pack("<IIIII", made, clipboard, text, property, 0))
    refused, until = 0, time.monotonic() + 20
    while refused < 136 and time.monotonic() < until:
        connection.dispatch(0.05)
        while select.select([x.socket], [], [], 0)[0]:
            event = x.take(32)
            refused += event[0] & 0x7f == 31 and struct.unpack_from("<I", event, 20)[0] == 0
    connection.roundtrip()
    print("refused", refused, "asked for", len(kept))


def forge_destroy(x, window):
    x.request(15, 0, struct.pack("<I", x.root))
    tree = x.reply()
    for other in struct.unpack_from(f"<{struct.unpack_from('<H', tree, 16)[0]}I", tree, 32):
        if other != window:
            x.socket.sendall(send_event(x.root, struct.pack("<BBHII", 17, 0, 0, x.root, other), 0x180000))
    x.sync()
    print("sent")


def reparent(x, window, parent):
    x.request(7, 0, struct.pack("<IIhh", window, parent, 0, 0))


def into_another(x, window):
    inner = x.window(100, 100)
    x.text_property(inner, 39, "Inner")
    x.map(inner)
    x.sync()
    time.sleep(1)
    reparent(x, inner, window)
    x.sync()
    print("sent")


def out_of_another(x, window):
    import rawclient
    connection = rawclient.Connection()
    titles = []
    taskbar = connection.bind("zwlr_foreign_toplevel_manager_v1")
    taskbar.on("toplevel", lambda handle: handle.on("title", titles.append))
    connection.roundtrip()
    inner = x.new_id()
    x.request(1, 0, struct.pack("<IIhhHHHHIII", inner, window, 0, 0, 100, 100, 0, 1, 0, 0x2, 0x663399))
    x.text_property(inner, 39, "Inner")
    reparent(x, inner, x.root)
    x.map(inner)
    x.sync()
    watch(connection, lambda: "Inner" in titles)
    print(titles)


def end_window_manager(x, window):
    x.request(20, 0, struct.pack("<IIIII", x.root, x.atom(b"_NET_SUPPORTING_WM_CHECK"), 0, 0, 1))
    x.request(113, 0, struct.pack("<I", struct.unpack_from("<I", x.reply(), 32)[0]))
    print("sent", flush=True)
    time.sleep(10)   # till the X server ends


def main():
    x = Connection(sys.argv[1])
    window = x.window(300, 200)
    x.text_property(window, 39, "Flood")
    x.text_property(window, 67, "flood\0Flood\0")
    x.map(window)
    x.sync()
    time.sleep(1)
    globals()[sys.argv[2].replace("-", "_")](x, window)


if __name__ == "__main__":
    main()
