"""Mullion's own protocols, from their XML: those of Wayland, and the interfaces on the session bus."""

import html
import pathlib
import re
import textwrap
import xml.parsers.expat

from markdown import Renderer


class Element:
    def __init__(self, tag, attributes, line):
        self.tag, self.line, self.text, self.children = tag, line, "", []
        self.get = attributes.get

    def all(self, *tags):
        return [child for child in self.children if child.tag in tags]


def parse(path):
    root = Element("", {}, 0)
    open_, parser = [root], xml.parsers.expat.ParserCreate()

    def start(tag, attributes):
        element = Element(tag, attributes, parser.CurrentLineNumber)
        open_[-1].children.append(element)
        open_.append(element)

    def text(characters):
        open_[-1].text += characters

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, lambda tag: open_.pop(), text
    parser.Parse(path.read_bytes(), True)
    return root.children[0]


def kind_of(path):
    """"wayland" or "bus" for a protocol of Mullion's own; None for others."""
    name = pathlib.PurePath(path).name
    return "wayland" if name.startswith("mullion-") else "bus" if name.startswith("org.mullion.") else None


class Page:
    def __init__(self, path, site):
        self.site = site
        self.path = path
        self.file = f"Protocols/{path.name}"
        self.page = f"protocols/{path.stem}.html"
        self.root = parse(path)
        self.is_wayland = kind_of(path) == "wayland"
        self.name = self.root.get("name") if self.is_wayland else path.stem
        self.renderer = Renderer()

    def item(self):
        """The protocol in the list of all."""
        found = self.root.all("description")
        summary = f": {html.escape(found[0].get('summary') or '')}" if found else ""
        return f'<li><a href="{self.path.stem}.html"><code>{html.escape(self.name)}</code></a>{summary}</li>'

    def guides(self):
        names = sorted(set(re.findall(r"docs/[\w\-]+\.md", self.path.read_text(encoding="utf-8"))))
        links = []
        for name in names:
            line = next(number for number, text in enumerate(self.path.read_text(encoding="utf-8").split("\n"), 1) if name in text)
            links.append(f'<a href="{html.escape(self.site.link(name, self.file, line, self.page, base=""))}">{self.site.title(name)}</a>')
        links.append(f'<a href="{html.escape(self.site.link(self.file, self.file, 1, self.page, base=""))}">XML</a>')
        return " · ".join(links)

    def description(self, element, is_needed=True):
        found = element.all("description")
        short = found[0].get("summary") if found else element.get("summary")
        long = textwrap.dedent(found[0].text.strip("\n")).strip() if found else ""
        if is_needed and not short and not long:
            self.site.wrong(self.file, element.line, f"{element.tag} {element.get('name')} has no description")
        first = f'<p class="summary">{html.escape(short[:1].upper() + short[1:])}.</p>' if short else ""
        return first + "".join(f"<p>{self.marked(part)}</p>" for part in re.split(r"\n\s*\n", long) if part), short or long

    def marked(self, text):
        """Text with names of requests, events and interfaces of this file as code."""
        text = self.renderer.inline(text)
        return re.sub(r"\b[a-z]+(?:_[a-z0-9]+)+\b", lambda found: f"<code>{found.group(0)}</code>", text)

    def type(self, argument, interface):
        kind = argument.get("type")
        if argument.get("interface"):
            other = argument.get("interface")
            shown = f"<code>{html.escape(other)}</code>"
            kind += " of " + (f'<a href="#{other}">{shown}</a>' if other in self.interfaces else shown)
        if argument.get("enum"):
            names = argument.get("enum").split(".")
            owner = names[0] if len(names) > 1 else interface
            kind = f'<a href="#{owner}.enum.{names[-1]}"><code>{html.escape(argument.get("enum"))}</code></a> ({kind})'
        return kind + (", or null" if argument.get("allow-null") == "true" else "")

    def message(self, element, interface):
        name, anchor = element.get("name"), f"{interface}.{element.tag}.{element.get('name')}"
        body, short = self.description(element)
        notes = [element.tag]
        if element.get("type") == "destructor":
            notes.append("destroys the object")
        if element.get("since"):
            notes.append(f"since version {element.get('since')}")
        arguments = element.all("arg")
        rows = "".join(
            f"<tr><td><code>{html.escape(each.get('name'))}</code></td><td>{self.type(each, interface)}</td>"
            f"<td>{self.marked(each.get('summary') or '')}</td></tr>" for each in arguments)
        table = f'<div class="table"><table><tbody>{rows}</tbody></table></div>' if rows else ""
        signature = f"{name}({', '.join(each.get('name') for each in arguments)})"
        self.site.find(f"{interface}.{name}", element.tag.capitalize(), f"{self.page}#{anchor}", short)
        return (f'<div class="member" id="{anchor}"><h3><code>{html.escape(signature)}</code> <span class="small">{", ".join(notes)}</span>'
                f'<a class="mark" href="#{anchor}" aria-label="Link to this {element.tag}">#</a></h3>{body}{table}</div>')

    def enumeration(self, element, interface):
        anchor = f"{interface}.enum.{element.get('name')}"
        body, short = self.description(element, is_needed=False)
        rows = "".join(
            f"<tr><td><code>{html.escape(each.get('name'))}</code></td><td class=\"right\">{each.get('value')}</td>"
            f"<td>{self.marked(self.description(each)[1] or '')}</td></tr>" for each in element.all("entry"))
        notes = "bits" if element.get("bitfield") == "true" else "enum"
        entries = " ".join(f"{each.get('name')} {each.get('summary') or ''}" for each in element.all("entry"))
        self.site.find(f"{interface}.{element.get('name')}", "Enum", f"{self.page}#{anchor}", f"{short or ''} {entries}")
        return (f'<div class="member" id="{anchor}"><h3><code>{html.escape(element.get("name"))}</code> <span class="small">{notes}</span>'
                f'<a class="mark" href="#{anchor}" aria-label="Link to this enum">#</a></h3>{body}'
                f'<div class="table"><table><tbody>{rows}</tbody></table></div></div>')

    def bus_member(self, element, interface):
        name, anchor = element.get("name"), f"{interface}.{element.get('name')}"
        listed = lambda direction: [each for each in element.all("arg") if (each.get("direction") or "in") == direction]
        words = lambda arguments: ", ".join(f"{each.get('name')}: {each.get('type')}" for each in arguments)
        if element.tag == "property":
            signature = f"{name}: {element.get('type')}"
        else:
            signature = f"{name}({words(listed('in'))})" + (f" → ({words(listed('out'))})" if listed("out") else "")
        self.site.find(f"{interface}.{name}", f"Bus {element.tag}", f"{self.page}#{anchor}", signature)
        return (f'<div class="member" id="{anchor}"><h3><code>{html.escape(name)}</code> <span class="small">{element.tag}</span>'
                f'<a class="mark" href="#{anchor}" aria-label="Link to this {element.tag}">#</a></h3>'
                f'<pre class="declaration"><code>{html.escape(signature)}</code></pre></div>')

    def write(self):
        self.interfaces = {each.get("name") for each in self.root.all("interface")}
        kind = "Wayland protocol" if self.is_wayland else "Interface on the session bus"
        body = f'<p class="kind">{kind} · {self.guides()}</p><h1><code>{html.escape(self.name)}</code></h1>'
        if self.is_wayland:
            text, short = self.description(self.root)
            body += text
            self.site.find(self.name, kind, self.page, short)
        else:
            body += "<p>The guide above says what each member is for. Types are D-Bus signatures.</p>"
            self.site.find(self.name, kind, self.page, "")
        for interface in self.root.all("interface"):
            name = interface.get("name")
            version = f' <span class="small">version {interface.get("version")}</span>' if interface.get("version") else ""
            mark = f'<a class="mark" href="#{name}" aria-label="Link to this heading">#</a>'
            body += f'<h2 id="{name}"><code>{html.escape(name)}</code>{version}{mark}</h2>'
            if self.is_wayland:
                text, short = self.description(interface)
                body += text
                self.site.find(name, "Interface", f"{self.page}#{name}", short)
                body += "".join(self.message(each, name) for each in interface.all("request") + interface.all("event"))
                body += "".join(self.enumeration(each, name) for each in interface.all("enum"))
            else:
                body += "".join(self.bus_member(each, name) for each in interface.all("method", "signal", "property"))
        self.site.page(self.page, self.name, body)
