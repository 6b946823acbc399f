import { log } from '../../native/log/log.ts';
import { StudioError } from '../../schemas/errors.ts';

/** A newer program may bring a database to its version while an older one is running on it. The older one does nothing more with it. */

export function outdated(place: string, found: number, known: number): StudioError {
  const message = `A newer version of this program has brought ${place} to version ${found} while this one, which knows version ${known}, was running. This one reads and writes nothing more there. End it and start the newer program in its place; all that was confirmed is kept.`;
  return new StudioError('OUTDATED', message, { file: place, found, newest: known });
}

/** Refuses a version above `known` with OUTDATED, which the log says once. */
export function versionGuard(place: string, known: number): (found: number) => void {
  let isLogged = false;
  return (found) => {
    if (found <= known) return;
    const error = outdated(place, found, known);
    if (!isLogged) log.error('database outdated', { error });
    isLogged = true;
    throw error;
  };
}
