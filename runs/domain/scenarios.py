"""What a reader assumes about money: attached to a comparison and never part of a run (design, section 8)."""

from dataclasses import dataclass, field
from decimal import Decimal

from runs.domain.units import DomainError

MOST_MONEY = Decimal(10**6)
LEAST_UTILISATION = Decimal("0.001")
"""Beyond these a cost is no number that a page can round."""


WHOLE_NODE = ", whole node"
"""Behind an offer's name: its reading for the whole node, where the smallest unit is not stated."""


@dataclass(frozen=True)
class Offer:
    """A rental offer: rate per GPU and hour, what it includes, and the smallest unit that can be rented (None: not
    stated, and both readings are shown)."""

    name: str
    rate_per_gpu_hour: Decimal
    includes: str = ""
    unit_gpus: int | None = None
    source: str = ""
    checked: str = ""

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise DomainError("an offer has a name")
        if self.name.strip().endswith(WHOLE_NODE):
            raise DomainError(f"{self.name}: an offer's name cannot end in {WHOLE_NODE!r}, as its other reading does")
        if not (self.rate_per_gpu_hour.is_finite() and 0 <= self.rate_per_gpu_hour <= MOST_MONEY):
            raise DomainError(f"{self.name}: a rate is 0 or more, at most a million, not {self.rate_per_gpu_hour:g}")
        if self.unit_gpus is not None and self.unit_gpus < 1:
            raise DomainError(f"{self.name}: the smallest rentable unit is at least one GPU, not {self.unit_gpus}")


@dataclass(frozen=True)
class Scenario:
    """Prices as entered: no rate is invented and none converted. ``utilisation`` and ``pue`` are shares of 1."""

    key: str
    name: str
    currency: str = "USD"
    price_per_kwh: Decimal | None = None
    pue: Decimal = Decimal(1)
    utilisation: Decimal = Decimal(1)
    offers: tuple[Offer, ...] = field(default=())
    note: str = ""
    version: int = 1

    def __post_init__(self) -> None:
        if not (self.utilisation.is_finite() and LEAST_UTILISATION <= self.utilisation <= 1):
            raise DomainError(
                f"utilisation is above 0 and at most 1, and {LEAST_UTILISATION} at least, not {self.utilisation:g}"
            )
        if not (self.pue.is_finite() and 1 <= self.pue <= 10):
            raise DomainError(f"PUE is from 1 to 10, not {self.pue:g}")
        price = self.price_per_kwh
        if price is not None and not (price.is_finite() and 0 <= price <= MOST_MONEY):
            raise DomainError(f"a price per kWh is 0 or more, at most a million, not {price:g}")
        names = [offer.name for offer in self.offers]
        if len(set(names)) != len(names):
            raise DomainError(f"two offers of one name: {', '.join(names)}")

    @property
    def money(self) -> str:
        """The currency's sign in units: ``$`` for USD, the code otherwise."""
        return {"USD": "$", "EUR": "€", "GBP": "£"}.get(self.currency, self.currency)
