import type { EventShown, LineShown, MemberShown, RunListed } from '../../schemas/api/compositions.ts';
import type { Varies } from '../../schemas/composition.ts';
import type { MemberResult } from '../../schemas/composition-run.ts';
import { tr } from '../language/tr.ts';
import { bytes } from '../ui/format.ts';

/** Compositions in words. */

export const compositionKind = (kind: 'pathway' | 'scenario'): string =>
  kind === 'pathway' ? tr('Pathway') : tr('Scenario');

export function memberOutcomeWords(outcome: MemberResult['outcome']): string {
  switch (outcome) {
    case 'passed':
      return tr('Succeeded');
    case 'failed':
      return tr('Failed');
    case 'blocked':
      return tr('Blocked');
    case 'collapsed':
      return tr('Not begun: the path had ended');
  }
}

/** From when to when a task is done; empty: at any time. */
export function timesOf(
  window: { day: number; from: string; to?: string | null | undefined } | null | undefined,
): string {
  if (!window) return '';
  const { day, from, to } = window;
  const times = to ? `${from}–${to}` : from;
  return day > 1 ? `${tr('Day')} ${day}, ${times}` : times;
}

/** How a value is another one in each instance. */
export function variesWords(varies: Varies): string {
  switch (varies.kind) {
    case 'list':
      return tr('one of {values}', { values: varies.values.join(', ') });
    case 'along':
      return tr('along with {of}: {values}', { of: varies.of, values: varies.values.join(', ') });
    case 'after':
      return varies.plus < 0
        ? tr('{of} less {plus, number}', { of: varies.of, plus: -varies.plus })
        : tr('{of} plus {plus, number}', { of: varies.of, plus: varies.plus });
    default: {
      const { from, to, step } = varies;
      return step === 1
        ? tr('from {from} to {to}', { from, to })
        : tr('from {from} to {to}, every {step, number}', { from, to, step });
    }
  }
}

/** Something that happens by itself, and what it brings. */
export function happeningWords({ kind, about }: EventShown['happens'][number]): string {
  switch (kind) {
    case 'file':
      return tr('a file comes: {about}', { about });
    case 'mail':
      return tr('a mail comes: {about}', { about });
    case 'notification':
      return tr('a notification: {about}', { about });
    case 'service':
      return tr('a service changes: {about}', { about });
    case 'window':
      return tr('a window comes to the front: {about}', { about });
  }
}

type TakenShown = MemberShown['files'][number];

/** A file or a folder that a task takes of an earlier one. */
export function takenFileWords({ from: task, path: file, to, isFolder }: TakenShown): string {
  if (file === to)
    return isFolder
      ? tr('takes the folder {file} of {task}', { file, task })
      : tr('takes the file {file} of {task}', { file, task });
  return isFolder
    ? tr('takes the folder {file} of {task}, to {to}', { file, task, to })
    : tr('takes the file {file} of {task}, to {to}', { file, task, to });
}

/** So many names of files that came are shown. */
const MOST_CAME = 4;

/** Files that were put into the home of a task's stage before it began. */
export function cameWords(files: NonNullable<MemberResult['files']>): string {
  const names = files.slice(0, MOST_CAME).map(({ to }) => to);
  return tr('{n, plural, one {# file} other {# files}} came ({size}): {names}', {
    n: files.length,
    size: bytes(files.reduce((sum, one) => sum + one.bytes, 0)),
    names: [...names, ...(files.length > MOST_CAME ? ['…'] : [])].join(', '),
  });
}

/** What a line means to a member that it leads to. */
export function takesWords({ kind, from, output }: LineShown): string {
  if (kind === 'data') return tr('takes {value}', { value: `${from}.${output ?? ''}` });
  return kind === 'hard'
    ? tr('only after {task} succeeded', { task: from })
    : tr('begins after {task}', { task: from });
}

/** Whether a question to the simulated user was one. */
export function questionWords(kind: 'valid' | 'redundant' | 'irrelevant'): string {
  if (kind === 'valid') return tr('valid question');
  return kind === 'redundant' ? tr('redundant question') : tr('irrelevant question');
}

export const whoWords = (actor: string): string => (actor === 'player' ? tr('the player') : actor);

export function endedWords({ ended, passed, tasks }: RunListed): string {
  if (ended === null) return tr('Broken off, or going on');
  if (ended.how === 'stopped') return tr('Stopped');
  if (ended.how === 'broke') return tr('Broke off: {why}', { why: ended.why });
  return passed === tasks ? tr('Whole') : tr('To its end');
}

export type LevelPiece = MemberShown['levels'][number]['pieces'][number];

/** A text with more characters than this is folded, and so many of it are shown then: never so that only a few are hidden. */
const FOLD_OVER = 600;
const FOLDED = 400;

/** The beginning of a text that is too long to stand beside others; null: all of it can be shown. */
export function headOfPieces(pieces: readonly LevelPiece[]): LevelPiece[] | null {
  const shownOf = ({ text, slot, value }: LevelPiece): string => (slot === null ? text : (value ?? ''));
  if (pieces.reduce((sum, piece) => sum + shownOf(piece).length, 0) <= FOLD_OVER) return null;
  const head: LevelPiece[] = [];
  let left = FOLDED;
  for (const piece of pieces) {
    const shown = shownOf(piece);
    if (shown.length > left) {
      // Not in the middle of a character of two units.
      const cut = `${shown.slice(0, left).replace(/[\ud800-\udbff]$/, '')}…`;
      head.push(piece.slot === null ? { ...piece, text: cut } : { ...piece, value: cut });
      break;
    }
    head.push(piece);
    left -= shown.length;
  }
  return head;
}
