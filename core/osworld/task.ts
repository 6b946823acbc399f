import { type Checks, checksSchema } from '../../schemas/checks.ts';
import { CHECKS_VERSION } from '../../schemas/checks-plain.ts';
import type { OsworldTask } from '../../schemas/osworld.ts';
import { type Recipe, recipeSchema } from '../../schemas/play.ts';
import { RECIPE_VERSION } from '../../schemas/recipe-version.ts';
import { append } from '../lists.ts';
import { plural } from '../words.ts';
import { mapEvaluator, type NamelessCheck } from './evaluators.ts';
import { type Fields, isFields } from './fields.ts';
import { beforeChecks, type NeededFile, startOf } from './start.ts';

/** An OSWorld task as one of ours: what maps, and a sentence for each thing that does not. */
export type MappedTask = {
  recipe: Recipe | null;
  /** Null where an evaluator has none: half of them would call wrong runs right. */
  checks: Checks | null;
  /** Files of its authors, by their addresses. */
  needed: NeededFile[];
  missingStart: string[];
  missingChecks: string[];
  /** What is other here than there, and no hindrance. */
  notes: string[];
};

const listOf = (value: unknown, count: number): Fields[] => {
  const all = Array.isArray(value) ? value : Array.from({ length: count }, () => value);
  return Array.from({ length: count }, (_, n) => (isFields(all[n]) ? all[n] : {}));
};

/** Maps a task; nothing of it is run or fetched. */
export function mapOsworldTask({ config, evaluator }: OsworldTask): MappedTask {
  const start = startOf(config);
  const funcs = [evaluator.func].flat();
  const [results, wanted, options] = [evaluator.result, evaluator.expected, evaluator.options].map((one) =>
    listOf(one, funcs.length),
  );
  const before = beforeChecks(evaluator.postconfig ?? []);
  const notes = [...start.notes, ...before.notes];
  const missingChecks = [...before.missing];
  const found: NamelessCheck[] = [];
  for (const [n, func] of funcs.entries()) {
    const given = { func, result: results![n]!, expected: wanted![n]!, options: options![n]! }; // As many as functions.
    const mapped = mapEvaluator(given, start.needed, before.listings);
    append(found, mapped.checks);
    append(
      notes,
      mapped.notes.filter((note) => !notes.includes(note)),
    );
    if (mapped.missing !== null) missingChecks.push(mapped.missing);
  }
  const { files, programs, network, needed } = start;
  const recipe = recipeSchema.safeParse({
    schema: 'trajectory-studio/recipe',
    version: RECIPE_VERSION,
    screen: { width: 1920, height: 1080 },
    files,
    programs,
    network,
  });
  const missingStart = [
    ...start.missing,
    ...(recipe.success ? [] : [`its recipe does not fit: ${firstOf(recipe.error)}`]),
  ];
  const checks = missingChecks.length > 0 ? null : checksFrom(found, evaluator.conj === 'or' ? 'any' : 'all');
  if (typeof checks === 'string') missingChecks.push(checks);
  return {
    recipe: recipe.success ? recipe.data : null,
    checks: typeof checks === 'string' ? null : checks,
    needed,
    missingStart,
    missingChecks,
    notes,
  };
}

function checksFrom(found: readonly NamelessCheck[], combine: Checks['combine']): Checks | string {
  const read = checksSchema.safeParse({
    schema: 'trajectory-studio/checks',
    version: CHECKS_VERSION,
    combine,
    checks: found.map((check, n) => ({ id: `${check.kind}-${n + 1}`, ...check })),
  });
  return read.success ? read.data : `its checks do not fit: ${firstOf(read.error)}`;
}

const firstOf = ({ issues: [issue] }: { issues: { path: PropertyKey[]; message: string }[] }): string =>
  issue ? `${issue.path.join('.')}: ${issue.message}` : 'they are of another form';

/** All of it as lines for a person. */
export function linesOfMapped({ checks, needed, missingStart, missingChecks, notes }: MappedTask): string[] {
  return [
    checks === null ? 'It has no checks.' : `It has ${plural(checks.checks.length, 'check')}.`,
    ...missingStart.map((one) => `Missing at the start: ${one}`),
    ...missingChecks.map((one) => `Missing of the checks: ${one}`),
    ...notes.map((one) => `Note: ${one}`),
    ...needed.map(({ name, url, to }) => `Needs “${name}”${to === null ? ' to compare with' : ` at ~/${to}`}: ${url}`),
  ];
}
