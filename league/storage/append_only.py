"""Tables that only grow: the database itself refuses to change or to delete their rows.

The one exception is the erasure of a person: while a row of `league_erasure` is open, texts in which a name can stand
may be rewritten, and nothing else of the row. Only league.people.services.erasing opens one, and closes it before it
commits.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from django.db.backends.base.base import BaseDatabaseWrapper

ERASURES = "league_erasure"


@dataclass(frozen=True, slots=True)
class Guard:
    """A trigger on a table: no row is deleted, and none of `columns` (all, if none is named) is changed.

    A column that the table does not have yet is left out, for a migration may guard a table before it grows.
    `goes_with_drafts` is the rest of a query after FROM, of a row OLD, for the competition c that it belongs to: while
    that is a draft its rows may go with it. `erasable` are the columns in which a name is replaced when somebody is
    erased.
    """

    table: str
    columns: tuple[str, ...] = ()
    goes_with_drafts: str = ""
    erasable: tuple[str, ...] = ()

    def create(self, connection: BaseDatabaseWrapper) -> None:
        with connection.cursor() as cursor:
            columns = connection.introspection.get_table_description(cursor, self.table)
            found = [each.name for each in columns]
            # Migrations guard tables before there were erasures.
            is_erased = bool(self.erasable) and ERASURES in connection.introspection.table_names(cursor)
            for statement in self._statements(connection.vendor, found, is_erased=is_erased):
                cursor.execute(statement)

    def drop(self, connection: BaseDatabaseWrapper) -> None:
        on = f" ON {self.table}" if connection.vendor == "postgresql" else ""
        with connection.cursor() as cursor:
            for verb in ("update", "delete"):
                cursor.execute(f"DROP TRIGGER IF EXISTS {self.table}_no_{verb}{on}")

    def _statements(self, vendor: str, found: Collection[str], *, is_erased: bool) -> tuple[str, ...]:
        columns = [name for name in self.columns if name in found]
        of = f" OF {', '.join(columns)}" if self.columns else ""
        erasing = self._is_erasing(vendor, found) if is_erased else ""
        events = (("update", f"UPDATE{of}", erasing), ("delete", "DELETE", self._is_draft()))
        if vendor == "postgresql":
            return tuple(statement for event in events for statement in self._in_postgresql(*event))
        return tuple(
            f"CREATE TRIGGER {self.table}_no_{name} BEFORE {event} ON {self.table} "
            + (f"WHEN NOT ({unless}) " if unless else "")
            + f"BEGIN SELECT RAISE(ABORT, 'rows of {self.table} are kept as they are'); END"
            for name, event, unless in events
        )

    def _in_postgresql(self, name: str, event: str, unless: str) -> tuple[str, str]:
        # A trigger's own condition may ask nothing of other tables there: the function has to.
        function = f"refuse_{name}_of_{self.table}" if unless else "refuse_change"
        row = "NEW" if name == "update" else "OLD"
        exception = f"IF {unless} THEN RETURN {row}; END IF; " if unless else ""
        return (
            f"""CREATE OR REPLACE FUNCTION {function}() RETURNS trigger AS $$
                BEGIN {exception}RAISE EXCEPTION 'rows of % are kept as they are', TG_TABLE_NAME
                USING ERRCODE = 'integrity_constraint_violation'; END; $$ LANGUAGE plpgsql""",
            f"""CREATE TRIGGER {self.table}_no_{name} BEFORE {event} ON {self.table}
                FOR EACH ROW EXECUTE FUNCTION {function}()""",
        )

    def _is_erasing(self, vendor: str, found: Collection[str]) -> str:
        """The condition under which a name may be replaced: somebody is being erased, and all else stays as it is."""
        same = "IS NOT DISTINCT FROM" if vendor == "postgresql" else "IS"
        stays = [f"NEW.{name} {same} OLD.{name}" for name in sorted({*found} - {*self.erasable})]
        return " AND ".join([f"EXISTS (SELECT 1 FROM {ERASURES} WHERE is_open)", *stays])  # noqa: S608 (our own words)

    def _is_draft(self) -> str:
        """The condition, "" where there is none."""
        if not self.goes_with_drafts:
            return ""
        return f"EXISTS (SELECT 1 FROM {self.goes_with_drafts} AND c.state = 'draft')"  # noqa: S608 (our own words)


AUDIT = Guard("league_auditentry", erasable=("actor_name", "summary", "said", "before", "after", "reason"))
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
        "entered_as",
        "entered_at",
        "totals",
    ),
)
PLAYED_DEALS = Guard("games_playeddeal")
ACTIONS = Guard("games_action", erasable=("reason",))
BOARD_DRAWS = Guard(
    "games_boarddraw",
    goes_with_drafts="games_boardset s JOIN league_competition c ON c.id = s.competition_id "
    "WHERE s.id = OLD.board_set_id",
)
AWARDS = Guard(
    "games_award",
    ("play_id", "content", "reason", "made_by_id", "made_at"),
    erasable=("reason",),
    goes_with_drafts="games_fixtureboard p JOIN league_fixture f ON f.id = p.fixture_id "
    "JOIN league_round r ON r.id = f.round_id JOIN league_stage s ON s.id = r.stage_id "
    "JOIN league_competition c ON c.id = s.competition_id WHERE p.id = OLD.play_id",
)
#: For migrations from before there were stages.
AWARDS_WITHOUT_STAGES = replace(
    AWARDS,
    goes_with_drafts="games_fixtureboard p JOIN league_fixture f ON f.id = p.fixture_id "
    "JOIN league_round r ON r.id = f.round_id JOIN league_competition c ON c.id = r.competition_id "
    "WHERE p.id = OLD.play_id",
)
VOUCHES = Guard("games_vouch")
PARTICIPATIONS = Guard("games_participation")
RULINGS = Guard("games_ruling")
IMPORTED_TRAIL = Guard("league_importedtrailline", erasable=("who", "what", "about", "why"))
CONVENTION_CARDS = Guard("games_conventioncard", erasable=("content",))
LADDER_EVENTS = Guard(
    "league_ladderevent",
    ("ladder_id", "kind", "at", "challenge_id", "entry_id"),
)
GUARDS = (
    AUDIT,
    SCORESHEETS,
    PLAYED_DEALS,
    ACTIONS,
    BOARD_DRAWS,
    AWARDS,
    VOUCHES,
    PARTICIPATIONS,
    RULINGS,
    CONVENTION_CARDS,
    IMPORTED_TRAIL,
    LADDER_EVENTS,
)
