"""Labels as values, and jumps out of routines to labels of a section that is still active (evidence G8, G9).

Such a jump leaves the routines between as an exception does. A section is active until it is left: a jump to one that
is not, or to an earlier activation of it, is never caught, and is a fault.
"""

from typing import Any

from cplrt.faults import CplFault
from cplrt.show import Shown, require


class Label(Shown):
    """A label of an active section, as a value."""

    __slots__ = ("labels", "name")

    def __init__(self, labels: "Labels", name: str) -> None:
        self.labels = labels
        self.name = name

    def shown(self) -> tuple[str, None]:
        """The name only."""
        return self.name, None


class Labels:
    """The labels of one activation of a section."""

    def __getitem__(self, name: str) -> Label:
        return Label(self, name)

    def target(self, jump: "Jump") -> str:
        """The name of the label to which a jump leads. Raises the jump again if it is none of this activation."""
        if jump.label.labels is not self:
            raise jump
        return jump.label.name


class Jump(CplFault):
    """A jump to a label; a fault if the section of the label is not active. Raises CplFault if it is no label."""

    def __init__(self, label: Any) -> None:
        require(isinstance(label, Label), "go to expected a label", label)
        super().__init__(f"the section of the label {label.name} has been left, and no jump leads there")
        self.label: Label = label
