"""Reading what is not the bot's, writing what is."""

import ctypes
import os
import pathlib
import socket
import struct

from attempt import LIBC, STAKE, X86, attempt, call

SCRATCH = os.environ.get("TMPDIR", "/tmp")
HERE = pathlib.Path(__file__).resolve().parent
OPEN_BY_HANDLE_AT, NAME_TO_HANDLE_AT = (304, 303) if X86 else (265, 264)


def read(path):
    def attack():
        data = pathlib.Path(path).read_bytes()[:200]
        if not data:
            raise OSError("empty")
        return data

    return attack


def listing(path):
    def attack():
        names = os.listdir(path)
        if not names:
            raise OSError("empty")
        return names[:10]

    return attack


def write(path):
    def attack():
        target = pathlib.Path(path)
        existed = target.exists()
        with target.open("ab") as file:
            file.write(b"" if existed else b"x")
        if not existed:
            target.unlink()
        return f"opened {path} for writing"

    return attack


def through_a_symlink():
    link = pathlib.Path(SCRATCH) / "link"
    link.symlink_to(STAKE["secret"])
    return link.read_text()


def hard_link():
    target = pathlib.Path(SCRATCH) / "hard"
    os.link(HERE / "files.py", target)
    target.chmod(0o777)
    return "a second name for a file of its folder, elsewhere"


def chmod_own():
    os.chmod(HERE / "files.py", 0o777)
    return "changed a mode in its folder"


def rename_own():
    os.rename(HERE / "files.py", HERE / "renamed.py")
    os.rename(HERE / "renamed.py", HERE / "files.py")
    return "renamed a file in its folder"


def utime_own():
    os.utime(HERE / "files.py", (1, 1))
    return "changed times in its folder"


def truncate_own():
    os.truncate(HERE / "attempt.py", 10_000_000)
    return "resized a file in its folder"


def make_folder():
    (HERE / "made").mkdir()
    (HERE / "made").rmdir()
    return "made a folder in its folder"


def xattr_own():
    os.setxattr(HERE / "files.py", "user.note", b"x")
    return "noted something on a shared file"


def above():
    up = pathlib.Path("/" + "/".join([".."] * 20)) / STAKE["secret"].lstrip("/")
    return up.read_text()


def through_proc_root():
    return pathlib.Path("/proc/self/root" + STAKE["secret"]).read_text()


def through_proc_cwd():
    return pathlib.Path("/proc/self/cwd/../../../../../.." + STAKE["secret"]).read_text()


def chroot_break():
    os.mkdir(SCRATCH + "/jail")
    os.chroot(SCRATCH + "/jail")
    for _ in range(40):
        os.chdir("..")
    os.chroot(".")
    return pathlib.Path(STAKE["secret"]).read_text()


def by_handle():
    folder = os.open("/", os.O_RDONLY)
    handle = struct.pack("=Ii", 8, 1) + struct.pack("=II", 2, 0)  # the root inode of most file systems
    fd = call(OPEN_BY_HANDLE_AT, folder, ctypes.create_string_buffer(handle, len(handle)), os.O_RDONLY)
    return os.listdir(fd)


def mount(source, target, kind, flags, what):
    def attack():
        pathlib.Path(target).mkdir(exist_ok=True)
        if LIBC.mount(source, target.encode(), kind, ctypes.c_ulong(flags), None) != 0:
            raise OSError(ctypes.get_errno(), "mount")
        return what

    return attack


def unmount(target):
    def attack():
        if LIBC.umount2(target.encode(), 2) != 0:
            raise OSError(ctypes.get_errno(), "umount")
        return f"unmounted {target}"

    return attack


def device():
    path = SCRATCH + "/disk"
    os.mknod(path, 0o660 | 0o060000, os.makedev(254, 0))
    return pathlib.Path(path).open("rb").read(16)


def setuid_program():
    path = pathlib.Path(SCRATCH) / "su"
    path.write_bytes(b"x")
    for program in ("/usr/bin/su", "/usr/bin/mount", "/usr/bin/passwd", "/usr/bin/newgrp", "/usr/bin/chsh"):
        if os.path.exists(program) and os.stat(program).st_mode & 0o4000:
            status = os.popen(f"{program} -c id 2>&1 </dev/null").read()
            if "uid=0" in status:
                return status
    raise PermissionError("no set-user-id program gave anything")


def descriptors():
    extra = [fd for fd in os.listdir("/proc/self/fd") if int(fd) > 2 and os.path.exists(f"/proc/self/fd/{fd}")]
    found = {fd: os.readlink(f"/proc/self/fd/{fd}") for fd in extra}
    found = {fd: name for fd, name in found.items() if not name.startswith(("pipe:", "/proc/"))}
    if not found:
        raise OSError("only its own")
    return found


def descriptors_by_number():
    pipe_of_the_attempt = 1
    usable = []
    for fd in range(3, 256):
        try:
            os.fstat(fd)
            usable.append(fd)
        except OSError:
            pass
    if len(usable) <= pipe_of_the_attempt:
        raise OSError("only its own")
    return usable


def environment():
    known = {
        "PATH",
        "HOME",
        "TMPDIR",
        "LANG",
        "PYTHONPATH",
        "PYTHONDONTWRITEBYTECODE",
        "LD_LIBRARY_PATH",
        "PWD",
        "LC_CTYPE",
    }
    extra = {name: value for name, value in os.environ.items() if name not in known}
    if not extra:
        raise KeyError("nothing but its own")
    return extra


def host_path_in_its_own_environment():
    if STAKE["host_word"] in "".join(os.environ.values()) + pathlib.Path("/proc/self/cmdline").read_text():
        return "a path of the host"
    raise KeyError("no path of the host")


def terminal():
    return os.open("/dev/tty", os.O_RDWR)


def terminal_of_its_streams():
    return [os.ttyname(fd) for fd in (0, 1, 2)]


def user_names():
    text = pathlib.Path("/etc/passwd").read_text()
    return text.splitlines()[0]


def host_name():
    name = socket.gethostname()
    if name != STAKE["host_name"]:
        raise OSError("another name")
    return name


attempt(
    {
        "read_shadow": read("/etc/shadow"),
        "read_passwd": user_names,
        "read_machine_id": read("/etc/machine-id"),
        "read_hosts": read("/etc/hosts"),
        "read_resolv_conf": read("/etc/resolv.conf"),
        "read_secret": read(STAKE["secret"]),
        "read_opponents_program": read(STAKE["opponent"] + "/bot.py"),
        "list_opponents_folder": listing(STAKE["opponent"]),
        "read_database": read(STAKE["database"]),
        "list_root_home": listing("/root"),
        "list_home": listing("/home"),
        "list_var": listing("/var"),
        "list_run": listing("/run"),
        "list_sys": listing("/sys"),
        "list_boot": listing("/boot"),
        "list_srv": listing("/srv"),
        "list_mnt": listing("/mnt"),
        "list_host_tmp": lambda: next(iter(os.listdir("/tmp"))),
        "read_kernel_command_line": read("/proc/cmdline"),
        "read_kernel_symbols": read("/proc/kallsyms"),
        "read_kernel_keys": read("/proc/keys"),
        "read_file_locks": read("/proc/locks"),
        "read_load": read("/proc/loadavg"),
        "read_interrupts": read("/proc/interrupts"),
        "read_modules": read("/proc/modules"),
        "read_kernel_memory": read("/proc/kcore"),
        "read_kernel_log": read("/dev/kmsg"),
        "read_disk": read("/dev/vda"),
        "write_own_folder": write(HERE / "new"),
        "write_own_program": write(HERE / "files.py"),
        "write_root": write("/new"),
        "write_usr": write("/usr/new"),
        "write_etc": write("/etc/new"),
        "write_dev": write("/dev/new"),
        "write_interpreter": write(pathlib.Path(os.__file__).resolve()),
        "write_arena": lambda: write(pathlib.Path(__import__("arena").__file__).resolve())(),
        "write_secret": write(STAKE["secret"]),
        "write_core_pattern": write("/proc/sys/kernel/core_pattern"),
        "write_host_name": write("/proc/sys/kernel/hostname"),
        "write_sysrq": write("/proc/sysrq-trigger"),
        "write_user_namespaces": write("/proc/sys/user/max_user_namespaces"),
        "through_a_symlink": through_a_symlink,
        "hard_link": hard_link,
        "chmod_own": chmod_own,
        "rename_own": rename_own,
        "utime_own": utime_own,
        "truncate_own": truncate_own,
        "make_folder": make_folder,
        "xattr_own": xattr_own,
        "above_the_root": above,
        "through_proc_root": through_proc_root,
        "through_proc_cwd": through_proc_cwd,
        "chroot_break": chroot_break,
        "open_by_handle": by_handle,
        "mount_proc": mount(b"proc", SCRATCH + "/m", b"proc", 0, "a /proc"),
        "mount_tmpfs": mount(b"tmpfs", SCRATCH + "/m", b"tmpfs", 0, "a tmpfs"),
        "remount_root_writable": mount(None, "/", None, 32, "a writable root"),
        "remount_folder_writable": mount(None, str(HERE), None, 32 | 4096, "a writable folder"),
        "unmount_folder": unmount(str(HERE)),
        "unmount_proc_1": unmount("/proc/1"),
        "make_a_device": device,
        "setuid_program": setuid_program,
        "inherited_descriptors": descriptors_by_number,
        "inherited_files": descriptors,
        "environment": environment,
        "host_path_in_environment_or_command_line": host_path_in_its_own_environment,
        "terminal": terminal,
        "terminal_of_its_streams": terminal_of_its_streams,
        "host_name": host_name,
    }
)
