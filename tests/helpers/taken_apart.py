"""Takes pages of HTML apart, and refuses tags that are closed in the wrong place."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "hr", "img"}


class Page(HTMLParser):
    """A page taken apart; a tag that is closed in the wrong place is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)
