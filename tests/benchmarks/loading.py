"""How a page loads in Chromium with an empty cache: what it weighs, when it shows, whether anything jumps."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page

# The "slow 4G" of Lighthouse: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back; a processor four times slower.
SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
SLOWDOWN = 4
IMAGES = {"Image", "Media"}
WATCH = """
  window.felt = {largest: 0, element: "", shift: 0, shifted: []};
  new PerformanceObserver(function (list) {
    for (const entry of list.getEntries()) {
      window.felt.largest = entry.startTime;
      window.felt.element = entry.element ? entry.element.tagName + "." + entry.element.className : "";
    }
  }).observe({type: "largest-contentful-paint", buffered: true});
  new PerformanceObserver(function (list) {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      window.felt.shift += entry.value;
      for (const source of entry.sources)
        window.felt.shifted.push(source.node && source.node.nodeType === 1 ?
          source.node.tagName + "." + source.node.className : "text");
    }
  }).observe({type: "layout-shift", buffered: true});
"""
NEXT_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
BLOCKING = """
  () => performance.getEntriesByType("resource")
    .filter(entry => entry.renderBlockingStatus === "blocking").map(entry => entry.name)
"""


@dataclass
class Loaded:
    """One loading of a page. Bytes are those on the wire, headers included; times are milliseconds."""

    address: str
    bytes_by_type: dict[str, int] = field(default_factory=dict)
    addresses: list[str] = field(default_factory=list)
    blocking: list[str] = field(default_factory=list)
    largest_paint: float = 0
    largest_element: str = ""
    shift: float = 0
    shifted: list[str] = field(default_factory=list)

    @property
    def weight(self) -> int:
        """Everything but images."""
        return sum(size for kind, size in self.bytes_by_type.items() if kind not in IMAGES)

    @property
    def hosts(self) -> set[str]:
        """Who was asked."""
        return {urlsplit(address).netloc for address in self.addresses if address.startswith("http")}


def load(page: Page, address: str, *, slowdown: int = 0) -> Loaded:
    """Open the address with an empty cache, and wait until nothing is fetched any more.

    With a slowdown the network is slow as well, and the processor so many times slower than it is.
    """
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.clearBrowserCache")
    if slowdown:
        session.send("Network.emulateNetworkConditions", SLOW_4G)
        session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    found = Loaded(address)
    kinds: dict[str, str] = {}

    def answered(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = event["type"]
        found.addresses.append(event["response"]["url"])

    def finished(event: dict[str, Any]) -> None:
        kind = kinds.get(event["requestId"], "Other")
        found.bytes_by_type[kind] = found.bytes_by_type.get(kind, 0) + round(event["encodedDataLength"])

    session.on("Network.responseReceived", answered)
    session.on("Network.loadingFinished", finished)
    page.add_init_script(WATCH)
    page.goto(address, wait_until="networkidle")
    page.evaluate(NEXT_FRAMES)
    felt = page.evaluate("window.felt")
    found.blocking = page.evaluate(BLOCKING)
    found.largest_paint, found.largest_element = felt["largest"], felt["element"]
    found.shift, found.shifted = felt["shift"], felt["shifted"]
    session.detach()
    return found
