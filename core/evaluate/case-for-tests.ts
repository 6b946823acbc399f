import type { ScoredCase } from '../../schemas/evaluate.ts';
import type { QuestionKind, Truth } from '../../schemas/questions.ts';
import type { Case } from './score-case.ts';

/** Cases before and after they are scored, where only their kind, truth or scores matter. */

export const caseOf = (truth: Truth, more: Partial<Case> = {}): Case => ({
  id: 'T_1/1/1',
  kind: truth.kind,
  query: null,
  software: '',
  task: '',
  actions: 1,
  difficulty: null,
  prompt: '',
  images: [],
  truth,
  ...more,
});

export const scoredAs = (
  kind: QuestionKind,
  scores: ScoredCase['scores'],
  more: Partial<ScoredCase> = {},
): ScoredCase => ({
  id: 'x',
  kind,
  query: null,
  software: 'GIMP',
  task: 'GIMP_1',
  actions: 4,
  difficulty: null,
  prompt: null,
  images: [],
  truth: null,
  prediction: null,
  reading: null,
  scores,
  why: '',
  notes: [],
  ...more,
});
