import { ATIF_READ, ATIF_VERSION, type Atif, atifSchema } from '../../schemas/export-atif.ts';

/**
 * The rules of ATIF beyond its fields, as Harbor's own models have them: numbers of steps, what only an agent's step has, calls
 * and their results, subagents. `where` names the step or the subagent.
 */
export type AtifProblem = { where: string; why: string };

/** ISO 8601 as Python's fromisoformat reads it: a date, and a time with or without its zone. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const AGENTS_OWN = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'] as const;
/** Subagents of subagents. */
const MOST_LEVELS = 8;

/** A run by its fields and its rules; the problems where it breaks any. */
export function readAtif(value: unknown): { run: Atif } | { problems: AtifProblem[] } {
  const version: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'schema_version') : undefined;
  if (typeof version !== 'string' || !ATIF_READ.includes(version)) {
    const is = typeof version === 'string' ? `"${version.slice(0, 40)}"` : 'missing';
    return {
      problems: [{ where: '', why: `its schema_version is ${is}; ${ATIF_READ[0]} to ${ATIF_READ.at(-1)} are known` }],
    };
  }
  const result = atifSchema.safeParse(value);
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message, code, ...more }) => {
      const keys = code === 'unrecognized_keys' && 'keys' in more ? ` (${String(more.keys)})` : '';
      const advice = keys === '' ? '' : ': ATIF has no such field, it belongs into `extra`';
      return { where: placeOf(path), why: `field \`${path.join('.') || 'it'}\`${keys}${advice || `: ${message}`}` };
    });
    return { problems };
  }
  const problems = problemsOf(result.data, 0);
  return problems.length === 0 ? { run: result.data } : { problems };
}

const placeOf = ([first, second]: readonly PropertyKey[]): string =>
  first === 'steps' && typeof second === 'number' ? `step ${second + 1}` : '';

function problemsOf(run: Atif, level: number): AtifProblem[] {
  const problems: AtifProblem[] = [];
  for (const [at, step] of run.steps.entries()) {
    const where = `step ${at + 1}`;
    const report = (why: string): unknown => problems.push({ where, why });
    if (step.step_id !== at + 1)
      report(`its step_id is ${step.step_id}, not ${at + 1}: they count from 1 without a gap`);
    if (step.timestamp != null && (!TIME.test(step.timestamp) || Number.isNaN(Date.parse(step.timestamp.slice(0, 10)))))
      report(`its timestamp "${step.timestamp.slice(0, 60)}" is no date of ISO 8601`);
    if (step.source !== 'agent') {
      for (const field of AGENTS_OWN)
        if (step[field] != null) report(`\`${field}\` is for steps of the agent, this is one of the ${step.source}`);
    } else if (step.llm_call_count === 0) {
      for (const field of ['metrics', 'reasoning_content'] as const)
        if (step[field] != null)
          report(`\`${field}\` stands beside an llm_call_count of 0, which means that no model was asked`);
    }
    const calls = new Set<string>();
    for (const { tool_call_id: id } of step.tool_calls ?? []) {
      if (calls.has(id)) report(`two calls have the tool_call_id "${id.slice(0, 60)}"`);
      calls.add(id);
    }
    for (const { source_call_id: id, subagent_trajectory_ref: refs } of step.observation?.results ?? []) {
      if (id != null && !calls.has(id))
        report(`the source_call_id "${id.slice(0, 60)}" of its observation is no call of this step`);
      // Earlier versions named subagents by their session.
      if (
        run.schema_version === ATIF_VERSION &&
        refs?.some((ref) => ref.trajectory_id == null && ref.trajectory_path == null)
      )
        report('a subagent_trajectory_ref has neither trajectory_id nor trajectory_path');
    }
  }
  const known = new Set<string>();
  for (const [at, one] of (run.subagent_trajectories ?? []).entries()) {
    const where = `subagent ${at + 1}`;
    if (level >= MOST_LEVELS)
      return [...problems, { where, why: `more than ${MOST_LEVELS} subagents lie in each other` }];
    const inner = atifSchema.safeParse(one);
    if (!inner.success) {
      const issue = inner.error.issues[0];
      problems.push({ where, why: `field \`${issue?.path.join('.') || 'it'}\`: ${issue?.message}` });
      continue;
    }
    const id = inner.data.trajectory_id;
    if (id == null) problems.push({ where, why: 'it has no trajectory_id, which a subagent must have' });
    else if (known.has(id))
      problems.push({ where, why: `its trajectory_id "${id.slice(0, 60)}" is another subagent's, too` });
    else known.add(id);
    for (const problem of problemsOf(inner.data, level + 1))
      problems.push({ ...problem, where: `${where}, ${problem.where}` });
  }
  return problems;
}
