/* What every page shares: the choices of colours, menus that close, messages, dialogs, explanations that stay in view. */
(function () {
  "use strict";

  function remember(key, value) {
    try {
      if (value) localStorage.setItem(key, value);
      else localStorage.removeItem(key);
    } catch (error) {
      /* Then the choice holds for this page only. */
    }
  }

  /* Colours of the page and of the suits: kept on this device, and set on the page's root before it is drawn (theme.js). */
  function startDeviceChoices() {
    const form = document.querySelector("[data-device-choices]");
    if (!form) return;
    form.querySelectorAll("[data-device-choice]").forEach(function (choice) {
      const key = choice.dataset.deviceChoice;
      choice.value = document.documentElement.dataset[key] || "";
      choice.addEventListener("change", function () {
        if (choice.value) document.documentElement.dataset[key] = choice.value;
        else delete document.documentElement.dataset[key];
        remember(key, choice.value);
      });
    });
    form.hidden = false;
  }

  function closeMenus(except) {
    document.querySelectorAll("details[data-menu][open]").forEach(function (menu) {
      if (!except || !menu.contains(except)) menu.open = false;
    });
  }

  function closeOnEscape(event) {
    if (event.key !== "Escape") return;
    const menu = event.target.closest ? event.target.closest("details[data-menu][open]") : null;
    closeMenus(null);
    if (menu) menu.querySelector("summary").focus();
  }

  /* An explanation inside a scrolling table would be cut off: while it is open it floats over the page. */
  function placeExplanation(event) {
    place(event.target);
  }

  /* One that was fetched is larger than what held its place. */
  function placeFetched(event) {
    const menu = event.target.closest ? event.target.closest("details.why") : null;
    if (menu) place(menu);
  }

  function place(menu) {
    if (!menu.open || !menu.classList || !menu.classList.contains("why")) return;
    const body = menu.querySelector(".why-body");
    const at = menu.querySelector("summary").getBoundingClientRect();
    const gap = 6;
    const edge = 12;
    body.style.position = "fixed";
    body.style.inset = "auto";
    const size = body.getBoundingClientRect();
    const left = Math.min(Math.max(edge, at.right - size.width), window.innerWidth - size.width - edge);
    const below = at.bottom + gap + size.height < window.innerHeight;
    body.style.left = Math.max(edge, left) + "px";
    body.style.top = Math.max(edge, below ? at.bottom + gap : at.top - gap - size.height) + "px";
  }

  function closeExplanations() {
    document.querySelectorAll("details.why[open]").forEach(function (menu) {
      menu.open = false;
    });
  }

  /* The browser's own time zone leads the zones; where a club is new, it is chosen already. */
  function offerOwnZone() {
    const list = document.querySelector("select[data-own-zone]");
    if (!list) return;
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const option = [...list.options].find((each) => each.value === own);
    if (!option) return;
    const isUntouched = [...list.options].every((each) => each.selected === each.defaultSelected);
    const isSent = list.closest("form").querySelector("[aria-invalid], .errorlist") !== null;
    list.insertBefore(option, [...list.options].find((each) => each.value));
    if (list.dataset.ownZone === "choose" && isUntouched && !isSent) option.selected = true;
  }

  function dismissible(root) {
    root.querySelectorAll("[data-dismiss][hidden]").forEach(function (button) {
      button.hidden = false;
    });
  }

  /* Shows a short message; others call window.concertmaster.toast("Saved", "success"). */
  function toast(text, kind) {
    const box = document.getElementById("messages");
    if (!box) return;
    const line = document.createElement("div");
    line.className = "toast " + (kind || "success");
    const words = document.createElement("p");
    words.textContent = text;
    line.append(words);
    box.append(line);
    window.setTimeout(function () {
      line.remove();
    }, 8000);
  }

  /* Tells readers something without moving anything on the screen. */
  function announce(text) {
    const region = document.getElementById("announcements");
    if (!region) return;
    region.textContent = "";
    window.setTimeout(function () {
      region.textContent = text;
    }, 50);
  }

  /* Copies a link for somebody else: the page's own address, or the one that the button names. */
  async function copyAddress(said) {
    try {
      await navigator.clipboard.writeText(said.address || window.location.href);
      toast(said.copied);
      announce(said.copied);
    } catch (error) {
      toast(said.notCopied, "warning");
      announce(said.notCopied);
    }
  }

  function onClick(event) {
    const target = event.target.closest ? event.target : null;
    closeMenus(target);
    if (!target) return;
    const opener = target.closest("[data-opens]");
    const dismiss = target.closest("[data-dismiss]");
    const printer = target.closest("[data-print]");
    if (opener) {
      const box = document.getElementById(opener.dataset.opens);
      if (box && box.showModal) box.showModal();
    }
    if (dismiss) dismiss.closest("[data-toast]").remove();
    if (target.closest("[data-copy-address]")) copyAddress(target.closest("[data-copy-address]").dataset);
    if (printer) window.print();
    if (target.matches("dialog.dialog")) target.close();
  }

  function onChange(event) {
    const form = event.target.closest("[data-submit-on-change]");
    if (form) form.requestSubmit();
  }

  function onServerTrouble(event) {
    const detail = event.detail || {};
    const body = document.body.dataset;
    toast(detail.xhr && detail.xhr.status ? body.troubleText || "" : body.offlineText || "", "error");
  }

  document.addEventListener("click", onClick);
  document.addEventListener("change", onChange);
  document.addEventListener("keydown", closeOnEscape);
  document.addEventListener("toggle", placeExplanation, true);
  document.addEventListener("htmx:afterSwap", placeFetched);
  window.addEventListener("scroll", closeExplanations, { passive: true });
  document.addEventListener("htmx:responseError", onServerTrouble);
  document.addEventListener("htmx:sendError", onServerTrouble);
  /* A long form that comes back begins where something is wrong, not at its top. */
  function goToTheFirstFault() {
    const fault = document.querySelector("main .field.has-errors");
    const field = fault && fault.querySelector("input:not([type=hidden]), select, textarea");
    if (field && !location.hash) field.focus();
  }

  /* A moment in the reader's own time, which only the device knows. */
  function showLocalTimes() {
    const format = new Intl.DateTimeFormat(document.documentElement.lang, { weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    document.querySelectorAll("time[data-local-time]").forEach(function (moment) {
      moment.textContent = format.format(new Date(moment.dateTime));
      moment.parentElement.hidden = false;
    });
  }

  startDeviceChoices();
  offerOwnZone();
  showLocalTimes();
  dismissible(document);
  goToTheFirstFault();
  window.concertmaster = { toast: toast, announce: announce };
})();
