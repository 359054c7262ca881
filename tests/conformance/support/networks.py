"""Prints networks, unions and differences as Python's ipaddress computes them: networks.py SEED TEXTS SETS < texts.json

The texts are changed versions of those on standard input. A set has sources, networks to take away from them, and by
family the number of addresses that remain, of all and of public ones.
"""

import json
import platform
import random
import re
import sys
from ipaddress import collapse_addresses, ip_network, summarize_address_range

# Of IPv6 the allocated ones.
PUBLIC = {4: ip_network("0.0.0.0/0"), 6: ip_network("2000::/3")}
ALPHABET = "0123456789abcdefF.:/% -"


def network(text):
    # Go refuses masks and lengths that begin with zero; a zone names an interface of one machine.
    if "%" in text or re.search(r"/(0\d|.*[.:])", text):
        return None
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        return None


def changed(text, random):
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(["", random.choice(ALPHABET)]) + text[at + random.randrange(2) :]
    return text


def some_network(random):
    if random.random() < 0.5:
        length = random.choice([0, 1, 2, 3, 8, 9, 15, 16, 17, 23, 24, 31, 32])
        # Few distinct first bits, so that networks overlap and adjoin.
        return str(ip_network((random.getrandbits(32) & random.choice([0xC0FFFFFF, 0xC0C0C003]), length), strict=False))
    length = random.choice([0, 1, 2, 3, 4, 12, 16, 20, 32, 48, 64, 127, 128])
    first = random.choice([0x2 << 124, 0x3 << 124, 0x2A << 120, 0xFD << 120, 0]) | random.getrandbits(120)
    if random.random() < 0.3:
        embedding, low = random.choice([(0x2002 << 112, 80), (0xFFFF << 32, 0)])
        first = embedding | random.getrandbits(32) << low
        length = 128 - low - random.choice([0, 1, 2, 8, 16, 32])
    return str(ip_network((first, length), strict=False))


def by_family(texts):
    """IPv4 addresses that IPv6 embeds (mapped, 6to4) count as IPv4, and as IPv6 where the network has others, too."""
    families = {4: [], 6: []}
    for one in map(ip_network, texts):
        inner = [getattr(end, "ipv4_mapped", None) or getattr(end, "sixtofour", None) for end in (one[0], one[-1])]
        if all(inner):
            families[4] += summarize_address_range(*inner)
            continue
        families[one.version].append(one)
        if one.version == 6 and any(one.overlaps(ip_network(outer)) for outer in EMBEDDING):
            families[4].append(PUBLIC[4])
    return families


EMBEDDING = ["::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "2002::/16"]


def without(networks, others):
    rest = list(collapse_addresses(networks))
    for other in collapse_addresses(others):
        parts = []
        for one in rest:
            if not one.overlaps(other):
                parts.append(one)
            elif other.prefixlen > one.prefixlen:
                parts += one.address_exclude(other)
        rest = parts
    return rest


def count(networks, version):
    rest = list(collapse_addresses(networks))
    public = [min(one, PUBLIC[version], key=lambda each: each.num_addresses) for one in rest if one.overlaps(PUBLIC[version])]
    return [str(sum(one.num_addresses for one in each)) for each in (rest, public)]


def some_set(random):
    # A network of IPv6 inside of an embedding one, but not of a kind that Python knows, is not judged.
    def some(most):
        texts = [some_network(random) for _ in range(random.randrange(most))]
        return [text for text in texts if not (text.startswith("::") and not text.startswith("::ffff:") and text != "::/0")]

    sources, allowed = some(12), some(4)
    families, others = by_family(sources), by_family(allowed)
    rest = {f"ipv{version}": count(without(families[version], others[version]), version) for version in (4, 6)}
    return {"sources": sources, "allowed": allowed, "rest": rest}


seed, texts, sets = map(int, sys.argv[1:])
random = random.Random(seed)
corpus = sorted(json.load(sys.stdin))
written = [changed(random.choice(corpus), random) for _ in range(texts)]
print(
    json.dumps(
        {
            "source": f"Python's ipaddress, tests/conformance/support/networks.py with seed {seed}",
            "version": platform.python_version(),
            "networks": {text: network(text) for text in written},
            "sets": [some_set(random) for _ in range(sets)],
        }
    )
)
