"""What workers do for the service itself."""

from celery import shared_task

from config.operating import readiness


@shared_task
def heartbeat(name: str) -> None:
    """Notes that the worker of this queue takes tasks."""
    readiness.note(name)
