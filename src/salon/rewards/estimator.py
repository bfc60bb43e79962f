"""How totals become advantages, as a section of a reward recipe.

    advantage: {kind: grpo, scale: none}      or gdpo, rank, rpo, nft, win_rate

The numbers are made in `salon.rewards.advantage`, where each kind has its formula and a worked example.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

Scale = Literal["none", "group", "batch"]
Scope = Literal["batch", "group"]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Grpo(_Section):
    """Distance from the group's mean, divided by a standard deviation where `scale` names one."""

    kind: Literal["grpo"] = "grpo"
    scale: Scale = "none"


class Gdpo(_Section):
    """The batch z-score of totals whose terms were standardised inside their groups."""

    kind: Literal["gdpo"]


class Rank(_Section):
    """The place inside the group, −1 to 1: blind to scale and outliers."""

    kind: Literal["rank"]


class Rpo(_Section):
    """+win (λ) for the better of two samples, −lose (γ) for the other; not centred."""

    kind: Literal["rpo"]
    win: Annotated[FiniteFloat, Field(gt=0)] = 1.0
    lose: Annotated[FiniteFloat, Field(ge=0)] = 0.1


class Nft(_Section):
    """DiffusionNFT's r, 0 to 1: how much of a sample is to be imitated. For flow models only."""

    kind: Literal["nft"]
    std: Scope = "batch"
    clip: Annotated[FiniteFloat, Field(gt=0)] = 5.0


class WinRate(_Section):
    """GRPO on the share of its group that a sample beats, instead of on the totals."""

    kind: Literal["win_rate"]
    scale: Scale = "group"


Estimator = Annotated[Grpo | Gdpo | Rank | Rpo | Nft | WinRate, Field(discriminator="kind")]
