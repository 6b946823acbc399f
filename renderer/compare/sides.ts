import type { Records } from '../../core/annotate/document.ts';
import type { DocumentView } from '../../core/annotate/view.ts';
import { thoughtOf } from '../../core/review/compare.ts';
import type { Difference } from '../../schemas/api/review-models.ts';
import { english, tr } from '../language/tr.ts';

/** One of the compared documents, as the page shows it. */
export type ComparedSide = {
  document: string;
  /** Null: the main document. */
  person: string | null;
  /** From 0: gives its letter, its colour and line, and the digit that takes it. */
  place: number;
  records: Records;
  view: DocumentView;
};

export const letterOf = (place: number): string => String.fromCharCode(65 + place);

/**
 * Colours and lines of the sides: never told by the colour alone. The colours are of the picture, not of the scheme: apart
 * for people who do not tell red from green, none is the red of the adjudicated box, and white letters keep 4.5:1 on each.
 */
const LOOKS = [
  { color: '#1c63c9', dash: '11 4' },
  { color: '#a84f00', dash: '2.5 3.5' },
  { color: '#0b7a5b', dash: '12 3 2.5 3' },
  { color: '#7b3fc0', dash: '6 6' },
  { color: '#a3277f', dash: '16 4 2.5 4 2.5 4' },
  { color: '#5a6470', dash: '1.5 5' },
] as const;

export function lookOf(place: number): { color: string; dash: string } {
  return LOOKS[place % LOOKS.length]!;
}

/** In English: histories keep them. */
const KINDS: Readonly<Record<Difference['kind'], string>> = {
  removal: english('Removed or kept'),
  element: english('Element'),
  box: english('Box'),
  narration: english('Narration'),
  text: english('Typed text'),
  drag: english('Drag'),
  subtask: english('Subtask edge'),
  title: english('Subtask title'),
  goal: english('Goal'),
  keyframe: english('Picture'),
  thought: english('Thought'),
};

const THOUGHTS = {
  thought: english('Thought'),
  actionThought: english('Action thought'),
  observation: english('Observation'),
} as const;

export const differenceWords = (kind: Difference['kind']): string => tr(KINDS[kind]);

/** The subject of a difference, with its part where a step has two: `Box at the end`. */
export const documentKind = (difference: Pick<Difference, 'kind' | 'id'>): string => tr(keptKind(difference));

/** The same in English, for what a workspace keeps. */
export function keptKind({ kind, id }: Pick<Difference, 'kind' | 'id'>): string {
  if (kind === 'box' && id.endsWith(':end')) return english('Box at the end');
  if (kind === 'keyframe') return id.endsWith(':after') ? english('Picture after') : english('Picture before');
  return kind === 'thought' ? THOUGHTS[thoughtOf({ id })] : KINDS[kind];
}

/** `Step 3`, `From step 5`, or the whole recording. */
export function whereOf({ kind, index }: Pick<Difference, 'kind' | 'index'>): string {
  if (index === null) return tr('Recording');
  return kind === 'subtask' || kind === 'title'
    ? tr('From step {number}', { number: index + 1 })
    : tr('Step {number}', { number: index + 1 });
}
