import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ACTION_RULES_VERSION } from '../../schemas/actions.ts';
import { KEYFRAME_RULES_VERSION, type KeyframeIndex } from '../../schemas/recording.ts';
import { derive } from '../keyframes/derive.ts';
import { KEYFRAMES_FOLDER, readKeyframeIndex } from './collect.ts';

/**
 * A recording's keyframes: as they lie there when today's rules made them and no still is missing, else cut now.
 * Throws NO_FFMPEG, FFMPEG_UNSUITABLE when they must be cut, RECORDING_DAMAGED when they cannot be.
 */
export async function currentKeyframes(folder: string): Promise<KeyframeIndex> {
  const index = await readKeyframeIndex(folder);
  if (index && isCurrent(folder, index)) return index;
  // Only here: an export whose stills are all there needs no ffmpeg.
  const { findFfmpeg } = await import('../../native/ffmpeg/find.ts');
  const { cutKeyframes } = await import('../keyframes/cut.ts');
  return (await cutKeyframes(folder, await findFfmpeg())).keyframes;
}

/** The keyframes that currentKeyframes would give, without cutting any: their stills may not be there yet. */
export async function plannedKeyframes(folder: string): Promise<KeyframeIndex> {
  const index = await readKeyframeIndex(folder);
  return index && isCurrent(folder, index) ? index : derive(folder).keyframes;
}

function isCurrent(folder: string, index: KeyframeIndex): boolean {
  return (
    index.actionRulesVersion === ACTION_RULES_VERSION &&
    index.keyframeRulesVersion === KEYFRAME_RULES_VERSION &&
    index.keyframes.every(({ file }) => existsSync(join(folder, KEYFRAMES_FOLDER, file)))
  );
}
