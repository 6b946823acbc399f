import type { PlayRow } from '../../schemas/api/play.ts';
import type { PlayedStep } from '../../schemas/play.ts';
import { tr } from '../language/tr.ts';

/** The outcome of a step: a verdict, or why it was not played (left out on purpose; the play had stopped before it). */
export type StepOutcome = PlayedStep['verdict'] | 'left out' | 'not reached';

/** Whether a step was played and did not come out as in the recording at the same place. */
export const isOdd = (mark: StepOutcome): boolean => mark === 'moved' || mark === 'different' || mark === 'missing';

export const MARK_NAMES: Readonly<Record<StepOutcome, string>> = {
  same: tr('Same'),
  moved: tr('Moved'),
  different: tr('Different'),
  missing: tr('Missing'),
  'left out': tr('Skipped'),
  'not reached': tr('Not reached'),
};

/** Why a step has its mark, as a sentence. */
export function outcomeWords(
  mark: StepOutcome,
  step: Pick<PlayedStep, 'shift' | 'why' | 'element'> | undefined,
): string {
  if (mark === 'same') return [tr('The same came of it as in the recording.'), byElement(step)].join(' ').trim();
  if (mark === 'moved') {
    const words = tr('The same came of it; its target was found {along} from where it was.', {
      along: along(step?.shift),
    });
    return [words, byElement(step)].join(' ').trim();
  }
  if (mark === 'left out' || mark === 'not reached') return notPlayed(mark);
  return sentence(step?.why ?? '');
}

/** The moment of a played step whose pictures show why it has its mark: what came of it differs after it, where it was done. */
export const tellingMoment = (step: Pick<PlayedStep, 'verdict' | 'seen'> | undefined): 'before' | 'after' =>
  step?.verdict === 'different' && step.seen?.after != null ? 'after' : 'before';

/** Why a step has no picture of a play. */
export const notPlayed = (mark: 'left out' | 'not reached'): string =>
  mark === 'left out'
    ? tr('It was left out on purpose, to see whether the checks fail without it.')
    : tr('The play did not get here.');

/** Empty where the target was found by its look. */
function byElement(step: Pick<PlayedStep, 'element'> | undefined): string {
  if (!step?.element) return '';
  const { role, name } = step.element;
  return tr('Its look was not found; its element was: {role} “{name}”.', { role, name });
}

function along(shift: PlayedStep['shift'] | undefined): string {
  const { x, y } = shift ?? { x: 0, y: 0 };
  const parts = [
    ...(x === 0 ? [] : [x < 0 ? tr('{px} px left', { px: -x }) : tr('{px} px right', { px: x })]),
    ...(y === 0 ? [] : [y < 0 ? tr('{px} px up', { px: -y }) : tr('{px} px down', { px: y })]),
  ];
  const [one, other] = parts;
  if (one === undefined) return tr('a little');
  return other === undefined ? one : tr('{one} and {other}', { one, other });
}

/** `text` with a capital and a full stop. A name of a file that it begins with stays as it is: names are data. */
export function sentence(text: string): string {
  if (text === '') return '';
  const isName = /^\S*[^\s.!?][./\\~]\S/.test(text);
  const begin = isName ? text.charAt(0) : text.charAt(0).toUpperCase();
  return `${begin}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** A play in a few words, for the list of plays. */
export function playWords({ report }: Pick<PlayRow, 'report'>): string {
  if (!report) return tr('ended in the middle');
  const { agreed, of, passed, leftOut } = report;
  // That it fails is what was wanted.
  if (leftOut !== null)
    return passed === true ? tr('without one step, passed all the same') : tr('without one step, failed as wanted');
  if (passed === null) return tr('{agreed} of {of, plural, one {# step} other {# steps}}', { agreed, of });
  return passed
    ? tr('{agreed} of {of, plural, one {# step} other {# steps}}, passed', { agreed, of })
    : tr('{agreed} of {of, plural, one {# step} other {# steps}}, failed', { agreed, of });
}

/** How a play compares with the person in time; empty where nothing can be said. */
export function paceWords({ took, demonstrated }: { took: number; demonstrated: number }): string {
  if (took <= 0 || demonstrated <= 0) return '';
  const times = demonstrated / took;
  return times >= 1.05
    ? tr('{times} times as fast as the person', { times: times.toFixed(1) })
    : tr('as slow as the person or slower');
}
