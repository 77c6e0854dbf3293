"""The API's description is complete, and its documentation page is served."""

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator

from config import api
from games.api.sheets import EXAMPLES


def test_description_is_valid_and_without_warnings(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))


def test_every_operation_declares_its_errors_in_the_envelope():
    schema = SchemaGenerator().get_schema(request=None, public=True)
    operations = [
        (method, path, operation)
        for path, item in schema["paths"].items()
        for method, operation in item.items()
        if method in {"get", "post", "put", "patch", "delete"}
    ]
    assert len(operations) >= 15
    for method, path, operation in operations:
        for status in ("400", "401", "406", "429", *(["403", "415"] if method == "post" else [])):
            content = operation["responses"][status]["content"]["application/json"]
            assert content["schema"] == {"$ref": "#/components/schemas/Error"}, (method, path, status)
        assert operation["summary"], (method, path)
        assert operation["description"], (method, path)


@pytest.mark.django_db
def test_schema_is_served(client: Client):
    answer = client.get("/api/schema/", headers={"accept": "application/vnd.oai.openapi+json"})
    assert answer.status_code == 200
    assert "/api/v1/matches/{id}/sheets/" in answer.json()["paths"]


@pytest.mark.django_db
def test_the_schema_is_made_once_for_each_form_and_language(client: Client, monkeypatch: pytest.MonkeyPatch):
    made: list[str] = []
    make = SchemaGenerator.get_schema

    def counting(self, *arguments, **names):
        made.append(translation.get_language())
        return make(self, *arguments, **names)

    monkeypatch.setattr(SchemaGenerator, "get_schema", counting)
    api.described.cache_clear()
    wanted = [("application/json", "en"), ("application/json", "de"), ("application/yaml", "en")]
    for accepted, language in wanted * 3:
        headers = {"accept": accepted, "accept-language": language}
        answer = client.get("/api/schema/?version=9", headers=headers)
        assert answer.headers["Content-Type"].startswith(accepted)
        known = client.get("/api/schema/", headers={**headers, "if-none-match": answer.headers["ETag"]})
        assert (known.status_code, known.content) == (304, b"")
        assert {"Accept", "Accept-Language"} <= set(answer.headers["Vary"].replace(" ", "").split(","))
    assert sorted(made) == ["de", "en", "en"]


@pytest.mark.django_db
def test_documentation_is_served_under_the_policy_of_all_pages(client: Client):
    page = client.get("/api/docs/")
    assert page.status_code == 200
    assert (
        page.headers["Content-Security-Policy"] == client.get("/healthz").headers["Content-Security-Policy"]
    )
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    text = page.content.decode()
    assert "<style" not in text
    assert "<script>" not in text
    script = client.get("/api/docs/?script=")
    assert script.headers["Content-Type"].startswith("application/javascript")


def test_the_examples_are_sheets(league, program):
    """What the documentation offers to send is read without a fault; the second is only not finished."""
    preview = f"/api/v1/matches/{league.fixture.pk}/sheets/preview/"
    totals, combinations = (program(league.home).post(preview, example.value).json() for example in EXAMPLES)
    assert totals["problems"] == []
    assert totals["winner"] == "home"
    assert all(problem["missing"] for problem in combinations["problems"]), combinations["problems"]
