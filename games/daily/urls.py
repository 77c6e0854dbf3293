"""The addresses of the daily deal."""

from django.urls import path

from games.daily import views

urlpatterns = [
    path("games/<slug:game>/daily/", views.daily, name="daily"),
    path("games/<slug:game>/daily/play/", views.play, name="daily_play"),
    path("games/<slug:game>/daily/<str:day>/", views.day, name="daily_day"),
    path("daily/<str:share>/", views.shared, name="daily_shared"),
]
