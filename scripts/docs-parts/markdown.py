"""The part of Markdown that Mullion's documents use, as HTML: headings, paragraphs, lists, tables, code, quotations, links, pictures."""

import html
import re

FENCE = re.compile(r"^ *(```|~~~)")
ITEM = re.compile(r"^( *)([-*]|\d+\.) +(?=\S)")
HEADING = re.compile(r"^(#{1,6}) +(.*?) *#*$")
# A link's text may hold a picture. It may be broken into two lines, but not by an empty one.
LINK = re.compile(r"(!?)\[((?:!\[(?:[^\]\n]|\n(?!\s*\n))*\]\([^)\s]*\)|[^\[\]\n]|\n(?!\s*\n))*)\]\(([^)\s]*)\)")
CODE = re.compile(r"(`+)(.+?)\1(?!`)", re.DOTALL)


def plain(text):
    """Markdown without its marks, for titles and the search."""
    text = LINK.sub(lambda found: found.group(2), LINK.sub(lambda found: found.group(2), text))
    text = re.sub(r"(?<![\\\w])[*_]{1,2}(\S(?:.*?\S)?)[*_]{1,2}(?!\w)", r"\1", CODE.sub(lambda found: found.group(2), text))
    return re.sub(r"\\([\\`*_{}\[\]()#+\-.!|<>])", r"\1", text)


def slug(title, taken):
    """The name of a heading in links, as GitHub makes it."""
    base = re.sub(r"[^\w\- ]", "", plain(title).strip().lower()).replace(" ", "-")
    name, count = base, 0
    while name in taken:
        count += 1
        name = f"{base}-{count}"
    taken.add(name)
    return name


def without_code(text):
    """The text with code as spaces, so that each character keeps its place."""
    lines, fence = [], None
    for line in text.split("\n"):
        found = FENCE.match(line)
        if fence is None and found:
            fence = found.group(1)
            lines.append(" " * len(line))
        elif fence is not None:
            if found and found.group(1) == fence:
                fence = None
            lines.append(" " * len(line))
        else:
            lines.append(line)
    blank = lambda found: re.sub(r"[^\n]", " ", found.group(0))
    # Code in a line does not reach over an empty line.
    return "\n\n".join(CODE.sub(blank, part) for part in "\n".join(lines).split("\n\n"))


def links(text):
    """Each link and picture: its line, whether it is a picture, and its target."""
    text = without_code(text)
    left = [(0, text)]
    while left:
        start, part = left.pop()
        for found in LINK.finditer(part):
            yield text.count("\n", 0, start + found.start(3)) + 1, found.group(1) == "!", found.group(3)
            if found.group(1) != "!":
                left.append((start + found.start(2), found.group(2)))


class Renderer:
    """- Parameter resolve: the address of a link's target on the site.
    - Parameter symbol: the address of what code in a line names; None if it names nothing."""

    def __init__(self, resolve=lambda target, is_picture: target, symbol=lambda code: None):
        self.resolve = resolve
        self.symbol = symbol
        self.taken = set()
        # For the search: level, title, name, text.
        self.sections = []

    def inline(self, text):
        kept = []

        def keep(piece):
            kept.append(piece)
            return f"\0{len(kept) - 1}\0"

        def code(found):
            body = found.group(2).strip() if found.group(1) != "`" else found.group(2)
            address = self.symbol(body)
            body = f"<code>{html.escape(body, quote=False)}</code>"
            return keep(f'<a href="{html.escape(address)}">{body}</a>' if address else body)

        def link(found):
            address = html.escape(self.resolve(found.group(3), found.group(1) == "!"))
            if found.group(1) == "!":
                return keep(f'<img src="{address}" alt="{html.escape(plain(restored(found.group(2))))}" loading="lazy">')
            # No link in a link.
            body = re.sub(r'<a href="[^"]*">(.*?)</a>', r"\1", restored(render(found.group(2))))
            return keep(f'<a href="{address}">{body}</a>')

        def restored(text):
            while "\0" in text:
                text = re.sub(r"\0(\d+)\0", lambda found: kept[int(found.group(1))], text)
            return text

        def render(text):
            text = LINK.sub(link, text)
            text = re.sub(r"<(https?://[^ >]+)>", lambda found: keep(f'<a href="{found.group(1)}">{found.group(1)}</a>'), text)
            text = re.sub(r"<(br|/?kbd|/?sub|/?sup) ?/?>", lambda found: keep(f"<{found.group(1)}>"), text)
            text = html.escape(text, quote=False)
            text = re.sub(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", r"<strong>\1</strong>", text, flags=re.DOTALL)
            return re.sub(r"(?<![\w*])([*_])(?=[^\s*_])(.+?)(?<=\S)\1(?![\w*])", r"<em>\2</em>", text, flags=re.DOTALL)

        text = CODE.sub(code, text.replace("\0", ""))
        text = re.sub(r"\\([\\`*_{}\[\]()#+\-.!|<>])", lambda found: keep(html.escape(found.group(1))), text)
        return restored(render(text))

    def document(self, text):
        return self.blocks(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL).split("\n"))

    def note(self, text):
        if self.sections:
            self.sections[-1][3].append(plain(text))

    def blocks(self, lines):
        out, at = [], 0
        while at < len(lines):
            line = lines[at]
            fence = FENCE.match(line)
            heading = HEADING.match(line)
            if not line.strip():
                at += 1
            elif fence:
                indent, body = len(line) - len(line.lstrip()), []
                at += 1
                while at < len(lines) and not lines[at].strip().startswith(fence.group(1)):
                    body.append(lines[at][indent:] if not lines[at][:indent].strip() else lines[at])
                    at += 1
                at += 1
                out.append(f"<pre><code>{html.escape(chr(10).join(body), quote=False)}</code></pre>")
            elif heading:
                level, title = len(heading.group(1)), heading.group(2)
                name = slug(title, self.taken)
                self.sections.append((level, plain(title), name, []))
                mark = f'<a class="mark" href="#{name}" aria-label="Link to this heading">#</a>' if level > 1 else ""
                out.append(f'<h{level} id="{name}">{self.inline(title)}{mark}</h{level}>')
                at += 1
            elif re.match(r"^ *([-*_] *){3,}$", line):
                out.append("<hr>")
                at += 1
            elif line.startswith(">"):
                body = []
                while at < len(lines) and lines[at].startswith(">"):
                    body.append(re.sub(r"^> ?", "", lines[at]))
                    at += 1
                out.append(f"<blockquote>{self.blocks(body)}</blockquote>")
            elif ITEM.match(line):
                piece, at = self.list(lines, at)
                out.append(piece)
            elif line.startswith("    "):
                body = []
                while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
                    body.append(lines[at][4:])
                    at += 1
                out.append(f"<pre><code>{html.escape(chr(10).join(body).rstrip(), quote=False)}</code></pre>")
            elif line.lstrip().startswith("|") and at + 1 < len(lines) and re.match(r"^ *\|[-:| ]+\|? *$", lines[at + 1]):
                piece, at = self.table(lines, at)
                out.append(piece)
            else:
                body = []
                while at < len(lines) and lines[at].strip() and not (body and self.starts_block(lines[at])):
                    body.append(lines[at].strip())
                    at += 1
                text = "\n".join(body)
                self.note(text)
                out.append(f"<p>{self.inline(text)}</p>")
        return "\n".join(out)

    @staticmethod
    def starts_block(line):
        return FENCE.match(line) or HEADING.match(line) or ITEM.match(line) or line.startswith(("|", ">"))

    def list(self, lines, at):
        first = ITEM.match(lines[at])
        indent, is_ordered = len(first.group(1)), first.group(2)[0].isdigit()
        items = []
        while at < len(lines):
            found = ITEM.match(lines[at])
            if not found or len(found.group(1)) != indent or found.group(2)[0].isdigit() != is_ordered:
                break
            inner, body = found.end(), [lines[at][found.end():]]
            at += 1
            while at < len(lines):
                line = lines[at]
                depth = len(line) - len(line.lstrip())
                if not line.strip():
                    # An empty line belongs to the item only if more of the item follows.
                    after = next((each for each in lines[at:] if each.strip()), "")
                    if len(after) - len(after.lstrip()) < inner:
                        break
                elif depth <= indent and (self.starts_block(line) or not lines[at - 1].strip()):
                    break
                body.append(line[inner:] if not line[:inner].strip() else line.lstrip() if depth <= indent else line[indent + 1:])
                at += 1
            items.append(self.item(body))
            while at < len(lines) and not lines[at].strip() and at + 1 < len(lines) and ITEM.match(lines[at + 1]):
                at += 1
        kind = "ol" if is_ordered else "ul"
        return f"<{kind}>{''.join(f'<li>{item}</li>' for item in items)}</{kind}>", at

    def item(self, body):
        content = self.blocks(body)
        # The only paragraph of an item stands without its space.
        return re.sub(r"^<p>(.*?)</p>", r"\1", content, count=1, flags=re.DOTALL) if content.count("<p>") == 1 else content

    def table(self, lines, at):
        def cells(line):
            line = line.strip().removeprefix("|").removesuffix("|")
            # No bar of code, and none with a backslash, ends a cell.
            hidden = CODE.sub(lambda found: found.group(0).replace("|", "\1"), line.replace("\\|", "\1"))
            return [cell.strip().replace("\1", "|") for cell in hidden.split("|")]

        head = cells(lines[at])
        alignments = [cell.endswith(":") for cell in cells(lines[at + 1])]
        at += 2
        rows = []
        while at < len(lines) and lines[at].lstrip().startswith("|"):
            rows.append(cells(lines[at]))
            self.note(" ".join(rows[-1]))
            at += 1

        def row(kind, values):
            right = lambda index: ' class="right"' if index < len(alignments) and alignments[index] else ""
            return f"<tr>{''.join(f'<{kind}{right(index)}>{self.inline(value)}</{kind}>' for index, value in enumerate(values))}</tr>"

        top = f"<thead>{row('th', head)}</thead>" if any(head) else ""
        return f'<div class="table"><table>{top}<tbody>{"".join(row("td", each) for each in rows)}</tbody></table></div>', at
