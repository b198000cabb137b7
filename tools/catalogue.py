"""What is registered, as data: features with their tools and playbooks. Nothing in it can be called."""

from __future__ import annotations

import sys
from typing import Final

from tools.critical_fields import ALL_PATTERNS
from tools.declaration import refuse_unlisted, unlisted
from tools.descriptor import ToolDescriptor
from tools.errors import ToolRegistrationError, UnknownToolError
from tools.feature import Feature
from tools.playbook import Playbook

_OUR_PACKAGES: Final = ("tools.", "extensions.")


class ToolCatalogue:
    """The tools there are. Importing a tool's module registers nothing; adding its feature does."""

    def __init__(self) -> None:
        self._features: dict[str, Feature] = {}

    def add_feature(self, feature: Feature) -> None:
        """Register a feature's tools, playbooks and critical fields.

        Raises:
            ToolRegistrationError: The feature, one of its tool names or one of its critical fields is registered already.
        """
        if feature.name in self._features:
            raise ToolRegistrationError(f"feature {feature.name!r} is registered already")
        taken = {descriptor.name: descriptor.feature for descriptor in self.descriptors}
        if clashes := [f"{d.name} (of {taken[d.name]})" for d in feature.descriptors if d.name in taken]:
            raise ToolRegistrationError(
                f"Tool already registered: feature {feature.name!r} repeats {', '.join(clashes)}; rename one of them."
            )
        ALL_PATTERNS.register(feature.critical_fields)
        self._features[feature.name] = feature

    def check_complete(self) -> None:
        """Make sure that no imported module of ours marks a tool that nobody registered.

        Raises:
            ToolRegistrationError: One does; the sentence names file, tool and remedy.
        """
        modules = [module for name, module in sorted(sys.modules.items()) if name.startswith(_OUR_PACKAGES)]
        for declaration in unlisted(modules, [descriptor.function for descriptor in self.descriptors]):
            raise refuse_unlisted(declaration)

    def clear(self) -> None:
        """Forget every feature."""
        self._features.clear()

    @property
    def descriptors(self) -> tuple[ToolDescriptor, ...]:
        """All registered tools, in the order of registration."""
        return tuple(descriptor for feature in self._features.values() for descriptor in feature.descriptors)

    @property
    def playbooks(self) -> tuple[Playbook, ...]:
        """All playbooks, in the order of registration."""
        return tuple(playbook for feature in self._features.values() for playbook in feature.playbooks)

    def descriptor(self, name: str) -> ToolDescriptor:
        """The tool of that name.

        Raises:
            UnknownToolError: No feature registered it.
        """
        for descriptor in self.descriptors:
            if descriptor.name == name:
                return descriptor
        raise UnknownToolError(f"no tool {name!r}; there are {', '.join(d.name for d in self.descriptors) or 'none'}")
