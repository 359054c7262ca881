"""Generates values of the document's own text format."""

import schemathesis
from hypothesis import strategies as st

addresses = st.ip_addresses()
networks = addresses.flatmap(
    lambda address: st.integers(0, address.max_prefixlen).map(lambda bits: f"{address}/{bits}")
)

schemathesis.openapi.format("ip-network", addresses.map(str) | networks)
