"""The shared cache of a production installation: it may forget at any moment, and may be out of reach as well."""

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any

import structlog
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)


def forgotten(answer: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A method of the cache that gives `answer` when Redis cannot be reached, as if nothing had been kept."""

    def deciding(method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def asking(self: RedisCache, *args: Any, **kwargs: Any) -> Any:
            try:
                return method(self, *args, **kwargs)
            except RedisError as failure:
                log.warning("cache_out_of_reach", method=method.__name__, failure=str(failure))
                return answer

        return asking

    return deciding


class OneClient(RedisCacheClient):
    """Django makes a client for each command, which takes longer than to ask Redis."""

    def get_client(self, key: Any = None, *, write: bool = False) -> Redis:
        """The only one."""
        del key, write
        return self._only

    @cached_property
    def _only(self) -> Redis:
        client: Redis = super().get_client(write=True)
        return client


class ForgetfulRedisCache(RedisCache):
    """Django's Redis cache for counts and copies only: without Redis the pages are slower, never broken."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = OneClient

    add = forgotten(answer=True)(RedisCache.add)
    set = forgotten(answer=None)(RedisCache.set)
    touch = forgotten(answer=False)(RedisCache.touch)
    delete = forgotten(answer=False)(RedisCache.delete)
    has_key = forgotten(answer=False)(RedisCache.has_key)
    incr = forgotten(answer=1)(RedisCache.incr)
    set_many = forgotten(answer=[])(RedisCache.set_many)
    delete_many = forgotten(answer=None)(RedisCache.delete_many)
    clear = forgotten(answer=False)(RedisCache.clear)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """What is kept under the key; the default also when Redis cannot be reached."""
        return forgotten(answer=default)(RedisCache.get)(self, key, default, version)

    def get_many(self, keys: Any, version: int | None = None) -> dict[str, Any]:
        """What is kept of these keys; nothing when Redis cannot be reached."""
        return dict(forgotten(answer={})(RedisCache.get_many)(self, keys, version))
