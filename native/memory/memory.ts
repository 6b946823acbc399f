import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';

/** Memory outside of JavaScript: pictures of the screen lie there. koffi hands addresses over as bigint. */
export type Pointer = bigint;

type Memory = {
  /** 0 when `bytes` bytes at both addresses are the same. */
  memcmp(a: Pointer, b: Pointer, bytes: number): number;
  memcpyOut(to: Uint8Array, from: Pointer, bytes: number): Pointer;
  memcpyIn(to: Pointer, from: Uint8Array, bytes: number): Pointer;
  memcpy(to: Pointer, from: Pointer, bytes: number): Pointer;
};

const C_LIBRARY: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'libc.so.6',
  win32: 'msvcrt.dll',
  darwin: 'libSystem.B.dylib',
};

let loaded: Memory | null = null;

/** The C library's own functions. Throws NO_LIBRARY where there is none that is known. */
export function memory(): Memory {
  loaded ??= load();
  return loaded;
}

function load(): Memory {
  const name = C_LIBRARY[process.platform];
  if (name === undefined) {
    throw new StudioError('NO_LIBRARY', `The C library of ${process.platform} is not known.`, {
      platform: process.platform,
    });
  }
  const c = koffi.load(name);
  // Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
  return {
    memcmp: c.func('int memcmp(void *a, void *b, size_t n)') as Memory['memcmp'],
    memcpyOut: c.func('void *memcpy(_Out_ uint8_t *to, void *from, size_t n)') as Memory['memcpyOut'],
    memcpyIn: c.func('void *memcpy(void *to, const uint8_t *from, size_t n)') as Memory['memcpyIn'],
    memcpy: c.func('void *memcpy(void *to, void *from, size_t n)') as Memory['memcpy'],
  };
}

/** The first call makes the value, later ones give the same: a library is loaded where it is first used. */
export function lazy<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
