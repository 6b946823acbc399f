import sharp from 'sharp';
import { type Knowing, truthful } from '../../studio/agents/truthful-model-for-tests.ts';
import type { ModelAsked, ScriptedAnswer } from '../../studio/models/model-server-for-tests.ts';
import { openFolder } from '../../studio/recordings/closed.ts';
import { currentKeyframes, picturesOf } from '../../studio/recordings/stills.ts';

/** A scripted model that looks at the screen before it acts, as a real one does, and waits for what is not there yet. */

/** A picture in parts, so small that a caret or the time of day is hardly seen. */
type Parts = { columns: number; rows: number; grey: Uint8Array };

/** Side of a part, px. */
const PART = 16;
/** Lightness of a part, of 255, that differs by more is another. */
const OTHER = 24;
/** Parts that may be other, as a share of all: a dialog is larger, a caret, a clock and a hint are smaller. */
const LET_PASS = 0.02;
/** So often it waits before one step, and in all, each time so long, s; then it acts, whatever the screen shows. */
const WAIT_S = 1;
const MOST_WAITS = { step: 3, all: 6 };

/** For a still that shows a part of the screen: where that is, and the size of the still, px. */
type Still = { file: string; x: number; y: number; width: number; height: number };

async function partsOf(picture: Buffer | string, region: Omit<Still, 'file'> | null = null): Promise<Parts> {
  const whole = sharp(picture);
  const part = region ? whole.extract({ ...region, left: region.x, top: region.y }) : whole;
  const { width, height } = region ?? (await whole.metadata());
  const [columns, rows] = [Math.ceil(width / PART), Math.ceil(height / PART)];
  const small = part.resize({ width: columns, height: rows, fit: 'fill' }).removeAlpha().greyscale().raw();
  return { columns, rows, grey: await small.toBuffer() };
}

/** Whether two pictures of one size show much the same. */
function areAlike(one: Parts, other: Parts): boolean {
  if (one.columns !== other.columns || one.rows !== other.rows) return false;
  const others = one.grey.filter((value, at) => Math.abs(value - (other.grey[at] ?? 0)) > OTHER).length;
  return others <= one.grey.length * LET_PASS;
}

/** The demonstration's stills before each of its steps; null: a step has none. */
export async function stillsBefore(folder: string): Promise<(Still | null)[]> {
  const pictures = picturesOf(folder, await currentKeyframes(folder));
  return openFolder(folder).actions.map(({ id }) => {
    const still = pictures.get(`before ${id}`);
    if (!still) return null;
    const { path: file, origin, width, height } = still;
    return { file, ...origin, width, height };
  });
}

/** It tells the truth like `truthful`, but looks first: `stills` are those of the steps. `onWait` hears of each wait. */
export function looking(
  knowing: Knowing,
  stills: readonly (Still | null)[],
  onWait: (step: number) => void = () => undefined,
): (asked: ModelAsked) => Promise<ScriptedAnswer> {
  const waited = new Map<number, number>();
  let all = 0;
  /** Steps whose still is like the newest picture. */
  let ready = new Set<number>();
  const answer = truthful({
    ...knowing,
    waits(step) {
      const before = waited.get(step) ?? 0;
      if (ready.has(step) || before >= MOST_WAITS.step || all >= MOST_WAITS.all) return 0;
      waited.set(step, before + 1);
      all++;
      onWait(step);
      return WAIT_S;
    },
  });
  return async (asked) => {
    ready = new Set();
    const newest = asked.pictures.at(-1);
    const screen = newest === undefined ? null : Buffer.from(newest, 'base64');
    for (const [step, still] of stills.entries())
      if (!screen || !still || areAlike(await partsOf(still.file), await partsOf(screen, still))) ready.add(step);
    return answer(asked);
  };
}
