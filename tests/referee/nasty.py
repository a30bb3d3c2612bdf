"""Random complete positions steered into rare situations, and a player who prefers rare moves.

A position starts from a rigged table (Cuttle, stage `main`) or a rigged deal (Buck Euchre) and is then played on by
random legal moves until the wanted stage appears, so that everything in it fits together.
"""

import random
from collections.abc import Callable

from . import buck, cuttle

# ---------------------------------------------------------------- steering

CUTTLE_WEIGHTS = {"A": 2, "2": 6, "3": 7, "4": 6, "5": 3, "6": 2, "7": 9, "8": 5, "9": 6, "J": 7, "Q": 3, "K": 2}


def steer(state: cuttle.State | buck.State, rng: random.Random) -> str:
    """A random legal move, rare ones more often than others."""
    moves = state.legal()
    if isinstance(state, cuttle.State):
        weights = [cuttle_weight(move) for move in moves]
    else:
        weights = [buck_weight(state, move) for move in moves]
    return rng.choices(moves, weights)[0]


def cuttle_weight(move: str) -> float:
    if move[0] == "c":
        return 6  # counter
    if move[0] == "t":
        return 4 if move[1] in "2379J" else 1
    if "@" in move:
        return CUTTLE_WEIGHTS[move[0]]
    if "x" in move:
        return 2
    if move == "ok":
        return 2
    if move == "pass":
        return 3
    return 1  # draw, points, discard


def buck_weight(state: buck.State, move: str) -> float:
    if state.stage in ("order", "name"):
        return 1 if move == "pass" else 2
    if state.stage == "bury":
        return 4 if move[1:] == state.up or move[1] == "J" else 1
    if state.stage == "stay":
        return 3 if move == "drop" else 2
    assert state.trump is not None
    if move[0] == "J":
        return 2  # bowers
    if state.trick and buck.suit_of(move, state.trump) != buck.suit_of(state.trick[0], state.trump):
        return 2 if buck.suit_of(move, state.trump) == state.trump else 1
    return 1


# ---------------------------------------------------------------- Cuttle

RARE = "2223377789JJJQQ"

CUTTLE_WANTED: list[tuple[int, str, Callable[[cuttle.State], bool]]] = [
    # weight, the ranks that hands and the top of the stock are rigged with, what is wanted
    (6, RARE, lambda s: s.stage == "main"),
    (3, RARE, lambda s: s.stage == "main" and s.passes > 0),
    (2, "2222A3456789", lambda s: s.stage == "counter" and not s.counters),
    (2, "2222A3456789", lambda s: s.stage == "counter" and len(s.counters) == 1),
    (2, "2222A3456789", lambda s: s.stage == "counter" and len(s.counters) == 2),
    (1, "2222A3456789", lambda s: s.stage == "counter" and len(s.counters) == 3),
    (2, "27777JJA9", lambda s: s.stage == "counter" and bool(s.sevens)),
    (3, RARE, lambda s: s.stage == "take"),
    (1, "223377", lambda s: s.stage == "take" and bool(s.sevens)),
    (3, "2447J", lambda s: s.stage == "discard"),
    (3, RARE, lambda s: s.stage == "seven"),
    (3, "27777JJA9", lambda s: s.stage == "seven" and s.revealed is not None and s.revealed[0] == "J"),
    (2, "27777JJA9", lambda s: s.stage == "seven" and len(s.sevens) > 1),
]


def nasty_cuttle(rng: random.Random) -> cuttle.State:
    """A random unfinished position, in any stage, nobody at his goal."""
    _, rare, wanted = rng.choices(CUTTLE_WANTED, [weight for weight, _, _ in CUTTLE_WANTED])[0]
    while True:
        state = rigged_table(rng, rare)
        for _ in range(rng.choice([0, 1, 2, 4, 8, 16])):  # some play first
            if not state.over:
                state = state.play(steer(state, rng))
        for _ in range(24):
            if state.over:
                break
            if wanted(state):
                return state
            state = state.play(steer(state, rng))


def rigged_table(rng: random.Random, rare: str) -> cuttle.State:
    """A position in stage `main`: jack stacks, glasses, queens, rare cards in hands, any length of stock."""
    while True:
        left = list(cuttle.DECK)
        rng.shuffle(left)

        def take(ranks: str, left: list[str] = left) -> str | None:
            """Any card of these ranks that is left."""
            for card in left:
                if card[0] in ranks:
                    left.remove(card)
                    return card
            return None

        def take_rare(share: float, left: list[str] = left) -> str:
            card = take(rng.choice(rare)) if rng.random() < share else None
            return card or left.pop()

        points: list[list[cuttle.Stack]] = [[], []]
        perms: list[set[str]] = [set(), set()]
        hands: list[set[str]] = [set(), set()]
        for player in (0, 1):
            for _ in range(rng.choice([0, 1, 1, 2, 3])):
                card = take(rng.choice(["A2345", "6789T"]))
                assert card is not None
                points[player].append(cuttle.Stack(card))
        stacks = points[0] + points[1]
        for _ in range(rng.choice([0, 0, 1, 2, 3, 4])):
            jack = take("J")
            if stacks and jack is not None:
                rng.choice(stacks).jacks.append(jack)
            elif jack is not None:
                left.insert(0, jack)
        for player in (0, 1):
            for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
                permanent = take(rng.choice("8QQK"))
                if permanent is not None:
                    perms[player].add(permanent)
        share = rng.choice([0.3, 0.7, 1.0])
        for player in (0, 1):
            for _ in range(rng.choice([0, 1, 2, 3, 3, 4, 5, 6, 8])):
                hands[player].add(take_rare(share))

        most = min(41, len(left))  # C2: eleven cards were dealt
        size = rng.choice([0, 0, 0, 1, 2, 3, 5, rng.randint(0, most), rng.randint(0, most), most])
        size = min(size, most)
        stock = [take_rare(0.6) for _ in range(min(size, 4))]  # rare cards on top
        stock += [left.pop() for _ in range(size - len(stock))]

        # C27: something must have happened for a card in hand to be known, so only with a scrap
        seen = rng.choice([0.0, 0.0, 0.3, 0.8]) if left else 0.0
        state = cuttle.State(
            hands=hands,
            points=points,
            perms=perms,
            scrap=set(left),
            stock=stock,
            known=[{card for card in cuttle.in_order(hand) if rng.random() < seen} for hand in hands],
            turn=rng.randrange(2),
            passes=0 if stock else rng.randrange(3),
        )
        state.see_through_glasses()
        if not state.at_goal(0) and not state.at_goal(1):  # C24, C25
            return state


# ---------------------------------------------------------------- Buck Euchre

BUCK_WANTED: list[tuple[int, str, Callable[[buck.State], bool]]] = [
    # weight, how the bidding goes, what is wanted
    (2, "free", lambda s: s.stage == "order"),
    (2, "pass4", lambda s: s.stage == "name"),
    (2, "order", lambda s: s.stage == "bury"),
    (2, "order", lambda s: s.stage == "stay"),
    (1, "name", lambda s: s.stage == "stay"),
    (1, "free", lambda s: s.stage == "stay" and len(s.out) == 2),
    (2, "club", lambda s: s.stage == "play"),
    (2, "pass8", lambda s: s.stage == "play"),
    (3, "order", lambda s: s.stage == "play"),
    (2, "name", lambda s: s.stage == "play"),
    (3, "order", lambda s: s.stage == "play" and bool(s.out)),
    (2, "order", lambda s: s.stage == "play" and s.dealer in s.out),
    (4, "free", lambda s: s.stage == "play" and any(s.voids)),
    (2, "order", lambda s: s.stage == "play" and any(s.voids) and bool(s.trick)),
    (2, "pass8", lambda s: s.stage == "play" and any(s.voids)),
    (2, "club", lambda s: s.stage == "play" and any(s.voids)),
]


def nasty_buck(rng: random.Random) -> buck.State:
    """A random unfinished position, in any stage, with any scores."""
    _, bidding, wanted = rng.choices(BUCK_WANTED, [weight for weight, _, _ in BUCK_WANTED])[0]
    cards = rng.choice([0, 0, 1, 2, 3, 5, 8, 12, 16, 19])  # so many cards played at least, if it comes to that
    while True:
        state = rigged_deal(rng, club=bidding == "club")
        while not state.over:
            enough = state.stage != "play" or len(state.played) + len(state.trick) >= cards
            if wanted(state) and enough and rng.random() < 0.7:
                return state
            state = state.play(bid(state, bidding, rng))
        cards = max(0, cards - 1)  # with seats out fewer cards are played


def bid(state: buck.State, bidding: str, rng: random.Random) -> str:
    """Steer, but keep the bidding on its way."""
    first, second = state.stage == "order", state.stage == "name"
    if first and bidding in ("pass4", "pass8", "name"):
        return "pass"
    if second and bidding == "pass8":
        return "pass"
    if first and bidding == "order" and state.turn == state.dealer:
        return "order"
    if second and bidding == "name" and state.turn == state.dealer:
        return rng.choice(state.legal()[1:])
    return steer(state, rng)


def rigged_deal(rng: random.Random, club: bool) -> buck.State:
    """A deal before the first action (B3, B4): often long suits, often all jacks in hands, any scores."""
    deck = list(buck.DECK)
    rng.shuffle(deck)
    kind = rng.choice(["plain", "suits", "jacks", "both"])
    if kind in ("suits", "both"):  # long suits make voids
        deck.sort(key=lambda card: buck.SUITS.index(card[1]))
        for _ in range(rng.randint(2, 10)):
            one, two = rng.randrange(24), rng.randrange(24)
            deck[one], deck[two] = deck[two], deck[one]
        # cut, so that other suits come to other seats
        cut = rng.randrange(24)
        deck = deck[cut:] + deck[:cut]
    if kind in ("jacks", "both"):  # low cards to the end: kitty
        low = [card for card in deck if card[0] in "9T"][:3]
        deck = [card for card in deck if card not in low] + low
    up = next(card for card in reversed(deck) if (card[1] == "C") == club)
    deck.remove(up)
    dealer = rng.randrange(4)
    order = rng.sample(range(4), 4)
    hands = [set(deck[5 * place : 5 * place + 5]) for place in order]
    state = buck.State(
        hands=hands,
        up=up,
        kitty=set(deck[20:]),
        dealer=dealer,
        scores=rigged_scores(rng),
        turn=(dealer + 1) % 4,
    )
    if club:  # B4
        state.trump = "C"
        state.stage = "play"
    return state


def rigged_scores(rng: random.Random) -> list[int]:
    kind = rng.choice(["start", "near", "mixed", "mixed", "high"])
    if kind == "start":
        return [25, 25, 25, 25]
    if kind == "near":
        return [rng.randint(1, 5) for _ in range(4)]
    if kind == "high":
        return [rng.randint(20, 60) for _ in range(4)]
    return [rng.choice([rng.randint(1, 4), rng.randint(1, 25), rng.randint(26, 45)]) for _ in range(4)]
