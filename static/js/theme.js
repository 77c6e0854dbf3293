/* The colours that the visitor chose, set before anything is drawn. Loaded in the head, so it stays this small. */
(function () {
  "use strict";
  try {
    ["theme", "suits"].forEach(function (key) {
      const value = localStorage.getItem(key);
      if (value) document.documentElement.dataset[key] = value;
    });
  } catch (error) {
    /* A browser that keeps nothing follows its device. */
  }
})();
