import type { PlayRow } from '../../schemas/api/play.ts';
import type { PlayedStep } from '../../schemas/play.ts';
import { plural } from '../ui/format.ts';

/** What a step came to: a verdict, or that the play never got there. */
export type StepOutcome = PlayedStep['verdict'] | 'not reached';

export const MARK_NAMES: Readonly<Record<StepOutcome, string>> = {
  same: 'Same',
  moved: 'Moved',
  different: 'Different',
  missing: 'PlayMissing',
  'not reached': 'Not reached',
};

/** Why a step has its mark, as a sentence. */
export function outcomeWords(mark: StepOutcome, step: Pick<PlayedStep, 'shift' | 'why'> | undefined): string {
  if (mark === 'same') return 'The same came of it as in the recording.';
  if (mark === 'moved') {
    return `The same came of it; its target was found ${along(step?.shift)} from where it was.`;
  }
  if (mark === 'not reached') return 'The play did not get here.';
  return sentence(step?.why ?? '');
}

function along(shift: PlayedStep['shift'] | undefined): string {
  const { x, y } = shift ?? { x: 0, y: 0 };
  const parts = [
    ...(x === 0 ? [] : [`${Math.abs(x)} px ${x < 0 ? 'left' : 'right'}`]),
    ...(y === 0 ? [] : [`${Math.abs(y)} px ${y < 0 ? 'up' : 'down'}`]),
  ];
  return parts.join(' and ') || 'a little';
}

/** `text` with a capital and a full stop. */
export function sentence(text: string): string {
  if (text === '') return '';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** A play in a few words, for the list of plays. */
export function playWords({ report }: Pick<PlayRow, 'report'>): string {
  if (!report) return 'ended in the middle';
  const checks = report.passed === null ? '' : report.passed ? ', passed' : ', failed';
  return `${report.agreed} of ${plural(report.of, 'step')}${checks}`;
}

/** How a play compares with the person in time; empty where nothing can be said. */
export function paceWords({ took, demonstrated }: { took: number; demonstrated: number }): string {
  if (took <= 0 || demonstrated <= 0) return '';
  const times = demonstrated / took;
  return times >= 1.05 ? `${times.toFixed(1)} times as fast as the person` : 'as slow as the person or slower';
}
