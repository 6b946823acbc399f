import { ROOMS } from './rooms.mjs';

/**
 * What a room may import and does not: a table that allows more than is so would let an arrow come back unseen. `used`: as
 * `checkImports` gives it.
 */
export function unusedArrows(used, rooms = ROOMS) {
  return Object.entries(rooms).flatMap(([folder, rows]) =>
    Object.entries(rows).flatMap(([room, mayImport]) =>
      (mayImport ?? [])
        .filter((named) => !used.has(`${folder}: ${room} ${named}`))
        .map((named) => `ROOMS.${folder}: ${room} may import ${named}, and does not: take it out`),
    ),
  );
}

/**
 * How many arrows lie between the rooms of a folder at most: a new one is paid for by another, or is a decision that raises the
 * number in the same commit.
 */
export const MOST_ARROWS = { studio: 60 };

export function tooManyArrows(rooms = ROOMS, most = MOST_ARROWS) {
  return Object.entries(most).flatMap(([folder, limit]) => {
    const arrows = Object.values(rooms[folder]).reduce((sum, mayImport) => sum + (mayImport?.length ?? 0), 0);
    return arrows > limit ? [`ROOMS.${folder} has ${arrows} arrows, more than ${limit} (MOST_ARROWS)`] : [];
  });
}
