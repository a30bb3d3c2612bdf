"""What the position lines of both games have in common: `key=value` words and lists of cards."""

from collections.abc import Iterable


def split_line(text: str) -> tuple[str, dict[str, str]]:
    """`cuttle/1 hands=… turn=0` -> ("cuttle/1", {"hands": …, "turn": "0"})."""
    head, *words = text.split()
    keys: dict[str, str] = {}
    for word in words:
        key, _, value = word.partition("=")
        assert key not in keys, f"{key} twice"
        keys[key] = value
    return head, keys


def read_cards(text: str) -> tuple[list[str], int]:
    """`5D8SX3` -> (["5D", "8S"], 3); `-` -> ([], 0). The number counts unknown cards."""
    if text == "-":
        return [], 0
    named, _, hidden = text.partition("X")
    assert len(named) % 2 == 0, text
    return [named[i : i + 2] for i in range(0, len(named), 2)], int(hidden or "0")


def write_cards(cards: Iterable[str], hidden: int = 0) -> str:
    """The opposite of read_cards; the cards are written in the order given."""
    return ("".join(cards) + (f"X{hidden}" if hidden else "")) or "-"
