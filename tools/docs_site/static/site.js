"use strict";
// The contents are long: show the entry of the page that is open.
const entry = document.querySelector(".sidebar-tree .current-page");
const scroller = entry && entry.closest(".sidebar-scroll");
if (scroller) {
  const above = entry.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollTop += above - scroller.clientHeight / 3;
}
