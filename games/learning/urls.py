"""The addresses on which anybody tries a game."""

from django.urls import URLPattern, URLResolver, path

from games.learning import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("games/<slug:game>/try/", views.try_hands, name="try_hands"),
    path("games/<slug:game>/try/done/", views.try_done, name="try_done"),
    path("games/<slug:game>/try/deal/", views.try_deal, name="try_deal"),
    path("games/<slug:game>/try/deal/act/", views.try_act, name="try_act"),
    path("games/<slug:game>/try/deal/coach/", views.try_coach, name="try_coach"),
    path("games/<slug:game>/try/deal/meaning/", views.try_meaning, name="try_meaning"),
    path("games/<slug:game>/try/deal/reasons/", views.try_reasons, name="try_reasons"),
    path("games/<slug:game>/try/deal/outcome/", views.try_outcome, name="try_outcome"),
]
