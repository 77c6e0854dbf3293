/* The colours that the visitor chose, set before anything is drawn. Loaded in the head, so it stays this small. */
(function () {
  "use strict";
  try {
    const theme = localStorage.getItem("theme");
    if (theme) document.documentElement.dataset.theme = theme;
  } catch (error) {
    /* A browser that keeps nothing follows its device. */
  }
})();
