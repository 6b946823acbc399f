import { createHash } from 'node:crypto';
import { type Evaluation, type ScoredCase, scoredCaseSchema } from '../../../schemas/evaluate.ts';
import { badFile, textLines } from '../../files/text-lines.ts';
import type { Critic } from './critic.ts';
import { type InputProblem, parsed, problemOf, refuseProblems } from './inputs.ts';

/** A critic's scores that were made elsewhere: the cases that `evaluate --critic --cases` wrote. */

const MOST_NAMED = 5;
/** The judge in files from before a case named one. */
const UNNAMED = 'not named';

type Known = {
  kind: string;
  text: string;
  answered: boolean;
  /** A critic's verdicts in this run so far. */
  said: (Given & { by: NonNullable<ScoredCase['critic']> }) | null;
};
type Given = { score: number | null; comment: string };

/**
 * Reads the scores for the plans of a run (`cases`: its own file). Throws BAD_FILE with every line that is torn, of another
 * question, of another answer, there twice, or judged by nobody; also when the file leaves out plans of a kind that it
 * judges, whose mean would be of some cases only.
 */
export function readVerdicts(file: string, cases: string): Critic {
  const known = plansOf(cases);
  const given = new Map<string, Given>();
  const problems: InputProblem[] = [];
  const kinds = new Set<string>();
  let by: ScoredCase['critic'];
  for (const line of textLines(file)) {
    const tell = (message: string) => problems.push({ file, line: line.line, message });
    const value = parsed(line, tell);
    if (value === undefined) continue;
    const { success, data, error } = scoredCaseSchema.safeParse(value);
    if (!success) {
      tell(`it is no case with its score: ${problemOf(error)}`);
      continue;
    }
    if (data.kind !== 'mid' && data.kind !== 'high') continue;
    const problem = problemWith(data, known.get(data.id), given, by);
    if (problem !== null) {
      tell(problem);
      continue;
    }
    by ??= data.critic;
    kinds.add(data.kind);
    given.set(data.id, { score: data.scores.score ?? null, comment: data.why });
  }
  refuseProblems(problems, 'so nothing was scored. Give the cases as `evaluate --critic --cases` wrote them.');
  if (given.size === 0)
    throw badFile(file, 'no plan in it has a score by a critic; evaluate with --critic and --cases');
  refuseGaps(file, known, given, kinds);
  keepOthers(known, given, kinds, by);
  return criticOf(by ?? { model: UNNAMED, prompt: null }, given, kinds);
}

/** A hash of the fields in which a case must agree; the comparison needs no others. */
const textOf = ({ truth, prediction }: Pick<ScoredCase, 'truth' | 'prediction'>): string =>
  createHash('sha256')
    .update(JSON.stringify([truth, prediction]))
    .digest('base64');

function plansOf(cases: string): Map<string, Known> {
  const plans = new Map<string, Known>();
  for (const line of textLines(cases)) {
    const { success, data: scored } = scoredCaseSchema.safeParse(parsed(line, () => undefined));
    if (!success) throw badFile(cases, `line ${line.line} is no case; score the predictions again`);
    if (scored.kind !== 'mid' && scored.kind !== 'high') continue;
    const { id, kind, prediction, scores, why, critic } = scored;
    const said = critic && scores.score !== undefined ? { score: scores.score, comment: why, by: critic } : null;
    plans.set(id, { kind, text: textOf(scored), answered: prediction !== null, said });
  }
  return plans;
}

function problemWith(
  scored: ScoredCase,
  known: Known | undefined,
  given: ReadonlyMap<string, Given>,
  by: ScoredCase['critic'],
): string | null {
  const { id, scores, notes } = scored;
  if (!known) return `the id "${id}" is no plan of this run`;
  if (given.has(id)) return `the id "${id}" stands there twice`;
  if (known.text !== textOf(scored)) return `"${id}" has another answer or another truth than in this run`;
  if (scores.score === undefined) return `"${id}" was judged by nobody: evaluate with --critic`;
  if (scores.score === null && !notes.includes('critic-unreadable')) return `"${id}" has no score`;
  if (scores.score !== null && (scores.score < 0 || scores.score > 5)) return `the score of "${id}" is not 0 to 5`;
  // A plan that is missing got its 0 from nobody.
  const model = scored.critic?.model;
  if (by && model !== undefined && model !== by.model) {
    return `"${id}" was judged by ${model}, others by ${by.model}`;
  }
  return null;
}

/** Mid and high plans may come in files of their own: what the same critic said of the other kind stays. */
function keepOthers(
  known: ReadonlyMap<string, Known>,
  given: Map<string, Given>,
  kinds: Set<string>,
  by: ScoredCase['critic'],
): void {
  const before = new Set(kinds);
  for (const [id, { kind, said }] of known) {
    if (!said || before.has(kind) || said.by.model !== by?.model || said.by.prompt !== by.prompt) continue;
    given.set(id, { score: said.score, comment: said.comment });
    kinds.add(kind);
  }
}

function refuseGaps(
  file: string,
  known: ReadonlyMap<string, Known>,
  given: ReadonlyMap<string, Given>,
  kinds: ReadonlySet<string>,
): void {
  const absent = [...known].flatMap(([id, { kind, answered }]) =>
    answered && kinds.has(kind) && !given.has(id) ? [id] : [],
  );
  if (absent.length === 0) return;
  const more = absent.length > MOST_NAMED ? `, … (${absent.length} in all)` : '';
  throw badFile(file, `it lacks plans that this run holds: ${absent.slice(0, MOST_NAMED).join(', ')}${more}`);
}

function criticOf(
  by: NonNullable<ScoredCase['critic']>,
  given: ReadonlyMap<string, Given>,
  kinds: ReadonlySet<string>,
): Critic {
  const scores = [...given.values()];
  const counts: NonNullable<Evaluation['critic']> = {
    model: by.model,
    asked: 0,
    cached: 0,
    again: 0,
    tokens: { input: 0, output: 0 },
    cost: 0,
    loaded: scores.length,
    unreadable: scores.filter(({ score }) => score === null).length,
  };
  return {
    promptHash: by.prompt,
    judges: (kind) => kinds.has(kind),
    judge: async ({ id }) => ({ ...(given.get(id) ?? { score: null, comment: '' }), by }),
    counts: () => counts,
  };
}
