"""The components' tags: words beside colours, names for readers, everything escaped, addresses that may be missing."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django import forms
from django.core.paginator import Paginator
from django.template import Context, Template
from django.test import RequestFactory
from django.utils import timezone, translation

from league.models import Fixture


def draw(source: str, **context: object) -> str:
    return Template("{% load ui %}" + source).render(Context(context))


def test_every_state_of_a_fixture_has_its_word_and_colour() -> None:
    sheet = (Path(__file__).resolve().parents[3] / "static/css/statuses.css").read_text(encoding="utf-8")
    for status in Fixture.Status:
        drawn = draw("{% status_pill status %}", status=status.value)
        assert drawn == f'<span class="pill" data-status="{status.value}">{status.label}</span>'
        assert sheet.count(f'[data-status="{status.value}"]') == 1


def test_a_pill_escapes_its_word_and_knows_its_tones() -> None:
    html = draw("{% pill word tone %}", word="<b>late</b>", tone='green" onclick="x')
    assert html == '<span class="pill neutral">&lt;b&gt;late&lt;/b&gt;</span>'


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1142|number", "1,142"),
        ("-133|number", "−133"),
        ("386|signed", "+386"),
        ("0|signed", "0"),
        ("none|number", ""),
    ],
)
def test_numbers_are_written_as_people_write_them(source: str, expected: str) -> None:
    assert draw("{{ " + source + " }}", none=None) == expected


@pytest.mark.parametrize(
    ("name", "letters"), [("Anna Berg", "AB"), ("anna.berg@example.org", "AB"), ("Zoë", "Z"), ("", "")]
)
def test_initials(name: str, letters: str) -> None:
    assert draw("{{ name|initials }}", name=name) == letters


def test_form_boxes_say_their_words_to_readers() -> None:
    html = draw("{% form_boxes 'WDLx' %}")
    assert "won, drawn, lost" in html
    assert html.count("form-box ") == 3


def test_why_holds_figure_and_explanation() -> None:
    html = draw("{% why 12 %}Six wins & more: {{ name }}{% endwhy %}", name="<i>")
    assert "<summary>12" in html
    assert "Six wins & more: &lt;i&gt;" in html


def test_a_missing_page_or_argument_gives_no_address() -> None:
    assert draw("{% address 'no-such-page' as there %}[{{ there }}]") == "[]"
    assert draw("{% address 'club' club.slug as there %}[{{ there }}]") == "[]"


def test_a_fixture_shows_score_or_date_or_that_there_is_none() -> None:
    row = "{% fixture_row home=a away=b status=s home_score=x away_score=y when=w url='/matches/1/' %}"
    names = {"a": "Berg & Okafor", "b": "<Sato>"}
    played = draw(row, **names, s="confirmed", x=148, y=131)
    assert "148 – 131" in played
    assert 'class="end won"' in played
    assert "&lt;Sato&gt;" in played
    assert "won" not in draw(row, **names, s="to_confirm", x=148, y=131)
    assert "Thu 26 Nov" in draw(row, **names, w="Thu 26 Nov")
    assert "no date yet" in draw(row, **names)
    assert draw(row, **names, s="in_play").count("<a ") == 1


def test_breadcrumbs_end_with_this_page() -> None:
    html = draw("{% breadcrumbs 'Club' '/c/' 'Round 8' %}")
    assert '<a href="/c/">Club</a>' in html
    assert '<span aria-current="page">Round 8</span>' in html


def test_pagination_keeps_the_query_and_is_silent_for_one_page() -> None:
    request = RequestFactory().get("/players/", {"q": "berg", "page": "2"})
    pages = Paginator(range(30), 10)
    assert "?q=berg&amp;page=3" in draw("{% pagination page %}", page=pages.page(2), request=request)
    assert draw("{% pagination page %}", page=Paginator([1], 10).page(1), request=request).strip() == ""


def test_a_post_button_carries_the_token() -> None:
    html = draw("{% post_button 'Confirm' '/x/' name='version' value='2' %}", csrf_token="abc")
    assert 'name="csrfmiddlewaretoken" value="abc"' in html
    assert 'name="version" value="2"' in html


def test_blocks_escape_titles_and_keep_their_content() -> None:
    for name in ("notice 'error' title", "empty title", "panel title", "dialog 'box' title", "table title"):
        end = "end" + name.split()[0]
        html = draw("{% " + name + " %}<p>inside</p>{% " + end + " %}", title="<x>")
        assert "<p>inside</p>" in html
        assert "<x>" not in html
        assert "&lt;x&gt;" in html


class NameForm(forms.Form):
    name = forms.CharField(label="Name", help_text="As in the table.")
    tick = forms.BooleanField(label="Tick", required=False)
    kind = forms.ChoiceField(label="Kind", choices=[("a", "A"), ("b", "B")], widget=forms.RadioSelect)

    def clean(self) -> None:
        raise forms.ValidationError("Total they <clash>.")


def test_a_form_names_its_faults_beside_the_field() -> None:
    html = str(NameForm({"name": "", "kind": "c"}))
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    assert 'id="id_name_helptext"' in html
    assert 'id="id_name_error"' in html
    assert "<legend>Kind</legend>" in html
    assert "Total they &lt;clash&gt;." in html
    assert html.index('type="checkbox"') < html.index("<span>Tick</span>")


@pytest.mark.parametrize(
    ("language", "shape", "expected"),
    [
        ("en", "j M Y", "5 Nov 2026"),
        ("de", "j M Y", "5. Nov. 2026"),
        ("en", "D j M Y, H:i", "Thu 5 Nov 2026, 19:30"),
        ("de", "j M Y, H:i", "5. Nov. 2026, 19:30"),
    ],
)
def test_a_day_is_written_as_the_language_does(language: str, shape: str, expected: str) -> None:
    with translation.override(language), timezone.override(UTC):
        assert draw('{{ at|day:"' + shape + '" }}', at=datetime(2026, 11, 5, 19, 30, tzinfo=UTC)) == expected


def test_what_is_the_same_for_all_is_drawn_once_in_each_language() -> None:
    made = Template(
        '{% load i18n ui %}{% same_for_all %}{% translate "Round" %} {{ turn }}{% endsame_for_all %}'
    )
    drawn = []
    for turn, language in enumerate(("en", "de", "en", "de")):
        with translation.override(language):
            drawn.append(made.render(Context({"turn": turn})))
    assert drawn == ["Round 0", "Runde 1", "Round 0", "Runde 1"]


def test_no_day_is_written_as_nothing() -> None:
    assert not draw('{{ at|day:"j M" }}', at=None)
