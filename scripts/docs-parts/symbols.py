"""The public interface of MullionKit, from the symbol graph that Swift's compiler writes: a page for each type."""

import html
import re
import urllib.parse

from markdown import Renderer, plain

KINDS = {
    "swift.class": "Class", "swift.struct": "Structure", "swift.enum": "Enumeration", "swift.protocol": "Protocol",
    "swift.typealias": "Type alias", "swift.func": "Function", "swift.enum.case": "Case", "swift.init": "Initializer",
    "swift.property": "Property", "swift.type.property": "Type property", "swift.method": "Method",
    "swift.type.method": "Type method", "swift.subscript": "Subscript", "swift.func.op": "Operator", "swift.var": "Variable",
}
TYPES = {"swift.class", "swift.struct", "swift.enum", "swift.protocol"}
# Conformances that every type has.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype"}
GROUPS = [
    ("Types", TYPES | {"swift.typealias"}), ("Cases", {"swift.enum.case"}), ("Initializers", {"swift.init"}),
    ("Properties", {"swift.property", "swift.type.property", "swift.var"}),
    ("Methods", {"swift.method", "swift.type.method", "swift.subscript", "swift.func", "swift.func.op"}),
]


class Symbol:
    def __init__(self, entry, root):
        self.id = entry["identifier"]["precise"]
        self.path = entry["pathComponents"]
        self.kind = entry["kind"]["identifier"]
        self.fragments = entry.get("declarationFragments", [])
        self.comment = "\n".join(line["text"] for line in entry.get("docComment", {}).get("lines", []))
        place = entry.get("location")
        # Members that the compiler adds, such as init(rawValue:), have no place in the source.
        self.file = urllib.parse.unquote(urllib.parse.urlparse(place["uri"]).path) if place else None
        self.line = place["position"]["line"] + 1 if place else 0
        if self.file and self.file.startswith(f"{root}/"):
            self.file = self.file.removeprefix(f"{root}/")
        elif self.file:
            self.file = re.sub(r"^.*?/(?=Sources/)", "", self.file)

    name = property(lambda self: self.path[-1])
    title = property(lambda self: ".".join(self.path))
    is_type = property(lambda self: self.kind in TYPES)
    page = property(lambda self: f"api/{'.'.join(self.path if self.is_type else self.path[:-1]) or 'index'}.html")
    anchor = property(lambda self: "" if self.is_type else re.sub(r"[^\w.\-]", "-", self.name).strip("-"))
    address = property(lambda self: self.page + (f"#{self.anchor}" if self.anchor else ""))


class Reference:
    """- Parameter site: makes pages, and takes what is wrong and what the search finds."""

    def __init__(self, graph, site):
        self.site = site
        self.module = graph["module"]["name"]
        self.symbols = [Symbol(entry, site.root) for entry in graph["symbols"]]
        self.symbols = sorted((each for each in self.symbols if each.file), key=lambda each: (each.file, each.line, each.title))
        if not self.symbols:
            site.wrong("the symbol graph", 1, f"names no place in the sources: build {self.module} first")
        self.by_id = {each.id: each for each in self.symbols}
        self.by_title = {each.title: each for each in self.symbols}
        self.conformances = {}
        for relation in graph["relationships"]:
            if relation["kind"] == "conformsTo":
                target = self.by_id.get(relation["target"])
                name = target.title if target else relation.get("targetFallback", "").removeprefix("Swift.")
                self.conformances.setdefault(relation["source"], []).append(name)
        for each in self.symbols:
            if not each.comment.strip():
                site.wrong(each.file, each.line, f"{each.title} has no documentation")

    def find(self, code, near=()):
        """What code in a line names, seen from inside the type `near`; None if it is no symbol."""
        name = code.strip().removeprefix("try ").lstrip(".")
        if not re.match(r"^\w+(\.\w+)*(\([\w:]*\))?$", name):
            return None
        for depth in range(len(near), -1, -1):
            whole = ".".join([*near[:depth], name])
            if whole in self.by_title:
                return self.by_title[whole]
            base = whole.split("(")[0]
            # A function may be named without its labels.
            if depth > 0 or "." in base:
                same = [each for each in self.symbols if each.title.split("(")[0] == base]
                if len(same) == 1:
                    return same[0]
        return None

    def declaration(self, symbol, page):
        text, width = "", 0
        for each in symbol.fragments:
            spelling = html.escape(each["spelling"], quote=False)
            target = self.by_id.get(each.get("preciseIdentifier"))
            if target and target.id != symbol.id:
                spelling = f'<a href="{self.site.relative(target.address, page)}">{spelling}</a>'
            elif each["kind"] in ("keyword", "attribute"):
                spelling = f'<span class="word">{spelling}</span>'
            text += spelling
            width += len(each["spelling"])
        # A long list of parameters stands line by line.
        if width > 90 and symbol.kind in ("swift.init", "swift.method"):
            text = re.sub(r"(?<=\()(?=<|\w)", "\n    ", text, count=1)
            text = re.sub(r", (?=[\w]+[ :])", ",\n    ", text)
        return f'<pre class="declaration"><code>{text}</code></pre>'

    def comment(self, symbol, page):
        """The comment as HTML, with tables of parameters, results and errors."""
        near = symbol.path if symbol.is_type else symbol.path[:-1]

        def address(code):
            found = self.find(code, near)
            return self.site.relative(found.address, page) if found and found.id != symbol.id else None

        text, fields = split_fields(symbol.comment)
        for name in re.findall(r"(?<!`)``([^`\n]+)``(?!`)", text):
            if not self.find(name, near):
                self.site.wrong(symbol.file, symbol.line, f"``{name}`` names no symbol")

        def resolve(target, is_picture):
            return self.site.link(target, symbol.file, symbol.line, page, is_picture, base="")

        renderer = Renderer(resolve, address)
        body = renderer.document(with_documents(text))
        if fields:
            rows = "".join(f"<dt>{label}</dt><dd>{renderer.inline(value)}</dd>" for label, value in fields)
            body += f'<dl class="fields">{rows}</dl>'
        return body

    def member(self, symbol, page):
        self.site.find(symbol.title, KINDS.get(symbol.kind, "Symbol"), symbol.address, summary(symbol.comment))
        if symbol.is_type:
            address = self.site.relative(symbol.address, page)
            return (f'<div class="member type"><h3><a href="{address}"><code>{html.escape(symbol.name)}</code></a></h3>'
                    f"<p>{html.escape(summary(symbol.comment))}</p></div>")
        return (f'<div class="member" id="{symbol.anchor}"><h3><code>{html.escape(symbol.name)}</code>'
                f'<a class="mark" href="#{symbol.anchor}" aria-label="Link to this symbol">#</a></h3>'
                f"{self.declaration(symbol, page)}{self.comment(symbol, page)}</div>")

    def members(self, inside, page):
        out = ""
        for title, kinds in GROUPS:
            found = [each for each in self.symbols if each.path[:-1] == inside and each.kind in kinds]
            if found:
                out += f'<h2 id="{title.lower()}">{title}</h2>' + "".join(self.member(each, page) for each in found)
        return out

    def above(self, symbol, page):
        """Links to the module and to the types that a type lies in, and its kind."""
        links = f'<a href="index.html">{self.module}</a>'
        for depth in range(1, len(symbol.path)):
            outer = self.by_title.get(".".join(symbol.path[:depth]))
            if outer:
                links += f'<a href="{self.site.relative(outer.address, page)}">{html.escape(outer.name)}</a>'
        return f'<p class="kind"><span class="path">{links}</span> · {KINDS[symbol.kind]}</p>'

    def conforms(self, symbol):
        names = {name for name in self.conformances.get(symbol.id, []) if name} - IMPLIED
        listed = ", ".join(f"<code>{html.escape(name)}</code>" for name in sorted(names))
        return f'<p class="small">Conforms to {listed}.</p>' if listed else ""

    def write(self, introduction):
        for symbol in self.symbols:
            if symbol.is_type:
                page = symbol.page
                body = self.above(symbol, page) + f"<h1><code>{html.escape(symbol.title)}</code></h1>" + self.declaration(symbol, page)
                body += self.comment(symbol, page) + self.conforms(symbol) + self.members(symbol.path, page)
                self.site.page(page, symbol.title, body)
        body = f'<p class="kind">Library for apps</p><h1>{self.module}</h1>{introduction}'
        self.site.page("api/index.html", self.module, body + self.members([], "api/index.html"))


def with_documents(text):
    """Paths of documents, which comments of the source name as text, as links."""
    return re.sub(r"(?<![\w/`\[])docs/[\w./\-]+\.md(#[\w\-]+)?", lambda found: f"[{found.group(0)}]({found.group(0)})", text)


def summary(comment):
    return plain(re.split(r"\n\s*\n|\n- ", comment.strip())[0].replace("\n", " "))


def split_fields(comment):
    """The text of a comment, and its `- Parameter`, `- Returns` and `- Throws` items as pairs of label and text."""
    text, fields, current, in_list = [], [], None, False
    for line in comment.split("\n"):
        found = re.match(r"^- (Parameters|Parameter (\w+)|Returns|Throws):\s*(.*)$", line)
        inner = re.match(r"^ +- (\w+):\s*(.*)$", line) if in_list else None
        if found:
            in_list = found.group(1) == "Parameters"
            current = None if in_list else [f"<code>{found.group(2)}</code>" if found.group(2) else found.group(1), found.group(3)]
        elif inner:
            current = [f"<code>{inner.group(1)}</code>", inner.group(2)]
        elif current and line.startswith(" ") and line.strip():
            current[1] += " " + line.strip()
            continue
        else:
            current, in_list = None, in_list and not line.strip()
            text.append(line)
            continue
        if current:
            fields.append(current)
    return "\n".join(text).strip(), fields
