import type { LibraryHandle } from 'koffi';
import { bindLibrary } from './library.ts';
import { lazy, type Pointer } from './memory.ts';

type Fn<A extends unknown[], R> = (...args: A) => R;

/** Calls of Linux's C library, loaded at the first one. Throws NO_LIBRARY on a Linux without glibc. */
// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
export const libc = lazy(() => {
  const c = loadGlibc();
  return {
    shmget: c.func('int shmget(int key, size_t size, int flags)') as Fn<[number, number, number], number>,
    shmat: c.func('void *shmat(int id, void *at, int flags)') as Fn<[number, null, number], Pointer>,
    shmdt: c.func('int shmdt(void *at)') as Fn<[Pointer], number>,
    shmctl: c.func('int shmctl(int id, int command, void *buffer)') as Fn<[number, number, null], number>,
    memfdCreate: c.func('int memfd_create(const char *name, unsigned int flags)') as Fn<[string, number], number>,
    ftruncate: c.func('int ftruncate(int fd, long bytes)') as Fn<[number, number], number>,
    mmap: c.func('void *mmap(void *at, size_t bytes, int rights, int flags, int fd, long offset)') as Fn<
      [null, number, number, number, number, number],
      Pointer
    >,
    munmap: c.func('int munmap(void *at, size_t bytes)') as Fn<[Pointer, number], number>,
    close: c.func('int close(int fd)') as Fn<[number], number>,
    getsockopt: c.func(
      'int getsockopt(int fd, int level, int name, _Out_ uint8_t *value, _Inout_ uint32_t *length)',
    ) as Fn<[number, number, number, Uint8Array, Uint32Array], number>,
    read: c.func('long read(int fd, _Out_ uint8_t *into, size_t n)') as Fn<[number, Uint8Array, number], number>,
    write: c.func('long write(int fd, void *from, size_t n)') as Fn<[number, Pointer | Uint8Array, number], number>,
    vmsplice: c.func('long vmsplice(int fd, void *pieces, size_t n, unsigned int flags)') as Fn<
      [number, BigUint64Array, number, number],
      number
    >,
    ioctl: c.func('int ioctl(int fd, unsigned long request, _Out_ int *value)') as Fn<
      [number, number, Int32Array],
      number
    >,
    poll: c.func('int poll(_Inout_ uint8_t *fds, unsigned long n, int timeout)') as Fn<
      [Uint8Array, number, number],
      number
    >,
    pipe2: c.func('int pipe2(_Out_ int *fds, int flags)') as Fn<[Int32Array, number], number>,
    fcntl: c.func('int fcntl(int fd, int command, int value)') as Fn<[number, number, number], number>,
    dlsym: c.func('void *dlsym(void *handle, const char *name)') as Fn<[null, string], Pointer | null>,
    exitNow: c.func('void _exit(int status)') as Fn<[number], void>,
  };
});

function loadGlibc(): LibraryHandle {
  const rest = '. Recording needs a Linux with the GNU C library (Debian, Ubuntu, Fedora; not Alpine).';
  return bindLibrary('libc.so.6', rest, (library) => library);
}
