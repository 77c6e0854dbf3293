"""Words that a mail program turns into a link: no name may have one, for names stand in mails of ours."""

import re
import unicodedata

#: Of two letters: the countries' (ISO 3166, and those that the Internet adds).
_COUNTRIES = """
ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd
cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge
gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki
km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my
mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se
sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz
va vc ve vg vi vn vu wf ws ye yt za zm zw рф
"""
COUNTRIES = frozenset(_COUNTRIES.split())
#: Behind the shortest of names, too: nobody's surname, and widely used.
_COMMON = "com net org info biz edu gov me co cc gl xyz app dev top"
COMMON = frozenset(_COMMON.split())
#: What people write in front of a name without a blank.
_ABBREVIATIONS = (
    "abt dipl dr fam ft frl hr ing jr jun mlle mme mr mrs ms mt no nr pr prof pt rev sen sr st ste univ vs"
)
ABBREVIATIONS = frozenset(_ABBREVIATIONS.split())
# Dots that browsers take for one; NFKC knows the others.
_DOTS = str.maketrans("。", ".")
_HOST = re.compile(r"(?<![\w.-])((?:[\w-]+\.)+)([^\W\d_]{2,})(?!\w)")
_NUMBERS = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")


def has_link(text: str) -> bool:
    """Whether there is an address of the Internet in the text, or a word that passes for one."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_DOTS)
    if (
        any(each in plain for each in ("://", "www.", "xn--"))
        or re.search(r"\w@\w", plain)
        or _NUMBERS.search(plain)
    ):
        return True
    return any(_is_host(match[1].rstrip(".").split("."), match[2]) for match in _HOST.finditer(plain))


def _is_host(labels: list[str], ending: str) -> bool:
    """Whether words between dots name a computer, rather than a person by initials or a title."""
    if ending in COMMON:
        return True
    if max(map(len, labels)) == 1 or labels[-1] in ABBREVIATIONS:
        return False
    return ending in COUNTRIES if len(ending) == 2 else len(max(labels, key=len)) > 2
