"""The channel layers: of one process, and of several that share a Redis."""

import asyncio
import time
import uuid
from typing import Any

from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import (
    RedisPubSubChannelLayer,
    RedisPubSubLoopLayer,
    RedisSingleShardConnection,
)
from channels_redis.utils import _wrap_close

TIDY_SECONDS = 5.0
# By which a loop knows what it has told already when it comes back from Redis.
SENDER = "from"


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

    So a connection needs no subscription of its own, and sockets open while Redis is away. Connections of the process
    that speaks are told at once, those of others through Redis.
    """

    async def new_channel(self, prefix: str = "specific.") -> str:
        """A name that is known in this process."""
        channel = f"{prefix}{uuid.uuid4().hex}"
        self._get_layer().channels[channel] = asyncio.Queue()
        return channel

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """To our own first. Nobody's message waits for Redis to answer another's: they may overtake each other."""
        layer = self._get_layer()
        channel, shard = layer.place_of(group)
        layer.tell(channel, message)
        await shard.say(channel, self.serialize({**message, SENDER: layer.name}))

    def read(self, said: bytes) -> dict[str, Any]:
        """A message as Redis brings it."""
        found: dict[str, Any] = self._serializer.deserialize(said)
        return found

    def deserialize(self, message: dict[str, Any]) -> dict[str, Any]:
        """It was read when it came, once for all connections that it is for."""
        return message

    def _get_layer(self) -> "LoopLayer":
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            self._layers[loop] = LoopLayer(*self._args, **self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        found: LoopLayer = self._layers[loop]
        return found


class LoopLayer(RedisPubSubLoopLayer):
    """The part of the layer that one event loop has."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.name = uuid.uuid4().hex
        self._shards = [Shard(each.host, self) for each in self._shards]  # type: ignore[has-type]

    def place_of(self, group: str) -> tuple[str, "Shard"]:
        """What the group's messages have as their address in Redis, and the connection there."""
        channel = self._get_group_channel_name(group)
        return channel, self._get_shard(channel)

    def tell(self, channel: str, message: dict[str, Any]) -> None:
        """Puts it before the group's connections that are here."""
        for name in self.groups.get(channel, ()):
            if name in self.channels:
                self.channels[name].put_nowait(message)


class Shard(RedisSingleShardConnection):
    """The connection to Redis."""

    async def say(self, channel: str, message: bytes) -> None:
        """Says it to all processes."""
        self._ensure_redis()
        await self._redis.publish(channel, message)

    def _receive_message(self, message: dict[str, Any] | None) -> None:
        if message is None:
            return
        layer: LoopLayer = self.channel_layer
        told = layer.channel_layer.read(message["data"])
        if told.pop(SENDER, "") != layer.name:
            layer.tell(message["channel"].decode(), told)
