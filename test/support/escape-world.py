"""What is outside of a stage and must stay unreached (escapes.py tries): made in $OUT, printed as a line of JSON, and taken away
again when the input ends."""

import ctypes, json, os, socket, subprocess, sys, threading

OUT, TOKEN = os.environ["ESCAPE_OUT"], os.environ["ESCAPE_TOKEN"]
libc = ctypes.CDLL(None, use_errno=True)
x86 = os.uname().machine == "x86_64"


def write(path):
    with open(path, "w") as file: file.write(TOKEN)
    return path


def serve(family, address):
    server = socket.socket(family, socket.SOCK_STREAM)
    server.bind(address)
    server.listen(20)
    def answer():
        while True:
            end, _ = server.accept()
            with end: end.sendall(TOKEN.encode())
    threading.Thread(target=answer, daemon=True).start()
    return server


# A program of the person's, with something to hide in its memory, its files and its environment.
PROGRAM = """
import ctypes, os, time
secret = ctypes.create_string_buffer(os.environ["ESCAPE_TOKEN"].encode())
fd = os.open("held", os.O_RDONLY)
ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(2**64 - 1), 0, 0, 0)  # May be traced, where Yama asks.
print(ctypes.addressof(secret), fd, flush=True)
time.sleep(600)
"""
write(f"{OUT}/held")
victim = subprocess.Popen([sys.executable, "-c", PROGRAM, TOKEN], cwd=OUT, stdout=subprocess.PIPE)
address, fd = victim.stdout.readline().decode().split()

for name in ("secret", "notes", "removed"): write(f"{OUT}/{name}")
os.mkfifo(f"{OUT}/pipe")
pipe = os.open(f"{OUT}/pipe", os.O_RDONLY | os.O_NONBLOCK)
in_home = write(os.path.join(os.environ["ESCAPE_HOME"], f".{TOKEN}"))
tmp_socket = f"/tmp/{TOKEN}.sock"
servers = [serve(socket.AF_UNIX, f"{OUT}/socket"), serve(socket.AF_UNIX, tmp_socket), serve(socket.AF_UNIX, "\0" + TOKEN), serve(socket.AF_INET, ("127.0.0.1", 0))]
buses = [subprocess.Popen(["dbus-daemon", "--session", "--nofork", f"--address={one}"]) for one in (f"unix:path={OUT}/bus", f"unix:abstract={TOKEN}-bus")]

key = int.from_bytes(os.urandom(3), "big") + 1
libc.shmat.restype = ctypes.c_void_p
memory = libc.shmget(key, 4096, 0o1600)
ctypes.memmove(libc.shmat(memory, None, 0), TOKEN.encode(), len(TOKEN))
messages, semaphores = libc.msgget(key, 0o1600), libc.semget(key, 1, 0o1600)
write(f"/dev/shm/{TOKEN}")
libc.syscall.restype = ctypes.c_long
secret_key = libc.syscall(ctypes.c_long(248 if x86 else 217), b"user", TOKEN.encode(), TOKEN.encode(), len(TOKEN), -4)

print(json.dumps({
    "victim": victim.pid, "victimFd": fd, "address": address, "inHome": in_home, "tmpSocket": tmp_socket, "abstract": TOKEN,
    "port": servers[3].getsockname()[1], "busAbstract": f"{TOKEN}-bus", "key": key,
}), flush=True)
sys.stdin.read()

victim.kill()
for bus in buses: bus.kill()
libc.shmctl(memory, 0, None), libc.msgctl(messages, 0, None), libc.semctl(semaphores, 0, 0)
libc.syscall(ctypes.c_long(250 if x86 else 219), 9, secret_key, -4, 0, 0)
for path in (in_home, tmp_socket, f"/dev/shm/{TOKEN}"): os.unlink(path)
os._exit(0)
