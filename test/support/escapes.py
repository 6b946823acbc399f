"""Ways out of a stage. Each is tried by itself, in a process of its own; a line of JSON says whether it came out.

Runs inside a cage, and outside of one as the test's own control: what does not come out there proves nothing. What is asked
for outside lies in $OUT, as the test (test/e2e/cage.e2e.ts) put it there; TOKEN is what nobody inside may read.
"""

import ctypes, fcntl, glob, json, os, signal, socket, struct, subprocess, sys, threading, time

OUT = os.environ["ESCAPE_OUT"]
TOKEN = os.environ["ESCAPE_TOKEN"]
HAVE = json.loads(os.environ["ESCAPE_HAVE"])
HOME = os.environ["HOME"]
VICTIM = int(HAVE["victim"])
libc = ctypes.CDLL(None, use_errno=True)
x86 = os.uname().machine == "x86_64"


def read(path):
    with open(path, "rb") as file:
        return TOKEN.encode() in file.read(100_000)


def number(on_x86, on_arm):
    return on_x86 if x86 else on_arm


def call(n, *args):
    """A system call that the C library may have no function for. True when the kernel did it."""
    libc.syscall.restype = ctypes.c_long
    whole = [ctypes.c_long(one) if isinstance(one, int) else one for one in args]
    return libc.syscall(ctypes.c_long(n), *whole) >= 0


def told(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as end:
        end.settimeout(3)
        end.connect(address)
        return TOKEN.encode() in end.recv(100)


def x_answers(address):
    """Whether an X server takes this client: without a cookie, as a session's own programs on an open display."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
        end.settimeout(3)
        end.connect(address)
        end.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        return end.recv(1) == b"\x01"


def ran(*words):
    done = subprocess.run(words, capture_output=True, timeout=8)
    return done.returncode == 0 and (TOKEN.encode() in done.stdout or b":1." in done.stdout)


# Files of the person.
def file_by_its_path(): return read(f"{OUT}/secret")
def file_in_the_persons_home(): return read(HAVE["inHome"])
def file_by_dots(): return read(os.path.relpath(f"{OUT}/secret"))
def file_by_a_root_of_proc(): return read(f"/proc/{VICTIM}/root{OUT}/secret")
def file_by_the_first_root(): return any(read(f"/proc/{pid}/root{OUT}/secret") for pid in (1, os.getppid()) if os.path.exists(f"/proc/{pid}/root{OUT}/secret"))
def file_by_a_folder_of_proc(): return read(f"/proc/{VICTIM}/cwd/secret")
def file_that_another_has_open(): return read(f"/proc/{VICTIM}/fd/{HAVE['victimFd']}")
def file_by_a_symlink():
    os.symlink(f"{OUT}/secret", f"{HOME}/link")
    return read(f"{HOME}/link")
def file_by_a_hard_link():
    os.link(f"{OUT}/secret", f"{OUT if HAVE['control'] else HOME}/hard")
    return True
def file_made_outside():
    with open(f"{OUT}/made", "w") as file: file.write(TOKEN)
    return True
def file_changed_outside():
    with open(f"{OUT}/notes", "a") as file: file.write(TOKEN)
    return True
def file_removed_outside():
    os.unlink(f"{OUT}/removed")
    return True
def file_made_through_a_link_in_the_home():
    os.symlink(OUT, f"{HOME}/folder")
    with open(f"{HOME}/folder/through", "w") as file: file.write(TOKEN)
    return True
def file_of_the_system_made():
    path = f"/usr/local/lib/{TOKEN}"
    with open(path, "w"): pass
    os.unlink(path)
    return True
def passwords_of_the_system():
    with open("/etc/shadow") as file: return "root:" in file.read()
def home_of_another_stage(): return read(HAVE["otherHome"])
def state_that_the_studio_trusts():
    with open(HAVE["state"], "r+"): return True
def cookie_of_the_own_display_changed():
    with open(HAVE["cookie"], "r+"): return True

# Programs of the person.
def processes_seen():
    return any(read(path) for path in glob.glob("/proc/[0-9]*/cmdline") if os.access(path, os.R_OK) and path != f"/proc/{os.getpid()}/cmdline")
def environment_of_another(): return read(f"/proc/{VICTIM}/environ")
def memory_by_proc():
    with open(f"/proc/{VICTIM}/mem", "rb") as file:
        file.seek(int(HAVE["address"]))
        return TOKEN.encode() in file.read(len(TOKEN))
def memory_by_process_vm():
    buffer = ctypes.create_string_buffer(len(TOKEN))
    local = (ctypes.c_uint64 * 2)(ctypes.addressof(buffer), len(TOKEN))
    remote = (ctypes.c_uint64 * 2)(int(HAVE["address"]), len(TOKEN))
    call(number(310, 270), VICTIM, local, 1, remote, 1, 0)
    return buffer.raw == TOKEN.encode()
def traced():
    if libc.ptrace(16, VICTIM, None, None) != 0: return False
    os.waitpid(VICTIM, 0x40000000)
    return libc.ptrace(17, VICTIM, None, None) == 0
def stopped():
    os.kill(VICTIM, signal.SIGSTOP)
    os.kill(VICTIM, signal.SIGCONT)
    with open(f"/proc/{VICTIM}/cmdline") as file: return TOKEN in file.read()
def made_slower():
    os.setpriority(os.PRIO_PROCESS, VICTIM, 3)
    with open(f"/proc/{VICTIM}/cmdline") as file: return TOKEN in file.read()
def its_namespace_entered():
    with open(f"/proc/{VICTIM}/ns/mnt") as space:
        if libc.setns(space.fileno(), 0) != 0: return False
    return read(f"{OUT}/secret")

# Sockets, pipes, displays, buses.
def socket_by_its_path(): return told(socket.AF_UNIX, f"{OUT}/socket")
def socket_in_tmp(): return told(socket.AF_UNIX, HAVE["tmpSocket"])
def abstract_socket(): return told(socket.AF_UNIX, "\0" + HAVE["abstract"])
def service_of_this_machine(): return told(socket.AF_INET, ("127.0.0.1", int(HAVE["port"])))
def named_pipe():
    end = os.open(f"{OUT}/pipe", os.O_WRONLY | os.O_NONBLOCK)
    return os.write(end, TOKEN.encode()) > 0
def packets_heard(): return socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0x300) is not None
def display_by_its_socket(): return x_answers(f"/tmp/.X11-unix/X{HAVE['display']}")
def display_by_its_abstract_socket(): return x_answers(f"\0/tmp/.X11-unix/X{HAVE['display']}")
def clipboard_of_the_session(): return ran("xprop", "-display", f":{HAVE['display']}", "-root", "CUT_BUFFER0")
def display_of_another_stage():
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
        end.connect(f"/tmp/.X11-unix/X{HAVE['otherDisplay']}")
        return True
def bus_by_its_path(): return ran("dbus-send", f"--bus=unix:path={OUT}/bus", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames")
def bus_by_its_abstract_socket(): return ran("dbus-send", f"--bus=unix:abstract={HAVE['busAbstract']}", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames")

# Memory and messages that are shared by name.
def memory_by_name(): return read(f"/dev/shm/{TOKEN}")
def memory_by_number():
    libc.shmat.restype = ctypes.c_void_p
    at = libc.shmat(libc.shmget(int(HAVE["key"]), 0, 0), None, 0)
    return at not in (None, ctypes.c_void_p(-1).value) and ctypes.string_at(at, len(TOKEN)) == TOKEN.encode()
def messages_by_number(): return libc.msgget(int(HAVE["key"]), 0) >= 0
def semaphores_by_number(): return libc.semget(int(HAVE["key"]), 0, 0) >= 0
def key_of_the_person(): return call(number(249, 218), b"user", TOKEN.encode(), None, 0)
def key_ring_made(): return call(number(248, 217), b"keyring", b"escape", None, 0, -3)

# The kernel and its devices.
def device_opened():
    with open("/dev/kmsg", "rb"): return True
def device_made():
    os.mknod(f"{HOME}/device", 0o600 | 0o020000, os.makedev(1, 11))
    with open(f"{HOME}/device", "rb"): return True
def setting_of_the_kernel():
    with open("/proc/sys/kernel/core_pattern", "r+"): return True
def log_of_the_kernel(): return libc.klogctl(10, None, 0) > 0
def groups_of_the_system(): return len(os.listdir("/sys/fs/cgroup")) > 0
def mounted():
    libc.unshare(0x10020000)
    return libc.mount(b"none", HOME.encode(), b"tmpfs", 0, None) == 0
def namespace_made(): return libc.unshare(0x10000000) == 0
def handle_of_a_file():
    handle = ctypes.create_string_buffer(struct.pack("<Ii", 128, 0), 136)
    mount = ctypes.c_int()
    folder = os.open("/usr", os.O_RDONLY)
    if libc.name_to_handle_at(-100, b"/usr", handle, ctypes.byref(mount), 0) != 0: return False
    return libc.open_by_handle_at(folder, handle, 0) >= 0
def program_in_the_kernel(): return call(number(321, 280), 0, ctypes.create_string_buffer(struct.pack("<IIII", 2, 4, 4, 1), 72), 72)
def faults_of_memory(): return call(number(323, 282), 0)
def rings_past_the_list(): return call(425, 1, ctypes.create_string_buffer(120))
def set_user_bit():
    path = f"{HOME}/suid"
    with open(path, "w"): pass
    os.chmod(path, 0o4755)
    return os.stat(path).st_mode & 0o4000 != 0
def root_changed(): return libc.chroot(b"/usr") == 0

# More than a stage may take.
def large_file():
    with open(f"{HOME}/large", "wb") as file: file.truncate(6 * 2**30)
    os.unlink(f"{HOME}/large")
    return True
def files_in_memory():
    end = os.open("/dev/shm/" + TOKEN + "-large" if not HAVE["control"] else f"{HOME}/large", os.O_CREAT | os.O_RDWR)
    os.posix_fallocate(end, 0, int(1.2 * 2**30))
    os.close(end)
    return True
def root_filled():
    with open(f"/{TOKEN}", "w"): pass
    os.unlink(f"/{TOKEN}")
    return True
def much_memory():
    most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 9 // 10
    libc.mmap.restype = ctypes.c_void_p
    return libc.mmap(None, ctypes.c_size_t(most), 3, 0x4022, -1, ctypes.c_long(0)) != ctypes.c_void_p(-1).value
def many_processes():
    """Threads, which count as processes and end with this one."""
    threading.stack_size(65536)
    for _ in range(2300): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    return True
def left_behind():
    """Whether it outlives its stage is for the test to see: a process that nothing of its parents ends."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for n in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(n, signal.SIG_IGN)
            os.execve("/usr/bin/sleep", [TOKEN + "-left", "600"], {})
        os._exit(0)
    os.wait()
    return False


ROOT_ONLY = {
    "file_of_the_system_made", "passwords_of_the_system", "packets_heard", "device_opened", "device_made", "setting_of_the_kernel",
    "log_of_the_kernel", "handle_of_a_file", "program_in_the_kernel", "root_changed", "root_filled",
    "its_namespace_entered", "faults_of_memory",
}


def attempt(name, work):
    """In a process of its own that may not take longer: `out` when it came out, else why not."""
    ends = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.alarm(25)
        try:
            result = "out" if work() else "nothing came of it"
        except BaseException as error:
            result = f"{type(error).__name__}: {error}"
        os.write(ends[1], result.encode()[:300])
        os._exit(0)
    os.close(ends[1])
    with os.fdopen(ends[0], "rb") as pipe: said = pipe.read().decode()
    os.waitpid(pid, 0)
    return said or "ended by a signal"


WAYS = {name: work for name, work in list(globals().items()) if callable(work) and getattr(work, "__module__", "") == "__main__"
        and name not in ("read", "number", "call", "told", "x_answers", "ran", "attempt")}

with open(f"{HOME}/result.part", "w") as result:
    for name, work in WAYS.items():
        said = attempt(name, work)
        result.write(json.dumps({"name": name, "root": name in ROOT_ONLY, "said": said}) + "\n")
        result.flush()
os.rename(f"{HOME}/result.part", f"{HOME}/result")
time.sleep(600)
