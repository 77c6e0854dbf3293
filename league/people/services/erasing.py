"""Erasing a person: their name gives way to "Former member" wherever a row stores it; keys, times and results stay.

Each row of the club that holds the name is looked at, whatever model it is of. Where somebody else has the same name,
rows that point at them alone stay as they are. Rows that were the account's own (notices, tokens, drafts, photos) are
deleted with it. Tables that only grow let the name be replaced while `Erasure` is open, and nothing else.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import product
from typing import Any

from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league import extension, locks, policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict
from league.models import (
    AuditEntry,
    Club,
    Entry,
    Erasure,
    Fixture,
    IdempotencyKey,
    ImportBatch,
    Invitation,
    Lineup,
    Membership,
    OutboxMessage,
    Player,
    PushDelivery,
    Role,
    StandingsTable,
    User,
)
from league.notices.services import mail_files, outbox, pushes
from league.standings.services import standings
from league.storage.append_only import GUARDS
from league.storage.references import references_to
from league.words import sentences
from league.words.names import normalised
from league.words.public_names import FORMER, in_full

#: Of a player, as the trail has it: more than the name tells who it was.
PRIVATE = {"name": FORMER, "email": "", "number": ""}
LAYERS = ("league", "games")
TEXTS = (models.CharField, models.TextField, models.JSONField)
#: Rows that point at a club by a longer way than this do not belong to it.
FARTHEST = 5


@dataclass(frozen=True, slots=True)
class Person:
    """Who is erased: the players of one club, merged ones too, and their account where it has no other club."""

    club: Club
    players: tuple[Player, ...]
    account: User | None
    lineups: tuple[Lineup, ...]

    user: User | None = None
    """The account, whether it goes or stays."""

    @property
    def keys(self) -> set[int]:
        return {player.pk for player in self.players}

    @property
    def accounts(self) -> set[int]:
        return {self.user.pk} if self.user is not None else set()

    @property
    def named(self) -> tuple[Player | User, ...]:
        """The rows that have the name and an address."""
        return (*self.players, self.user) if self.user is not None else self.players


@dataclass(frozen=True, slots=True)
class Preview:
    """What an erasure would do: `found` is how many rows hold the name; `refusals` why it may not be."""

    found: int
    refusals: tuple[str, ...]
    closes_account: bool


@dataclass(slots=True)
class _Texts:
    """What is replaced by what in a text."""

    names: dict[str, str] = field(default_factory=dict)
    pattern: re.Pattern[str] | None = None

    def add(self, name: str, instead: str = FORMER) -> None:
        if name and name.casefold() != instead.casefold():
            self.names[name.casefold()] = instead

    def ready(self) -> "_Texts":
        longest_first = sorted(self.names, key=len, reverse=True)
        told = "|".join(re.escape(name) for name in longest_first)
        self.pattern = re.compile(rf"(?<!\w)(?:{told})(?!\w)", re.IGNORECASE) if told else None
        return self

    def without(self, value: Any) -> Any:
        """The value with every name replaced, however deep in it."""
        if isinstance(value, str) and self.pattern is not None:
            return self.pattern.sub(lambda found: self.names.get(found[0].casefold(), FORMER), value)
        if isinstance(value, dict):
            return {self.without(key): self.without(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.without(each) for each in value]
        return value


@in_full()
def preview(*, actor: Actor, player: Player) -> Preview:
    """What would be replaced, and why it cannot be now. Nothing is written."""
    policies.require(actor, "player.erase", player)
    who = _person(player)
    found = sum(1 for _each in _rewritten(who, _texts_of(who)))
    return Preview(found, tuple(_refusals(who)), who.account is not None)


@transaction.atomic
@in_full()
def erase(*, actor: Actor, player: Player, at: datetime) -> None:
    """The person is gone from the club; their account, too, if it has no other. Raises Conflict with every reason."""
    locks.club(player.club_id)
    policies.require(actor, "player.erase", player)
    who = _locked(player)
    _check(list(_refusals(who)))
    _erase(actor, who, at)
    if who.account is not None:
        _close(who.account)


def leave_tables(*, user: User) -> None:
    """The person stands up wherever they sit, as by a press. Before an erasure: that locks what no table waits for."""
    extension.layer().stand_up(user=user)


@in_full()
def why_not_close(*, user: User) -> list[str]:
    """Why an account cannot be closed now."""
    found = []
    for club in Club.objects.filter(memberships__user=user, memberships__role=Role.OWNER):
        others = club.memberships.filter(role=Role.OWNER, user__is_active=True).exclude(user=user)
        if not others.exists():
            found.append(
                _("You are the only owner of %(club)s. Make someone else an owner first.") % {"club": club}
            )
    others_run_it = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not others_run_it.exists():
        found.append(
            _("You are the only one who runs this installation. Give somebody else that right first.")
        )
    return found


@transaction.atomic
@in_full()
def close_account(*, actor: User, at: datetime) -> None:
    """The person's own account ends; what they played stays under "Former member". Raises Conflict with the reasons."""
    # Clubs that they have left, too: the trail names them there.
    theirs = Q(memberships__user=actor) | Q(players__user=actor) | Q(audit__actor=actor)
    clubs = Club.objects.filter(theirs).distinct().order_by("pk")
    locked = locks.take(Club.objects.filter(pk__in=list(clubs.values_list("pk", flat=True))))
    own_players = Player.objects.filter(Q(user=actor) | Q(merged_into__user=actor))
    _lock_with_competitions(list(own_players.values_list("pk", flat=True)))
    user = User.objects.get(pk=actor.pk)
    _check([*why_not_close(user=user), *_at_tables(user)])
    people = []
    for club in locked:
        own = Player.objects.filter(club=club, user=user, merged_into=None).first()
        people.append(_locked(own, user) if own else Person(club, (), user, (), user))
    for who in people:
        _erase(user, who, at)
    _close(user)


def _check(refusals: Collection[str]) -> None:
    if refusals:
        raise Conflict(" ".join(refusals), details=[validation.fault(text) for text in refusals])


def _person(player: Player, account: User | None = None) -> Person:
    merged = Player.objects.filter(merged_into=player)
    players = (player, *merged)
    lineups = (
        Lineup.objects.with_players().filter(members__player__in=[each.pk for each in players]).distinct()
    )
    closes = player.user if player.user and not _has_another_club(player.user, player.club) else None
    return Person(player.club, players, account or closes, tuple(lineups), player.user)


def _has_another_club(user: User, club: Club) -> bool:
    players = Player.objects.filter(user=user).exclude(club=club)
    return user.is_superuser or players.exists() or user.memberships.exclude(club=club).exists()


def _locked(player: Player, account: User | None = None) -> Person:
    """The person, with every competition in which they play: a result that is being confirmed is waited for."""
    keys = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player)).values_list("pk", flat=True)
    return _person(_lock_with_competitions(list(keys))[player.pk], account)


def _lock_with_competitions(keys: Collection[int]) -> dict[int, Player]:
    entered = Entry.with_rooms.filter(lineup__members__player__in=keys)
    locks.competitions(list(entered.values_list("competition", flat=True).distinct()))
    found = locks.players(keys)
    lineups = Lineup.objects.filter(members__player__in=keys).values("pk")
    locks.pairs(Lineup.objects.filter(pk__in=lineups))
    return found


def _refusals(who: Person) -> Iterator[str]:
    user = who.players[0].user
    if all(player.name == FORMER for player in who.players):
        yield _("This person has been erased already.")
    if user is None:
        return
    if who.club.memberships.filter(user=user, role=Role.OWNER).exists():
        yield _("%(name)s is an owner of the club. Give them another role first.") % {"name": who.players[0]}
    yield from _at_tables(user)


def _at_tables(user: User) -> Iterator[str]:
    if extension.layer().sits_somewhere(user=user):
        yield _("They still sit at a table. Please try again in a moment.")


def _texts_of(who: Person) -> _Texts:
    """The names as they are, and of pairs as they will be."""
    texts = _Texts()
    for name in _names_of(who):
        texts.add(name)
        *first, last = name.split()
        if first:
            texts.add(f"{last}, {' '.join(first)}")
            texts.add(f"{last} {' '.join(first)}")
    for each in who.named:
        texts.add(each.email, "")
    for lineup in who.lineups:
        players = lineup.players
        if len(players) > 1:
            after = [FORMER if each.pk in who.keys else each.surname for each in players]
            for before in {str(lineup), *_called(players, who)}:
                texts.add(before, " & ".join(after))
    return texts.ready()


def _names_of(who: Person) -> set[str]:
    """What the person is called, and was: rows that were written before a change of name have the one before."""
    edited = AuditEntry.objects.filter(club=who.club, player__in=who.keys, action="player.edited")
    before = [
        facts.get("name") for facts in edited.values_list("before", flat=True) if isinstance(facts, dict)
    ]
    return {name for name in (*(each.name for each in who.named), *before) if name} - {FORMER}


def _called(players: Sequence[Player], who: Person) -> set[str]:
    """What a pair of these players is, or was, called by their surnames."""
    surnames = {name.split()[-1] for name in _names_of(who)}
    ways = [sorted({each.surname, *surnames}) if each.pk in who.keys else [each.surname] for each in players]
    return {" & ".join(way) for way in product(*ways)}


def _erase(actor: Actor, who: Person, at: datetime) -> None:
    texts = _texts_of(who)
    opened = Erasure.objects.create(club=who.club, made_by=person(actor), made_at=at)
    changed = list(_rewritten(who, texts))
    _delete_mails(who, texts)
    for lineup in who.lineups:
        Lineup.objects.filter(pk=lineup.pk).update(name="")
    Player.objects.filter(pk__in=who.keys).update(
        name=FORMER,
        email="",
        number="",
        public_name="",
        is_young=False,
        user=None,
        email_by=None,
        linked_by=None,
    )
    Invitation.objects.filter(player__in=who.keys).delete()
    Membership.objects.filter(club=who.club, user__in=who.accounts).delete()
    for model, key, values in changed:
        if model is not StandingsTable:
            models.QuerySet(model).filter(pk=key).update(**values)
    _forget_import_lines(who)
    _compute_tables([key for model, key, _values in changed if model is StandingsTable], at)
    extension.layer().erased(players=who.keys, user=who.account)
    audit.record(
        actor=_former(who, actor),
        action="player.erased",
        summary=sentences.gettext("A person was erased: their name is replaced everywhere"),
        club=who.club,
        player=Player.objects.get(pk=who.players[0].pk) if who.players else None,
    )
    Erasure.objects.filter(pk=opened.pk).update(is_open=False)


def _forget_import_lines(who: Person) -> None:
    """Cells of files about the person: a name in two columns, or written with a slip, is found by no search."""
    for batch in ImportBatch.objects.filter(club=who.club).order_by("pk"):
        rows = [_without_cells(row, who.keys) for row in batch.rows]
        if rows != batch.rows:
            ImportBatch.objects.filter(pk=batch.pk).update(rows=rows)


def _without_cells(row: dict[str, Any], keys: set[int]) -> dict[str, Any]:
    """A line of a preview without what it tells of these players; what was asked of them is asked again, or never."""
    asked = [each["player"] for question in row.get("questions", ()) for each in question["candidates"]]
    if keys & set(asked):
        row = {**row, "questions": [], "answers": {}}
    if not keys & {each["player"] for each in row["people"]}:
        return row
    people = [{**each, **PRIVATE} if each["player"] in keys else each for each in row["people"]]
    empty = {"values": dict.fromkeys(row["values"], ""), "team": "", "does": "", "problems": [], "notes": []}
    return {**row, **empty, "people": people, "questions": [], "answers": {}}


def _compute_tables(keys: Collection[int], at: datetime) -> None:
    """Tables that repeat why somebody withdrew are computed again, so that what they hold has its own digest."""
    for key in set(
        StandingsTable.objects.filter(pk__in=keys).values_list("division__stage__competition", flat=True)
    ):
        standings.compute(competition_id=key, at=at, again=True)


def _former(who: Person, actor: Actor) -> Actor:
    """Who acted, for the trail: of somebody who closes their own account no name."""
    if who.account is not None and person(actor) == who.account:
        return User(pk=who.account.pk, name=FORMER)
    return actor


def _delete_mails(who: Person, texts: _Texts) -> None:
    for address in {each.email for each in who.named} - {""}:
        OutboxMessage.objects.filter(to__iexact=address).delete()
    # A guest's address, and one that was changed since, stand in no row of the person's.
    invited = Invitation.objects.filter(player__in=who.keys, mail__isnull=False).values_list(
        "mail", flat=True
    )
    OutboxMessage.objects.filter(Q(player__in=who.keys) | Q(pk__in=list(invited))).delete()
    # Files come back by no rollback.
    transaction.on_commit(lambda: mail_files.delete_where(lambda text: texts.without(text) != text))


def _close(user: User) -> None:
    """Nobody logs in any more; rows that were the account's own go, rows of what was done keep its key."""
    for reference in references_to(User):
        if reference.field.remote_field.on_delete is models.CASCADE and not reference.is_history:
            reference.rows(user.pk).delete()
    for session in Session.objects.iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()
    user.name, user.email = FORMER, f"former-member-{user.pk}@erased.invalid"
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login, user.language, user.public_name = None, "", ""
    user.set_unusable_password()
    user.save()


# Rows


def _rewritten(who: Person, texts: _Texts) -> Iterator[tuple[type[models.Model], Any, dict[str, Any]]]:
    """Rows of the club in which the name stands, with the values without it."""
    is_theirs = _evidence(who)
    for model in _models():
        columns = [each for each in model._meta.concrete_fields if _may_hold_a_name(model, each)]
        if not columns:
            continue
        for row in _rows_of_the_club(model, who.club).iterator(chunk_size=500):
            values = _without(row, columns, who, texts)
            if values and is_theirs(row):
                yield model, row.pk, values


def _models() -> list[type[models.Model]]:
    """Those of our own layers; people and what they are called together are renamed by themselves."""
    named = {User, Player, Lineup}
    ours = (each for layer in LAYERS for each in apps.get_app_config(layer).get_models())
    return sorted((each for each in ours if each not in named), key=lambda each: each._meta.label_lower)


def _may_hold_a_name(model: type[models.Model], column: Any) -> bool:
    is_digested = column.name == "content" and any(each.name == "digest" for each in model._meta.fields)
    if is_digested and model is not StandingsTable:
        return False
    if model is IdempotencyKey and column.name != "answer":
        # Programs choose the key, and it has to stay: a request that is sent again would be carried out again.
        return False
    if not isinstance(column, TEXTS) or column.choices or isinstance(column, models.SlugField):
        return False
    guard = next((each for each in GUARDS if each.table == model._meta.db_table), None)
    if guard is None or column.column in guard.erasable:
        return True
    return bool(guard.columns) and column.column not in guard.columns


def _rows_of_the_club(model: type[models.Model], club: Club) -> models.QuerySet[Any]:
    """The model's rows that belong to the club, and those that belong to none."""
    path = _path_to_club(model)
    found: models.QuerySet[Any] = models.QuerySet(model)
    if model is IdempotencyKey:
        # Answers belong to accounts: those of whoever has, or had, to do with the club.
        acted = AuditEntry.objects.filter(club=club, actor__isnull=False).values("actor")
        theirs = Q(memberships__club=club) | Q(players__club=club) | Q(pk__in=acted)
        return found.filter(user__in=User.objects.filter(theirs).values("pk"))
    return found.filter(Q(**{path: club}) | Q(**{f"{path}__isnull": True})) if path else found.none()


@cache
def _path_to_club(model: type[models.Model]) -> str:
    """The shortest way by foreign keys, as filters name it; empty where there is none."""
    waiting = [(model, "")]
    for _distance in range(FARTHEST + 1):
        further = []
        for each, way in waiting:
            for column in each._meta.concrete_fields:
                if isinstance(column, models.ForeignKey) and column.related_model is not User:
                    if column.related_model is Club:
                        return f"{way}{column.name}"
                    further.append((column.related_model, f"{way}{column.name}__"))
        waiting = further
    return ""


def _without(row: Any, columns: Iterable[Any], who: Person, texts: _Texts) -> dict[str, Any]:
    """The values of the row's columns in which the name stands, without it."""
    if isinstance(row, OutboxMessage | PushDelivery):
        sender = outbox if isinstance(row, OutboxMessage) else pushes
        contents = sender.contents_with(row, texts.without)
        return {"contents": contents} if contents else {}
    values = {}
    for column in columns:
        value = getattr(row, column.attname)
        new = texts.without(value)
        if isinstance(row, AuditEntry):
            new = _of_the_trail(row, column.attname, value, new, who)
        if new != value:
            longest = getattr(column, "max_length", None)
            values[column.attname] = new[:longest] if isinstance(new, str) and longest else new
    return values


def _of_the_trail(row: AuditEntry, column: str, value: Any, new: Any, who: Person) -> Any:
    """Of what was done to the person neither address nor number stays; who acted is told by the key, not the name."""
    if column == "actor_name" and row.actor_id is not None:
        return FORMER if row.actor_id in who.accounts else value
    if column in {"before", "after"} and row.player_id in who.keys and isinstance(new, dict):
        return {key: PRIVATE.get(key, each) for key, each in new.items()}
    return new


def _evidence(who: Person) -> Callable[[Any], bool]:
    """Whether a row with the name is about this person: not, where it points at somebody of the same name alone."""
    names = {normalised(name) for name in _names_of(who)}
    others = Player.objects.filter(club=who.club).exclude(pk__in=who.keys)
    same = [player for player in others if normalised(player.name) in names]
    if not same:
        return lambda _row: True
    ours = _pointed_at(who.players)
    ours[User] |= who.accounts
    theirs = _pointed_at(same)
    return lambda row: _points_at(row, ours) or not _points_at(row, theirs)


Keys = dict[type[models.Model], set[Any]]


def _pointed_at(players: Collection[Player]) -> Keys:
    keys = [player.pk for player in players]
    entries = Entry.with_rooms.filter(lineup__members__player__in=keys)
    return {
        Player: set(keys),
        User: {player.user_id for player in players} - {None},
        Lineup: set(Lineup.objects.filter(members__player__in=keys).values_list("pk", flat=True)),
        Entry: set(entries.values_list("pk", flat=True)),
        Fixture: set(Fixture.with_rooms.filter(appearances__entry__in=entries).values_list("pk", flat=True)),
    }


def _points_at(row: models.Model, keys: Keys) -> bool:
    return any(
        getattr(row, column.attname) in keys[column.related_model]
        for column in row._meta.concrete_fields
        if isinstance(column, models.ForeignKey) and column.related_model in keys
    )
