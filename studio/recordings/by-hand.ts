import { join } from 'node:path';
import { type StepByHand, stepsByHand } from '../../core/annotate/by-hand.ts';
import type { Records } from '../../core/annotate/document.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { hasFile, readIn, removeIn } from '../files/inside.ts';
import { BY_HAND_FILE } from '../store/recording-folder.ts';

/**
 * Brings by-hand.jsonl along with the main document (N12), from which alone it is made: whatever reads the recording's files
 * then has these steps as actions. Nothing is written when it is as it should be.
 */
export function keepStepsByHand(folder: string, records: Records): void {
  const text = linesOf(stepsByHand(records));
  const isThere = hasFile(folder, BY_HAND_FILE);
  if (text === '') {
    if (isThere) removeIn(folder, BY_HAND_FILE);
    return;
  }
  if (isThere && readIn(folder, BY_HAND_FILE).toString('utf8') === text) return;
  writeFileAtomic(join(folder, BY_HAND_FILE), text);
}

const linesOf = (steps: readonly StepByHand[]): string => steps.map((step) => `${JSON.stringify(step)}\n`).join('');
