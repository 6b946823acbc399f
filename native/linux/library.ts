import koffi, { type LibraryHandle } from 'koffi';
import { StudioError } from '../../schemas/errors.ts';

const NO_LIBRARY_FIX =
  'Install the X11 client libraries: "apt install libx11-6 libxi6" (Debian, Ubuntu), "dnf install libX11 libXi" (Fedora).';

/** Loads a shared library; NO_LIBRARY with what to install when it is not there. */
export function loadLibrary(name: string): LibraryHandle {
  try {
    return koffi.load(name);
  } catch (cause) {
    throw new StudioError('NO_LIBRARY', `${name} cannot be loaded. ${NO_LIBRARY_FIX}`, { library: name }, { cause });
  }
}

let x11: LibraryHandle | null = null;
export function libX11(): LibraryHandle {
  x11 ??= loadLibrary('libX11.so.6');
  return x11;
}
