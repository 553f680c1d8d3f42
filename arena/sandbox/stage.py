"""Makes the host's files reachable for the uid a bot runs as.

Root drops to an ordinary uid before a sandbox starts, and that uid may be unable to walk to the interpreter
(below root's home, mode 700) or to the bots. bubblewrap's `--ro-bind-fd` does not help: it turns the descriptor back
into a path. So the launcher's thread takes a private mount namespace, which nobody else sees and which vanishes with
the process, lays a tmpfs over an unused folder of it, and binds there what is out of reach. Without the right to mount
(root in a container with default capabilities) files are copied to a temporary folder instead.
"""

import atexit
import ctypes
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

from arena.errors import HostFailure
from arena.sandbox import cgroup

CLONE_NEWNS: Final = 0x00020000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_SLAVE = 0x2, 0x4, 0x1000, 0x4000, 0x80000
MNT_DETACH: Final = 0x2
PLACES: Final = ("/media", "/mnt", "/srv", "/opt")  # standing folders that a tmpfs can cover, in this namespace alone
CAP_SYS_ADMIN: Final = 21
# bubblewrap reads the list of all mounts for each one that it makes, and the kernel copies it for each sandbox. These
# and what is below them hold nothing that a bot may see.
NOT_NEEDED: Final = ("/sys", "/dev/pts", "/dev/mqueue", "/dev/hugepages", "/proc/sys/fs/binfmt_misc")


class Stage:
    """Lives in one thread: the launcher's."""

    def __init__(self, *, private: bool) -> None:
        """`private`: this is root, whose bots run as other uids. Else every path already is within reach."""
        self._private = private
        self._placed: dict[Path, Path] = {}
        self._copied: dict[Path, Path] = {}
        self._links: dict[tuple[str, ...], Path] = {}
        self._folder: Path | None = None
        self._names = count()
        self._mounts = False
        if private and has_capability(CAP_SYS_ADMIN):
            self._mounts = self._enter_private_namespace()

    def place(self, source: Path, leave_out: tuple[str, ...] = ()) -> Path:
        """A path to the same file or folder that any uid may walk to; a copy may lack names like `leave_out`.

        Raises:
            HostFailure: it cannot be made reachable.
        """
        if not self._private:
            return source
        if source not in self._placed:
            self._placed[source] = source if _is_walkable(source) else self._bring(source, leave_out)
        return self._placed[source]

    def place_readable(self, source: Path) -> Path:
        """As `place`, and every file below can be read by others, too: copied if some of them cannot."""
        if not self._private:
            return source
        if source not in self._copied:
            self._copied[source] = self.place(source) if _others_can_read(source) else self._copy(source)
        return self._copied[source]

    def place_together(self, sources: tuple[Path, ...], root: Path) -> Path:
        """Folders below `root` at one place, in their places relative to each other. Returns `root`'s stand-in."""
        if not self._private or all(map(_is_walkable, sources)):
            return root
        if root not in self._placed:
            stand_in = self._new_name()
            for source in sources:
                target = stand_in / source.relative_to(root)
                if self._mounts:
                    target.mkdir(parents=True)
                    _mount(source, target, MS_BIND)
                else:
                    shutil.copytree(source, target)
            _open_to_others(stand_in)
            self._placed[root] = stand_in
        return self._placed[root]

    def links(self, targets: dict[str, Path]) -> Path:
        """A folder that holds links by these names, and nothing else."""
        name = self._links.get(tuple(targets))
        if name is None:
            name = self._new_name()
            name.mkdir(mode=0o755)
            for link, target in targets.items():
                (name / link).symlink_to(self.place(target))
            self._links[tuple(targets)] = name
        return name

    def _enter_private_namespace(self) -> bool:
        try:
            _check(_libc().unshare(CLONE_NEWNS), "a private mount namespace")
            _check(_libc().mount(None, b"/", None, ctypes.c_ulong(MS_REC | MS_SLAVE), None), "private mounts")
            _leave_behind_what_no_sandbox_needs()
        except OSError:
            return False
        return True

    def _stage_folder(self, source: Path) -> Path:
        if self._folder is None:
            if self._mounts:
                self._folder = self._cover(source)
            else:
                _sweep_leftovers()
                self._folder = Path(
                    tempfile.mkdtemp(prefix=f"arena-stage-{os.getpid()}-", dir=_temporary(self._private))
                )
                self._folder.chmod(0o711)
                atexit.register(_remove_if_mine, self._folder, os.getpid())
        return self._folder

    def _cover(self, source: Path) -> Path:
        for place in map(Path, PLACES):
            if place.is_dir() and not place.is_symlink() and not source.is_relative_to(place):
                flags = ctypes.c_ulong(MS_NOSUID | MS_NODEV)
                _check(_libc().mount(b"tmpfs", os.fsencode(place), b"tmpfs", flags, b"mode=711"), f"tmpfs on {place}")
                return place
        raise HostFailure(f"no folder to stage {source} in: none of {', '.join(PLACES)} is free")

    def _new_name(self, source: Path = Path("/")) -> Path:
        folder = self._stage_folder(source)
        return folder / f"{next(self._names)}"

    def _bring(self, source: Path, leave_out: tuple[str, ...]) -> Path:
        return self._bind(source) if self._mounts else self._copy(source, leave_out)

    def _bind(self, source: Path) -> Path:
        target = self._new_name(source)
        if source.is_dir():
            target.mkdir()
        else:
            target.touch()
        _mount(source, target, MS_BIND | MS_REC)
        return target

    def _copy(self, source: Path, leave_out: tuple[str, ...] = ()) -> Path:
        target = self._new_name(source)
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns(*leave_out))
        else:
            shutil.copy2(source, target)
        _open_to_others(target)
        return target


def _leave_behind_what_no_sandbox_needs() -> None:
    """Take some mounts out of this thread's namespace; control groups are then reached by what was opened before."""
    cgroup.parents()
    for path in NOT_NEEDED:
        while _libc().umount2(os.fsencode(path), MNT_DETACH) == 0:  # there may be several, one on the other
            pass


def has_capability(number: int) -> bool:
    """Whether this thread holds a capability (numbers of <linux/capability.h>)."""
    for line in Path("/proc/thread-self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> number & 1)
    return False


def _is_walkable(path: Path) -> bool:
    """Others may pass through every folder above, and enter the path itself."""
    try:
        real = path.resolve(strict=True)
        above = all(folder.stat().st_mode & stat.S_IXOTH for folder in real.parents)
        return above and bool(real.stat().st_mode & (stat.S_IXOTH if real.is_dir() else stat.S_IROTH))
    except OSError:
        return False


def _others_can_read(path: Path) -> bool:
    if not path.is_dir():
        return bool(path.stat().st_mode & stat.S_IROTH)
    if path.stat().st_mode & 0o5 != 0o5:
        return False
    for folder, folders, files in os.walk(path):
        for name, needed in [(name, 0o5) for name in folders] + [(name, 0o4) for name in files]:
            mode = (Path(folder) / name).lstat().st_mode
            if not stat.S_ISLNK(mode) and mode & needed != needed:
                return False
    return True


def _open_to_others(path: Path) -> None:
    """Let others read what the owner can, and run what the owner can."""
    paths = [path, *path.rglob("*")] if path.is_dir() else [path]
    for one in paths:
        mode = one.lstat().st_mode
        if not stat.S_ISLNK(mode):
            with suppress(OSError):  # a read-only bind below
                one.chmod(stat.S_IMODE(mode) | 0o444 | (0o111 if mode & 0o100 or stat.S_ISDIR(mode) else 0))


def _temporary(private: bool) -> Path:
    """A folder for temporary files that, if need be, everybody can walk to.

    Raises:
        HostFailure: there is none.
    """
    places = [Path(tempfile.gettempdir()), Path("/var/tmp"), Path("/tmp")]  # noqa: S108
    for place in places:
        if not private or _is_walkable(place):
            return place
    raise HostFailure(f"none of {', '.join(map(str, places))} can be entered by everybody")


def _remove_if_mine(folder: Path, pid: int) -> None:
    if os.getpid() == pid:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep_leftovers() -> None:
    """Remove the folders of processes that died without removing theirs."""
    for folder in Path(tempfile.gettempdir()).glob("arena-stage-*-*"):
        pid = folder.name.split("-")[2]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists() and folder.stat().st_uid == os.geteuid():
            shutil.rmtree(folder, ignore_errors=True)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _mount(source: Path, target: Path, flags: int) -> None:
    result = _libc().mount(os.fsencode(source), os.fsencode(target), None, ctypes.c_ulong(flags), None)
    _check(result, f"bind {source}")


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
