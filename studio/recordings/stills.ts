import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isByHand } from '../../core/annotate/by-hand.ts';
import type { PictureRef } from '../../core/export/model.ts';
import { parseShallow } from '../../core/json-depth.ts';
import { ACTION_RULES_VERSION } from '../../schemas/actions.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import { KEYFRAME_RULES_VERSION, type KeyframeIndex, keyframeIndexSchema } from '../../schemas/recording.ts';
import { findFile, findFolder, hasFile, placeIn, readIn } from '../files/inside.ts';
import { BY_HAND_FILE } from '../store/recording-folder.ts';
import { derivedFolder } from './derived.ts';
import { KEYFRAMES_FOLDER } from './folders.ts';

/** The list of stills in their folder; files are named relative to it. */
const KEYFRAMES_INDEX = 'index.json';

/** Stills by `<role> <action>`. */
export type Pictures = Map<string, PictureRef>;

/**
 * A recording's keyframes: as they lie there when today's rules made them and no still is missing, else cut now.
 * Throws NO_FFMPEG, FFMPEG_UNSUITABLE when they must be cut, RECORDING_DAMAGED when they cannot be.
 */
export async function currentKeyframes(folder: string): Promise<KeyframeIndex> {
  const index = await readKeyframeIndex(folder);
  if (index && isCurrent(folder, index)) return index;
  // Only here: an export whose stills are all there needs no ffmpeg.
  const { findFfmpeg } = await import('../../native/ffmpeg/find.ts');
  const { cutKeyframes } = await import('./cut.ts');
  return (await cutKeyframes(folder, await findFfmpeg())).keyframes;
}

/** The keyframes that currentKeyframes would give, without cutting any: their stills may not be there yet. */
export async function plannedKeyframes(folder: string): Promise<KeyframeIndex> {
  const index = await readKeyframeIndex(folder);
  return index && isCurrent(folder, index) ? index : derivedFolder(folder).rest().keyframes;
}

function isCurrent(folder: string, index: KeyframeIndex): boolean {
  if (index.actionRulesVersion !== ACTION_RULES_VERSION || index.keyframeRulesVersion !== KEYFRAME_RULES_VERSION) {
    return false;
  }
  if (!hasStepsByHand(folder, index)) return false;
  const there = stillsIn(folder);
  return index.keyframes.every(
    ({ file }) => (there.pathOf(file) ?? findFile(folder, `${KEYFRAMES_FOLDER}/${file}`)) !== null,
  );
}

/** Whether the list has the steps that people added since, with the pictures that these have now. */
function hasStepsByHand(folder: string, index: KeyframeIndex): boolean {
  if (!hasFile(folder, BY_HAND_FILE) && !index.keyframes.some(({ action }) => isByHand(action))) return true;
  return isDeepStrictEqual(derivedFolder(folder).rest().keyframes.keyframes, index.keyframes);
}

/** keyframes/index.json of a recording; null when there is none. Throws BAD_FILE with the field. */
export async function readKeyframeIndex(folder: string): Promise<KeyframeIndex | null> {
  const file = findFile(folder, `${KEYFRAMES_FOLDER}/${KEYFRAMES_INDEX}`);
  if (file === null) return null;
  try {
    const text = readIn(folder, `${KEYFRAMES_FOLDER}/${KEYFRAMES_INDEX}`).toString('utf8');
    return keyframeIndexSchema.parse(parseShallow(text));
  } catch (error) {
    const why = whyNot(error);
    throw new StudioError(
      'BAD_FILE',
      `${file} cannot be read: ${why}. Cut the keyframes again.`,
      { file },
      { cause: error },
    );
  }
}

/** The stills of its keyframes, by role and action. One may not be there yet. Throws BAD_FILE for one that leads elsewhere. */
export function picturesOf(folder: string, index: KeyframeIndex | null): Pictures {
  const there = stillsIn(folder);
  const entries = (index?.keyframes ?? []).map(({ action, role, file, width, height, origin }) => {
    const path = there.pathOf(file) ?? placeIn(folder, `${KEYFRAMES_FOLDER}/${file}`);
    return [`${role} ${action}`, { path, width, height, origin }] as const;
  });
  return new Map(entries);
}

/**
 * The plain files that lie among a recording's stills: the folder is read once, instead of being looked at for each of
 * hundreds of names. Throws BAD_FILE for a link in the folder's place.
 */
export function stillsIn(folder: string): { pathOf(file: string): string | null } {
  const place = findFolder(folder, KEYFRAMES_FOLDER);
  if (place === null) return { pathOf: () => null };
  const plain = readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isFile());
  const names = new Set(plain.map(({ name }) => name));
  return { pathOf: (file) => (names.has(file) ? join(place, file) : null) };
}
