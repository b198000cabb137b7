"""Profiles: what kinds of agents there are, as data. One TOML file each; unknown keys are refused."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Final, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agents.guards.policy import AgentPolicy
from tools.session_facts import PermissionMode, PlanMode

PROFILES_FOLDER: Final = Path(__file__).resolve().parent / "profiles"
PROMPTS_FOLDER: Final = Path(__file__).resolve().parent / "prompts"

ModelEgress = Literal["none", "excerpts", "all"]
FileTool = Literal["ls", "read_file", "write_file", "edit_file", "delete", "glob", "grep"]
_TODO_TOOL: Final = "write_todos"
SUBAGENT_TOOL: Final = "task"
"""The framework's tool that hands work to a sub-agent."""
FRAMEWORK_TOOLS: Final = frozenset({*get_args(FileTool), _TODO_TOOL, SUBAGENT_TOOL})
"""Tools of the framework that a policy may allow."""
_Name = Annotated[str, Field(pattern=r"^[a-z]+(_[a-z0-9]+)*$")]


class ProfileError(ValueError):
    """A profile file does not say what it must; the message names file and key."""


class SubAgentProfile(BaseModel):
    """A worker that an agent hands part of its task to; it may call less than its parent, never more."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: _Name = Field(description="Name the model calls it by.")
    description: str = Field(min_length=1, description="What it is for; the parent's model reads it.")
    prompt: str = Field(min_length=1, description="Its own prompt.")
    tools: tuple[str, ...] = Field((), description="Registered tools it has, a part of the policy's `allow`.")


class AgentProfile(BaseModel):
    """One kind of agent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: _Name = Field(description="Name in URLs and settings; the file's name.")
    title: str = Field(min_length=1, description="Name for people.")
    description: str = Field(min_length=1, description="What it is for, in one sentence.")
    prompt: str = Field(min_length=1, description="Text of the prompt; the file names a Markdown file beside it.")
    skills: tuple[str, ...] = Field((), description="Virtual folders of skills.")
    examples: tuple[str, ...] = Field((), description="First messages a user may click.")
    reasoning: bool | None = Field(
        None,
        description="Whether the model's thinking, which no guard verifies, is shown; unset: where no answer is verified.",
    )
    permission_mode: PermissionMode = Field("default", description="`read_only` forbids tools that write outside.")
    plan_mode: PlanMode = Field("off", description="`required` forbids them until a person approved a plan.")
    model_egress: ModelEgress = Field(
        "all",
        description="What may leave for a language model: `none` nothing, the embedded model works; `excerpts` what is "
        "typed and what tools answer, never the text of uploaded files; `all` files too.",
    )
    policy: AgentPolicy = Field(AgentPolicy(), description="What code enforces; by default it may call nothing.")

    general_subagent: bool = Field(default=True, description="Whether `task`, if allowed, offers a general worker.")
    subagents: tuple[SubAgentProfile, ...] = Field((), description="Further workers of `task`.")

    @model_validator(mode="after")
    def _check_subagents(self) -> Self:
        if self.subagents and not self.has_subagents:
            raise ValueError(f"policy.allow must list {SUBAGENT_TOOL}, or the sub-agents cannot be called")
        for worker in self.subagents:
            if strays := set(worker.tools) - set(self.tools):
                raise ValueError(f"sub-agent {worker.name} has tools its parent may not call: {sorted(strays)}")
        return self

    @property
    def stays_local(self) -> bool:
        """Whether nothing may leave for a language model: the embedded model works, whatever the settings say."""
        return self.model_egress == "none"

    @property
    def has_subagents(self) -> bool:
        """Whether it may hand work to sub-agents."""
        return SUBAGENT_TOOL in self.policy.allow

    @property
    def tools(self) -> tuple[str, ...]:
        """The registered tools it has."""
        return tuple(name for name in self.policy.allow if name not in FRAMEWORK_TOOLS)

    @property
    def file_tools(self) -> tuple[FileTool, ...]:
        """The framework's tools for files its graph has; `read_file` is never missing there, the policy may still forbid it."""
        return tuple(name for name in get_args(FileTool) if name in self.policy.allow or name == "read_file")

    @property
    def todos(self) -> bool:
        """Whether it keeps a todo list."""
        return _TODO_TOOL in self.policy.allow


def load_profiles(folder: Path = PROFILES_FOLDER, prompts: Path = PROMPTS_FOLDER) -> dict[str, AgentProfile]:
    """Read every profile of a folder, by name.

    Raises:
        ProfileError: A file cannot be read, has unknown keys, or names a prompt that is not there.
    """
    profiles = (_load(file, prompts) for file in sorted(folder.glob("*.toml")))
    return {profile.name: profile for profile in profiles}


def _load(file: Path, prompts: Path) -> AgentProfile:
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
        values["prompt"] = (prompts / str(values.get("prompt", ""))).read_text(encoding="utf-8").strip()
        profile = AgentProfile.model_validate(values)
    except (tomllib.TOMLDecodeError, OSError, ValidationError) as error:
        raise ProfileError(f"profile {file.name}: {error}") from error
    if profile.name != file.stem:
        raise ProfileError(f"profile {file.name}: name {profile.name!r} differs from the file's")
    return profile
