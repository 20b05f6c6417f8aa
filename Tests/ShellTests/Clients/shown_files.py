"""Files for tests of quick look, and a program that hands files over to the shell:

    shown_files.py make FOLDER
    shown_files.py view OUTPUT NAME=PATH...

The second prints what the shell answers. A path "-" is a pipe, and "!PATH" a file that is removed once it is open.
"""
import math
import os
import struct
import sys
import wave
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, row=None, body=None, depth=8, kind=2, claimed=None):
    """`row(y)`: the bytes of a row; `body`: all of them, packed."""
    if body is None:
        body = zlib.compress(b"".join(b"\0" + row(y) for y in range(height)))
    size = claimed or (width, height)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", *size, depth, kind, 0, 0, 0)) + chunk(b"IDAT", body)
            + chunk(b"IEND", b""))


def bomb(side):
    """A black square that fills a thousand times as much memory as the file. A hundred rows are packed once and repeated."""
    rows = (b"\0" * (1 + side // 8)) * 100
    packer, check = zlib.compressobj(wbits=-zlib.MAX_WBITS), 1
    block = packer.compress(rows) + packer.flush(zlib.Z_FULL_FLUSH)
    for _ in range(side // 100):
        check = zlib.adler32(rows, check)
    body = b"\x78\x9c" + block * (side // 100) + packer.flush() + struct.pack(">I", check)
    return png(side, side, body=body, depth=1, kind=0)


def plain(colour, width=400, height=300):
    return png(width, height, lambda y: bytes(colour) * width)


def quarters(width=800, height=600):
    half = width // 2
    rows = [bytes(a) * half + bytes(b) * half for a, b in (((200, 40, 40), (40, 160, 60)), ((40, 60, 200), (230, 200, 40)))]
    return png(width, height, lambda y: rows[0 if y < height // 2 else 1])


def pdf(colours):
    """A page of each colour."""
    things = [b"<</Type/Catalog/Pages 2 0 R>>",
              b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(colours), b" ".join(b"%d 0 R" % (3 + 2 * n) for n in range(len(colours))))]
    for number, colour in enumerate(colours):
        drawing = b"%g %g %g rg 0 0 600 800 re f" % tuple(part / 255 for part in colour)
        things.append(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R>>" % (4 + 2 * number))
        things.append(b"<</Length %d>>stream\n" % len(drawing) + drawing + b"\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, thing in enumerate(things):
        places.append(len(out))
        out += b"%d 0 obj\n" % (number + 1) + thing + b"\nendobj\n"
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(things) + 1) + b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(things) + 1, table)


def make(folder):
    os.makedirs(folder, exist_ok=True)

    def put(name, content):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)

    put("red.png", plain((200, 40, 40)))
    put("green.png", plain((40, 160, 60)))
    put("blue.png", plain((40, 60, 200)))
    put("quarters.png", quarters())
    put("pages.pdf", pdf([(200, 40, 40), (40, 160, 60), (40, 60, 200)]))
    put("text.txt", "\n".join(f"{n}  다람쥐 헌 쳇바퀴에 타고파. いろはにほへと ちりぬるを。漢字 The quick brown fox." for n in range(1, 600)).encode())
    put("broken.png", plain((200, 40, 40))[:60] + b"nonsense" * 20)
    put("claimed.png", png(1, 1, lambda y: b"\0\0\0", claimed=(2**31 - 1, 2**31 - 1)))
    put("bomb.png", bomb(30000))
    put("garbage.pdf", b"%PDF-1.7\n" + bytes((n * 73 + n // 7) % 256 for n in range(20000)))
    put("empty.png", b"")
    put("noise.bin", bytes((n * 31 + 7) % 256 for n in range(3000)))
    os.mkfifo(os.path.join(folder, "pipe.png"))
    os.mkdir(os.path.join(folder, "folder.png"))
    with wave.open(os.path.join(folder, "tone.wav"), "wb") as tone:
        tone.setparams((1, 2, 44100, 0, "NONE", ""))
        tone.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(n * 0.06))) for n in range(44100)))


def view(output, files):
    from gi.repository import Gio, GLib

    handles, pairs = Gio.UnixFDList.new(), []
    for file in files:
        name, path = file.split("=", 1)
        if path == "-":
            descriptor = os.pipe()[0]
        else:
            # Open for writing, as editors have their files: the shell must not pass that on.
            descriptor = os.open(path.removeprefix("!"), os.O_RDONLY if os.path.isdir(path) else os.O_RDWR)
            if path.startswith("!"):
                os.unlink(path[1:])
        pairs.append((handles.append(descriptor), name))
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    try:
        answer = bus.call_with_unix_fd_list_sync(
            "org.mullion.Views1", "/org/mullion/Views1", "org.mullion.Views1", "View", GLib.Variant("(a(hs)a{sv})", (pairs, {})),
            GLib.VariantType("(s)"), Gio.DBusCallFlags.NONE, 60000, handles, None)[0].unpack()[0]
    except GLib.Error as error:
        answer = error.message
    with open(output + ".part", "w") as file:
        file.write(answer + "\n")
    os.rename(output + ".part", output)


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    view(sys.argv[2], sys.argv[3:])
