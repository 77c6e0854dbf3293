"""Sentences and names of choices that nothing says any more, but that older rows of the trail hold.

A row keeps its sentence in English. It can be read in another language only if the catalogue still has a translation
for it. So if you reword a sentence of the trail, leave the old one here.
"""

from django.utils.translation import gettext_noop as _

FORMER = (
    _("%(boards)s: created and sealed"),
    _("%(boards)s: cards downloaded"),
    _("The person named by an owner keeps the boards of this match closed"),
    _("The person named by an owner opens the boards of this match"),
    _("A neutral official opens the boards of this match"),
    _("%(days)d days after the end of the round the boards may be opened"),
    _("(by a director who is playing in this event)"),
    _("(who is playing in this event)"),
    _("Board %(number)d: awarded score undone"),
    _("Round %(number)d drawn"),
    _("Round %(number)d drawn, with tables changed by hand"),
    _("Draw of round %(number)d undone"),
    _("Round %(round)d, boards %(first)d to %(last)d"),
    _("Board %(number)d: score awarded by a director"),
    _("Printout requested: %(kind)s"),
    _("Scoresheet %(version)d counts: all sides signed the paper"),
    _("Scoresheet %(version)d counts: nobody objected"),
    _("Scoresheet %(version)d confirmed; others still have to confirm it"),
    _(
        "Its boards stay closed: %(by)s, who is playing in this event, vouched for %(who)s, who "
        "speaks for %(pair)s"
    ),
    _("Scoresheet %(version)d rejected; it had counted because nobody objected"),
    _("its cards were already public"),
    _("Their place stays empty from round %(round)d on; what they have played counts"),
    _("Their place stays empty from round %(round)d on; what they have played is removed"),
    _("Clock paused"),
    _("Clock restarted"),
    _("%(pair)s join: %(how)s"),
    _("%(pair)s didn’t join after all"),
    _("%(pair)s leave: %(how)s"),
    _("%(pair)s play on"),
    _("Pairs seated"),
    _("Seating undone"),
    _("Deal %(deal)d rolled back to an earlier action"),
    _("The director’s answer to a call"),
    _("Online table: partners swapped seats"),
    _("at once if neither pair has an account, otherwise when a pair confirms it"),
    _("at once, because both pairs signed the paper"),
    _("when a pair confirms it"),
    _("when a pair confirms it, or both say nothing for some days"),
    _("the difference of the two pairs' points"),
    _("each pair's own points"),
    _("the same on every board: where results are missing, Neuberg's formula scales them up"),
    _("each board's own, by the results that it has"),
)
