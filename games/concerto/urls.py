"""The addresses of pages that only Concerto has: how people play, and what their signals mean."""

from django.urls import path

from games.concerto.signals import views as signals
from games.concerto.study import views as study

urlpatterns = [
    path("pairs/<int:pk>/play/", study.pair_play, name="pair_play"),
    path("players/<int:pk>/play/", study.player_play, name="player_play"),
    path("signals/", signals.usual_card, name="usual_card"),
    path("pairs/<int:pk>/card/", signals.pair_card, name="pair_card"),
    path("pairs/<int:pk>/card/edit/", signals.pair_card_edit, name="pair_card_edit"),
    path("pairs/<int:pk>/card/versions/", signals.pair_card_versions, name="pair_card_versions"),
    path("pairs/<int:pk>/card/versions/<int:number>/", signals.pair_card_version, name="pair_card_version"),
]
