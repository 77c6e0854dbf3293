"""The channel layers: of one process, and of several that share a Redis."""

import asyncio
import time
import uuid

from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer

TIDY_SECONDS = 5.0


class OwnProcessLayer(InMemoryChannelLayer):
    """The in-memory layer, which tidies up now and then: to do so at every message is dear with many sockets."""

    _tidied_at = 0.0

    def _clean_expired(self) -> None:
        now = time.monotonic()
        if now - self._tidied_at >= TIDY_SECONDS:
            self._tidied_at = now
            super()._clean_expired()


class GroupsOnlyLayer(RedisPubSubChannelLayer):
    """The layer over Redis, for groups only: nobody is ever spoken to alone.

    So a connection needs no subscription of its own, and sockets open while Redis is away.
    """

    async def new_channel(self, prefix: str = "specific.") -> str:
        """A name that is known in this process."""
        channel = f"{prefix}{uuid.uuid4().hex}"
        self._get_layer().channels[channel] = asyncio.Queue()
        return channel
