/* Turning on pushes for this device: the browser asks its push service for an address, and the form sends it to us. */
(function () {
  "use strict";

  const part = document.querySelector("[data-push]");
  if (!part) return;

  function show(state) {
    part.querySelectorAll("[data-push-state]").forEach(function (each) {
      each.hidden = each.dataset.pushState !== state;
    });
  }

  function bytes(text) {
    const whole = text.replace(/-/g, "+").replace(/_/g, "/");
    return Uint8Array.from(atob(whole), (letter) => letter.charCodeAt(0));
  }

  function encoded(buffer) {
    const letters = String.fromCharCode(...new Uint8Array(buffer));
    return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }

  async function digestOf(text) {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  async function turnOn(event) {
    event.preventDefault();
    const form = event.target;
    try {
      if ((await Notification.requestPermission()) !== "granted") return show("denied");
      const worker = await navigator.serviceWorker.ready;
      const old = await worker.pushManager.getSubscription();
      if (old) await old.unsubscribe();
      const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(part.dataset.push) });
      form.elements.endpoint.value = made.endpoint;
      form.elements.p256dh.value = encoded(made.getKey("p256dh"));
      form.elements.auth.value = encoded(made.getKey("auth"));
    } catch (error) {
      return show("failed");
    }
    return form.submit();
  }

  async function begin() {
    if (!window.isSecureContext) return show("insecure");
    if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return show("unable");
    if (Notification.permission === "denied") return show("denied");
    show("off");
    part.querySelector("form[data-push-form]").addEventListener("submit", turnOn);
    const worker = await navigator.serviceWorker.ready;
    const now = await worker.pushManager.getSubscription();
    const own = now && part.querySelector(`[data-device="${await digestOf(now.endpoint)}"]`);
    if (!own) return undefined;
    own.querySelector("[data-this-device]").hidden = false;
    return show("on");
  }

  begin();
})();
