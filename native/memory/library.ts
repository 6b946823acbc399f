import koffi, { type LibraryHandle } from 'koffi';
import { StudioError } from '../../schemas/errors.ts';

/**
 * Loads a shared library and takes from it what `bind` does. Throws NO_LIBRARY where either fails, in the words
 * "NAME cannot be loaded" and `rest`, which says what it is for and how to install it.
 */
export function bindLibrary<T>(name: string, rest: string, bind: (library: LibraryHandle) => T): T {
  try {
    return bind(koffi.load(name));
  } catch (cause) {
    throw new StudioError('NO_LIBRARY', `${name} cannot be loaded${rest}`, { library: name }, { cause });
  }
}
