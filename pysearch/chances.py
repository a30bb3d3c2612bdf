"""Where hidden cards may be, and how likely: counted over all worlds of a view, each as likely as any other."""

from collections.abc import Callable
from functools import cache
from math import comb, factorial, prod

from pysearch.cards import cards_of
from pysearch.games.game import Hidden

Kinds = tuple[tuple[int, int], ...]  # how many cards, and the places that they may lie in, as bits
Rooms = tuple[int, ...]  # how many cards each place takes


def chances(hidden: Hidden) -> dict[int, tuple[float, ...]]:
    """How likely each card lies in each place, for all cards of the places that a viewer does not see whole."""
    merged: dict[int, int] = {}
    for cards, where in hidden.kinds:
        merged[where] = merged.get(where, 0) | cards
    sets = sorted(merged.items(), key=lambda item: item[1].bit_count())  # the many last, for they are soon counted
    kinds = tuple((cards.bit_count(), where) for where, cards in sets)
    rooms = tuple(place.hidden for place in hidden.places)
    layouts = counter()
    ways = layouts(kinds, rooms)
    found = {
        card: tuple(float(place is home) for place in hidden.places)
        for home in hidden.places
        for card in cards_of(home.known)
    }
    for number, (where, cards) in enumerate(sets):
        if not cards:
            continue
        # One of these cards apart from the others, and in each place in turn.
        others = (*kinds[:number], (kinds[number][0] - 1, where), *kinds[number + 1 :])
        shares = tuple(
            layouts(others, _taken(rooms, place, 1)) / ways if where >> place & 1 and room else 0.0
            for place, room in enumerate(rooms)
        )
        found |= dict.fromkeys(cards_of(cards), shares)
    return dict(sorted(found.items()))


def counter() -> Callable[[Kinds, Rooms], int]:
    """A function: in how many ways the cards of some kinds, one at least, fill places with so much room each."""

    @cache
    def count(kinds: Kinds, rooms: Rooms) -> int:
        (n, where), rest = kinds[0], kinds[1:]
        if not rest:
            fits = sum(rooms) == n and all(where >> place & 1 for place, room in enumerate(rooms) if room)
            return factorial(n) // prod(map(factorial, rooms)) if fits else 0
        if not where:
            return 0 if n else count(rest, rooms)
        place = (where & -where).bit_length() - 1
        return sum(
            comb(n, here) * count(((n - here, where & where - 1), *rest), _taken(rooms, place, here))
            for here in range(min(n, rooms[place]) + 1)
        )

    return count


def _taken(rooms: Rooms, place: int, n: int) -> Rooms:
    """The rooms when n cards more lie in a place."""
    return (*rooms[:place], rooms[place] - n, *rooms[place + 1 :])
