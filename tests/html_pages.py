"""Pages and fragments of HTML as tests look at them."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """The elements with their attributes, the text, and the text of the listings of CPL.

    Every element that holds others is closed in order, and none has a script of its own.
    """

    LAX = frozenset(["meta", "td", "th", "tr", "li", "wbr", "link", "br"])

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str | None]] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = self.listing = ""
        self.feed(html)
        self.close()
        assert self.open == []

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in self.LAX:
            self.open.append((tag, dict(attrs).get("class")))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any(name.startswith("on") for name, _ in attrs)
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.LAX:
            assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1][0] == "style":
            return
        self.text += data
        if ("pre", "cpl") in self.open:
            self.listing += data
