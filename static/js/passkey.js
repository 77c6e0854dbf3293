/* Passkeys: making one instead of a password, and saying plainly where a browser can't. Each part has the attribute
   data-passkey; of what it holds under data-passkey-state, what holds here is shown. */
(function () {
  "use strict";

  const parts = document.querySelectorAll("[data-passkey]");

  function show(part, state) {
    part.querySelectorAll("[data-passkey-state]").forEach(function (each) {
      each.hidden = !each.dataset.passkeyState.split(" ").includes(state);
    });
  }

  function possible() {
    if (!window.isSecureContext) return "insecure";
    return window.PublicKeyCredential && navigator.credentials ? "ready" : "unable";
  }

  async function make(part) {
    const form = part.closest("form");
    const known = [form.elements.name, form.elements.email].filter(Boolean);
    if (!known.every((field) => field.reportValidity())) return undefined;
    const body = new FormData();
    ["csrfmiddlewaretoken", "email", "name"].forEach(function (name) {
      body.append(name, form.elements[name] ? form.elements[name].value : part.dataset.name || "");
    });
    try {
      const answer = await fetch(part.dataset.passkey, { method: "POST", body: body });
      if (!answer.ok) return show(part, "failed");
      const credential = await window.webauthnJSON.create(await answer.json());
      form.elements.credential.value = JSON.stringify(credential);
    } catch (error) {
      return show(part, "failed");
    }
    return form.submit();
  }

  parts.forEach(function (part) {
    show(part, possible());
    const button = part.querySelector("[data-passkey-make]");
    if (button) button.addEventListener("click", () => make(part));
  });

  // What the library's own scripts couldn't do.
  document.addEventListener("allauth.error", function (event) {
    event.preventDefault();
    parts.forEach((part) => show(part, possible() === "ready" ? "failed" : possible()));
  });
})();
