"use strict";
// The contents are long: show the entry of the page that is open.
const entry = document.querySelector(".sidebar-tree .current-page");
const scroller = entry && entry.closest(".sidebar-scroll");
if (scroller) {
  const above = entry.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollTop += above - scroller.clientHeight / 3;
}

// The blocks of Python on a page are one session: a block is copied with those above it, so that it runs when pasted alone.
function sessionUpTo(blocks, last) {
  return blocks.slice(0, last + 1).map((text) => text.trimEnd()).join("\n\n") + "\n";
}

function addCopyButtons() {
  const boxes = [...document.querySelectorAll("article div.highlight-python")];
  const texts = boxes.map((box) => box.querySelector("pre").textContent);
  boxes.forEach((box, j) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = j ? "Copy with the blocks above" : "Copy";
    button.addEventListener("click", async () => {
      const label = button.textContent;
      await navigator.clipboard.writeText(sessionUpTo(texts, j));
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = label), 1500);
    });
    box.prepend(button);
  });
}

addCopyButtons();
