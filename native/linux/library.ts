import type { LibraryHandle } from 'koffi';
import { bindLibrary } from '../memory/library.ts';

const NO_LIBRARY_FIX =
  'Install the X11 client libraries: "apt install libx11-6 libxi6" (Debian, Ubuntu), "dnf install libX11 libXi" (Fedora).';

/** Loads a shared library; NO_LIBRARY with what to install when it is not there. */
export const loadLibrary = (name: string): LibraryHandle =>
  bindLibrary(name, `. ${NO_LIBRARY_FIX}`, (library) => library);

let x11: LibraryHandle | null = null;
export function libX11(): LibraryHandle {
  x11 ??= loadLibrary('libX11.so.6');
  return x11;
}
