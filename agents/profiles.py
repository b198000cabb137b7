"""Profiles: what kinds of agents there are, as data. One TOML file each; unknown keys are refused."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tools.policy import ToolPolicy
from tools.session_facts import PermissionMode, PlanMode

PROFILES_FOLDER: Final = Path(__file__).resolve().parent / "profiles"
PROMPTS_FOLDER: Final = Path(__file__).resolve().parent / "prompts"

FileTool = Literal["ls", "read_file", "write_file", "edit_file", "delete", "glob", "grep"]
_TODO_TOOL: Final = "write_todos"
_Name = Annotated[str, Field(pattern=r"^[a-z]+(_[a-z0-9]+)*$")]


class ProfileError(ValueError):
    """A profile file does not say what it must; the message names file and key."""


class AgentProfile(BaseModel):
    """One kind of agent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: _Name = Field(description="Name in URLs and settings; the file's name.")
    title: str = Field(min_length=1, description="Name for people.")
    description: str = Field(min_length=1, description="What it is for, in one sentence.")
    prompt: str = Field(min_length=1, description="Text of the prompt; the file names a Markdown file beside it.")
    tools: tuple[str, ...] = Field((), description="Names of registered tools.")
    file_tools: tuple[FileTool, ...] = Field(
        ("ls", "read_file", "write_file", "edit_file", "glob", "grep"), description="Framework tools for files."
    )
    todos: bool = Field(default=True, description="Whether it keeps a todo list.")
    skills: tuple[str, ...] = Field((), description="Virtual folders of skills.")
    approval: tuple[str, ...] = Field((), description="Tools that wait for a person.")
    examples: tuple[str, ...] = Field((), description="First messages a user may click.")
    reasoning: bool = Field(default=True, description="Whether the model's thinking is shown.")
    permission_mode: PermissionMode = Field("default", description="`read_only` forbids tools that write outside.")
    plan_mode: PlanMode = Field("off", description="`required` forbids them until a person approved a plan.")
    max_tool_calls_per_run: int = Field(80, ge=1, description="Calls of registered tools one run may make.")

    @property
    def policy(self) -> ToolPolicy:
        """What the agent may call, as the wrapper of calls wants it."""
        return ToolPolicy(
            allow=frozenset({*self.tools, *self.file_tools, *([_TODO_TOOL] if self.todos else [])}),
            approval=frozenset(self.approval),
            max_tool_calls_per_run=self.max_tool_calls_per_run,
        )


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
    if strays := set(profile.approval) - set(profile.tools):
        raise ProfileError(f"profile {file.name}: approval names tools it does not have: {sorted(strays)}")
    return profile
