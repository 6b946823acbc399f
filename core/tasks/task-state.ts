import type { TaskStatePart, WholeTask } from '../../schemas/api/task-state.ts';
import type { Check, Checks } from '../../schemas/checks.ts';
import type { Recipe } from '../../schemas/play.ts';
import type { VerifyReport } from '../../schemas/verify.ts';
import { looksAtScreen } from '../play/checks.ts';

/** Whether a task is complete, sound and proven, by what is known of it (RULES.md). */

export type TaskFacts = {
  id: string;
  goal: string;
  recipe: Recipe | null;
  /** Why its file cannot be read. */
  recipeError: string | null;
  checks: Checks | null;
  checksError: string | null;
  /** The names of its files. */
  files: readonly string[];
  /** Programs of its recipe that are not installed here. */
  programsMissing: readonly string[];
  /** The newest first. */
  demonstrations: readonly { id: string; verdict: Verdict | null }[];
};

/** `current`: by the checks that the task has now; `shown`: this workspace has what it rests on; `by`: who says so. */
type Verdict = {
  report: Pick<VerifyReport, 'proven' | 'problems' | 'weak'>;
  current: boolean;
  shown: boolean;
  by: string | null;
};

type Missing = TaskStatePart['missing'];

export function wholeTask(facts: TaskFacts): WholeTask {
  return { complete: partOf(lacking(facts)), sound: partOf(unsound(facts)), proven: partOf(unproven(facts)) };
}

const partOf = (missing: Missing): TaskStatePart => ({ holds: missing.length === 0, missing });

function lacking({ id, goal, recipe, recipeError, checks, checksError, files, demonstrations }: TaskFacts): Missing {
  const missing: Missing = [];
  const say = (rule: string, why: string): void => void missing.push({ rule, why });
  if (goal.trim() === '') say('TK1', 'It has no goal. Write one.');
  if (recipeError !== null) say('TK2', `Its recipe cannot be used: ${recipeError}`);
  else if (!recipe)
    say(
      'TK2',
      `It has no recipe: what must be open when it begins (\`tasks attach ${id} FILE --role recipe\`, or its page).`,
    );
  if (checksError !== null) say('TK3', `Its checks cannot be used: ${checksError}`);
  else if (!checks)
    say('TK3', `It has no checks: when it counts as done (\`tasks attach ${id} FILE --role checks\`, or its page).`);
  const has = new Set(files);
  for (const name of namedFiles(recipe, checks))
    if (!has.has(name)) say('TK4', `The file “${name}”, which its recipe or checks name, is not attached to it.`);
  if (demonstrations.length === 0) say('TK5', 'Nobody demonstrated it yet.');
  return missing;
}

/** Files of the task that a recipe or checks name. */
function namedFiles(recipe: Recipe | null, checks: Checks | null): Set<string> {
  const put = (recipe?.files ?? []).flatMap((file) => ('attachment' in file ? [file.attachment] : []));
  return new Set([...put, ...(checks?.checks ?? []).flatMap(filesOf)]);
}

const filesOf = (check: Check): string[] => {
  const named = ['like' in check ? check.like : undefined, check.kind === 'file' ? check.equals : undefined];
  return named.filter((name) => typeof name === 'string');
};

function unsound({ recipe, checks, programsMissing, demonstrations }: TaskFacts): Missing {
  const missing: Missing = [];
  const say = (rule: string, why: string): void => void missing.push({ rule, why });
  for (const program of programsMissing)
    say('TK6', `Its recipe starts “${program}”, which is not installed on this machine.`);
  const all = recipe?.files ?? [];
  const put = all.filter((file) => !('unpack' in file || 'folder' in file));
  // Folders may be made twice, and hold other files, but none can be where a file is, or in it.
  for (const { to: folder } of all.filter((file) => !put.includes(file))) {
    const file = put.find(({ to }) => folder === to || folder.startsWith(`${to}/`));
    if (file)
      say('TK7', `Its recipe puts a file at “${file.to}” and a folder at “${folder}”, which cannot both be there.`);
  }
  for (const [one, other] of clashes(put.map(({ to }) => to)))
    say(
      'TK7',
      one === other
        ? `Its recipe puts two files at “${one}”, of which only the last would be there.`
        : `Its recipe puts a file at “${one}” and another into it (“${other}”), which cannot both be there.`,
    );
  if (checks?.checks.every(looksAtScreen))
    say('TK8', 'Its checks look at the screen alone, which also shows what was never saved. Check a file or a value.');
  const newest = demonstrations.find(({ verdict }) => verdict?.current)?.verdict;
  for (const { id, why } of newest?.report.weak ?? [])
    if (why.includes(BEFORE))
      say('TK9', `Its check “${id}” ${BEFORE}, so it says nothing. Check what the task changes.`);
  return missing;
}

/** The words of a verdict (core/play/verify.ts). */
const BEFORE = 'passes before anything was done';

function clashes(places: readonly string[]): [string, string][] {
  const sorted = [...places].sort();
  const seen = new Set<string>();
  return sorted.flatMap((place): [string, string][] => {
    const parts = place.split('/');
    const above = parts.map((_, n) => parts.slice(0, n + 1).join('/')).find((path) => seen.has(path));
    seen.add(place);
    return above === undefined ? [] : [[above, place]];
  });
}

function unproven({ checks, demonstrations }: TaskFacts): Missing {
  const good = demonstrations.some(({ verdict }) => verdict?.current && verdict.shown && verdict.report.proven);
  if (good) return [];
  const why = (): string => {
    const [first] = demonstrations;
    if (!first) return 'There is no demonstration to prove.';
    if (!checks) return 'There are no checks, and without them nothing can be proven.';
    const tried =
      demonstrations.find(({ verdict }) => verdict?.current) ?? demonstrations.find(({ verdict }) => verdict);
    if (!tried?.verdict) return `No demonstration was verified yet (\`verify ${first.id}\`).`;
    const { report, current, by } = tried.verdict;
    if (!current)
      return `${tried.id} was verified with other checks than those of today. Verify it again (\`verify ${tried.id}\`).`;
    if (report.proven)
      return `${tried.id} is proven by the word of ${by ?? 'somebody else'} alone: the plays are not in this workspace. Verify it here (\`verify ${tried.id}\`).`;
    return `${tried.id} is not proven: ${report.problems.join(' ')}`;
  };
  return [{ rule: 'TK10', why: why() }];
}
