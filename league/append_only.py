"""Tables that only grow: the database itself refuses to change or to delete their rows."""

from dataclasses import dataclass

from django.db.backends.base.base import BaseDatabaseWrapper


@dataclass(frozen=True, slots=True)
class Guard:
    """A trigger on a table: no row is deleted, and none of `columns` (all, if none is named) is changed."""

    table: str
    columns: tuple[str, ...] = ()

    def create(self, connection: BaseDatabaseWrapper) -> None:
        with connection.cursor() as cursor:
            for statement in self._statements(connection.vendor):
                cursor.execute(statement)

    def drop(self, connection: BaseDatabaseWrapper) -> None:
        on = f" ON {self.table}" if connection.vendor == "postgresql" else ""
        with connection.cursor() as cursor:
            for verb in ("update", "delete"):
                cursor.execute(f"DROP TRIGGER IF EXISTS {self.table}_no_{verb}{on}")

    def _statements(self, vendor: str) -> tuple[str, ...]:
        of = f" OF {', '.join(self.columns)}" if self.columns else ""
        events = (("update", f"UPDATE{of}"), ("delete", "DELETE"))
        if vendor == "postgresql":
            function = """CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger AS $$
                BEGIN RAISE EXCEPTION 'rows of % are kept as they are', TG_TABLE_NAME
                USING ERRCODE = 'integrity_constraint_violation'; END; $$ LANGUAGE plpgsql"""
            return function, *(
                f"CREATE TRIGGER {self.table}_no_{name} BEFORE {event} ON {self.table} "
                "FOR EACH ROW EXECUTE FUNCTION refuse_change()"
                for name, event in events
            )
        return tuple(
            f"CREATE TRIGGER {self.table}_no_{name} BEFORE {event} ON {self.table} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {self.table} are kept as they are'); END"
            for name, event in events
        )


AUDIT = Guard("league_auditentry")
SCORESHEETS = Guard(
    "games_scoresheet",
    (
        "match_id",
        "version",
        "content",
        "digest",
        "origin",
        "entered_by_id",
        "entered_for_id",
        "entered_at",
        "home_total",
        "away_total",
    ),
)
PLAYED_DEALS = Guard("games_playeddeal")
GUARDS = (AUDIT, SCORESHEETS, PLAYED_DEALS)
