import type { Display } from '../../schemas/events.ts';
import { displayAgain } from '../screen/display-geometry.ts';

/** A display whose pictures are cast: px of the virtual desktop, its scale, and the compositor's name of it. */
export type CastDisplay = Pick<Display, 'name' | 'x' | 'y' | 'width' | 'height' | 'scale'>;

type FollowedDisplay = {
  /** The display as it was at the last look. */
  now(): CastDisplay;
  /** Reads it anew: how it differs from what was accepted last. */
  look(): 'same' | 'changed' | 'gone';
  /** The pictures that come from here on show the display as it was at the last look. */
  accept(): void;
};

/** Follows one display by its name, while its size, place and scale change. `displays` gives all that there are. */
export function followDisplay(first: CastDisplay, displays: () => readonly CastDisplay[]): FollowedDisplay {
  let now = first;
  let accepted = first;
  return {
    now: () => now,
    look() {
      const found = displayAgain(displays(), now);
      if (!found) return 'gone';
      now = found;
      return isSame(now, accepted) ? 'same' : 'changed';
    },
    accept() {
      accepted = now;
    },
  };
}

const isSame = (a: CastDisplay, b: CastDisplay): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height && a.scale === b.scale;
