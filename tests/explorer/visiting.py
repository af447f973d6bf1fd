"""A page that was opened in a browser, with account of what it requested and what went wrong."""

from __future__ import annotations

from pathlib import Path


class Visit:
    """A page that was opened, with everything it requested and everything that went wrong."""

    def __init__(self, browser, file: Path, part: str = "#explorer", **options):
        self.context = browser.new_context(offline=True, **{"viewport": {"width": 1440, "height": 900}, **options})
        self.page = self.context.new_page()
        self.requested, self.wrong = [], []
        self.page.on("request", lambda request: self.requested.append(request.url))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda line: self.wrong.append(line.text))
        self.page.on("dialog", lambda dialog: (self.wrong.append(dialog.message), dialog.dismiss()))
        self.page.goto(file.as_uri() + part)
        self.own = file.as_uri()

    def text(self, selector: str) -> str:
        return self.page.text_content(selector)

    def focused(self) -> str:
        return self.page.evaluate("document.activeElement.id")

    def close(self) -> None:
        # Files that the page itself makes for the user (blob:) are no requests.
        assert [url.partition("#")[0] for url in self.requested if not url.startswith("blob:")] == [self.own]
        assert self.wrong == []
        self.context.close()
