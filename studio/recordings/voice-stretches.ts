/** Where somebody speaks, by how loud it is: a sound is cut where nobody does. */

export type SoundStretch = { from: number; to: number };

/** One window's loudness is looked at, µs. */
export const WINDOW_US = 50_000;
/** A pause for breath does not part what is said, µs. */
const BREATH_US = 800_000;
/** What is said begins low and ends low, µs. */
const AROUND_US = 300_000;
/** A click of a mouse is shorter, µs. */
const SHORTEST_US = 150_000;
/** Louder than this many times the room, and than so much of a sample. */
const OVER_ROOM = 3;
const QUIETEST = 150;

/**
 * `loudness`: of each window one after the other, the root of its samples' mean square. A room that is loud throughout has no
 * pause that could be heard: then it is all of it. None where there is nothing but zeros.
 */
export function speechIn(loudness: Float32Array): SoundStretch[] {
  const sounding = loudness.filter((one) => one > 1).sort();
  if (sounding.length === 0) return [];
  const room = sounding[Math.floor(sounding.length / 10)] ?? 0;
  const limit = Math.max(QUIETEST, OVER_ROOM * room);
  const all = { from: 0, to: loudness.length * WINDOW_US };
  const found: SoundStretch[] = [];
  for (const [at, loud] of loudness.entries()) {
    if (loud < limit) continue;
    const from = at * WINDOW_US;
    const last = found.at(-1);
    if (last && from - last.to < BREATH_US) last.to = from + WINDOW_US;
    else found.push({ from, to: from + WINDOW_US });
  }
  const spoken = found.filter(({ from, to }) => to - from >= SHORTEST_US);
  if (spoken.length === 0) return [all];
  return spoken.map(({ from, to }) => ({ from: Math.max(0, from - AROUND_US), to: Math.min(all.to, to + AROUND_US) }));
}

/** Stretches one after another, together where they fit into `most` µs, cut where one is longer. */
export function packed(stretches: readonly SoundStretch[], most: number): SoundStretch[] {
  const found: SoundStretch[] = [];
  for (const { from, to } of stretches) {
    const last = found.at(-1);
    if (last && to - last.from <= most) {
      last.to = to;
      continue;
    }
    for (let at = from; at < to; at += most) found.push({ from: at, to: Math.min(at + most, to) });
  }
  return found;
}

/** The same, each by itself. */
export const apart = (stretches: readonly SoundStretch[], most: number): SoundStretch[] =>
  stretches.flatMap((one) => packed([one], most));
