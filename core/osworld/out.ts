import type { Check, Checks } from '../../schemas/checks.ts';
import { documentParts } from '../../schemas/checks-plain.ts';
import type { OsworldStep, OsworldTask } from '../../schemas/osworld.ts';
import type { Recipe } from '../../schemas/play.ts';
import { mapOsworldTask } from './task.ts';

/** A task of ours in OSWorld's form. */

export type TaskOut = {
  id: string;
  goal: string;
  source: string;
  app: string;
  recipe: Recipe | null;
  checks: Checks | null;
  /** Where it came from, with everything that it had; null: it is not of OSWorld. */
  original: OsworldTask | null;
};

/** Without anything: the evaluator needs none. */
type Getter = { [field: string]: unknown; type: string } | Record<string, never>;
type Getters = { func: string; result: Getter; expected: Getter; options: Record<string, unknown> };
const HOME = '/home/user/';
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * What OSWorld would read, and a sentence for each thing that it has no word for. Of a task that came from there everything that
 * was not changed here is as it was, byte for byte in its values.
 */
export function osworldOf(task: TaskOut): { task: OsworldTask; missing: string[] } {
  const { original } = task;
  const known = original && mapOsworldTask(original);
  const missing: string[] = [];
  const keepsStart = known !== null && isSame(known.recipe, task.recipe ?? known.recipe);
  // What an older program mapped has its version, and may be the same.
  const plain = (checks: Checks | null): Omit<Checks, 'version'> | null => {
    if (checks === null) return null;
    const { version: _version, ...rest } = checks;
    return rest;
  };
  const keepsChecks = known !== null && isSame(plain(known.checks), plain(task.checks ?? known.checks));
  const config = original && keepsStart ? original.config : configOf(task.recipe, missing);
  const evaluator = original && keepsChecks ? original.evaluator : evaluatorOf(task.checks, missing);
  const own: OsworldTask = original ?? {
    id: task.id,
    snapshot: task.app,
    instruction: task.goal,
    source: task.source,
    config,
    related_apps: [task.app],
    evaluator,
  };
  return { task: { ...own, instruction: task.goal === '' ? own.instruction : task.goal, config, evaluator }, missing };
}

function configOf(recipe: Recipe | null, missing: string[]): OsworldStep[] {
  for (const file of recipe?.files ?? [])
    missing.push(`~/${file.to}: OSWorld downloads its files; put it where it can be had, and add a step "download"`);
  return (recipe?.programs ?? []).map(({ command, args }) => ({
    type: 'launch',
    parameters: { command: [command, ...args.map((one) => one.replace(/^~\//, HOME))] },
  }));
}

function evaluatorOf(checks: Checks | null, missing: string[]): OsworldTask['evaluator'] {
  if (checks?.combine === 'weighted') missing.push('weights: OSWorld has all or any');
  const found = (checks?.checks ?? []).flatMap((check): Getters[] => {
    const getters = gettersOf(check);
    if (getters === null)
      missing.push(`the check ${check.id} (${check.kind}): OSWorld has no evaluator that asks the same`);
    return getters === null ? [] : [getters];
  });
  if (checks === null) missing.push('the task has no checks');
  const [first, ...more] = found;
  if (!first) return { func: 'infeasible' === checks?.checks[0]?.kind ? 'infeasible' : 'exact_match' };
  if (more.length === 0) return clean({ ...first, func: first.func });
  const conj = checks?.combine === 'any' ? 'or' : 'and';
  return {
    conj,
    func: found.map(({ func }) => func),
    result: found.map(({ result }) => result),
    expected: found.map(({ expected }) => expected),
    options: found.map(({ options }) => ({ ...options })),
  };
}

/** Without what an evaluator of one function does not need. */
function clean({ func, result, expected, options }: Getters): OsworldTask['evaluator'] {
  const isEmpty = (of: object): boolean => Object.keys(of).length === 0;
  return {
    func,
    ...(!isEmpty(result) && { result }),
    ...(!isEmpty(expected) && { expected }),
    ...(!isEmpty(options) && { options: { ...options } }),
  };
}

const fileIn = (path: string): Getter => ({ type: 'vm_file', path: `${HOME}${path}`, dest: path.split('/').at(-1) });
/** The place of a wanted file is for whoever publishes the task to fill in. */
const gold = (name: string): Getter => ({ type: 'cloud_file', path: '', dest: name });
const rule = (rules: object): Getter => ({ type: 'rule', rules });

/** The evaluator that asks one thing of a .docx, and no more of it. */
const WORD_FUNCTIONS: Readonly<Record<string, string>> = {
  tables: 'compare_docx_tables',
  lines: 'compare_docx_lines',
  highlight: 'compare_highlighted_text',
  subscript: 'compare_subscript_contains',
  'picture-places': 'compare_contains_image',
  'page-break': 'contains_page_break',
  'page-numbers': 'has_page_numbers_in_footers',
  'first-line-centred': 'is_first_line_centered',
};

function wordFunction(check: Check & { kind: 'document' }): string | null {
  if (documentParts(check) !== 1 || !check.path.endsWith('.docx')) return null;
  if (check.font !== undefined) return 'compare_font_names';
  const [one, ...more] = check.like === undefined ? (check.has ?? []) : check.compare;
  return one === undefined || more.length > 0 || !Object.hasOwn(WORD_FUNCTIONS, one) ? null : WORD_FUNCTIONS[one]!;
}

function gettersOf(check: Check): Getters | null {
  const of = (func: string, result: Getter, expected: Getter, options: Record<string, unknown> = {}): Getters => ({
    func,
    result,
    expected,
    options,
  });
  switch (check.kind) {
    case 'infeasible':
      return of('infeasible', {}, {});
    case 'setting': {
      const command = ['gsettings', 'get', check.schema, check.key];
      const printed = typeof check.equals === 'string' ? `'${check.equals}'` : String(check.equals);
      return of('exact_match', { type: 'vm_command_line', command }, rule({ expected: `${printed}\n` }));
    }
    case 'text':
      if (check.like !== undefined && check.alike === undefined)
        return of(
          /\.(?:docx|odt)$/i.test(check.path) ? 'compare_docx_files' : 'compare_text_file',
          fileIn(check.path),
          gold(check.like),
          {
            ignore_blanks: check.ignoreBlanks === true,
            ignore_case: check.ignoreCase,
          },
        );
      if (check.equals !== undefined || check.matches !== undefined || check.like !== undefined) return null;
      return of(
        'check_include_exclude',
        { type: 'vm_command_line', command: ['cat', `${HOME}${check.path}`] },
        rule({ include: check.contains, exclude: check.lacks }),
      );
    case 'table': {
      const sheet = /^#([1-9]\d*)$/.exec(check.sheet ?? '#1')?.[1];
      const other = /^#([1-9]\d*)$/.exec(check.likeSheet ?? check.sheet ?? '#1')?.[1];
      const odd =
        check.anyOrder || check.formulas || check.ignoreCase || check.area !== undefined || check.names !== undefined;
      if (check.like === undefined || sheet === undefined || other === undefined || odd) return null;
      const rules = [{ type: 'sheet_data', sheet_idx0: Number(sheet) - 1, sheet_idx1: `EI${Number(other) - 1}` }];
      return of('compare_table', fileIn(check.path), gold(check.like), { rules });
    }
    case 'document': {
      const func = wordFunction(check);
      if (func === null) return null;
      const expected = check.font === undefined ? {} : rule({ font_name: check.font });
      return of(func, fileIn(check.path), check.like === undefined ? expected : gold(check.like));
    }
    case 'pdf':
      return check.like !== undefined && check.page === undefined && check.contains.length + check.lacks.length === 0
        ? of('compare_pdfs', fileIn(check.path), gold(check.like))
        : null;
    case 'picture':
      if (check.like === undefined || (check.width ?? check.height ?? check.mode) !== undefined) return null;
      if (check.alike !== undefined)
        // By lightness alone has no evaluator there.
        return check.inColour ? of('check_structure_sim', fileIn(check.path), gold(check.like)) : null;
      return check.difference === 0 ? of('compare_images', fileIn(check.path), gold(check.like)) : null;
    case 'json':
      return check.tolerance === 0
        ? of(
            'check_json',
            fileIn(check.path),
            rule({ expect: [{ key: keysOf(check.at), method: 'eq', ref: check.equals }] }),
          )
        : null;
    case 'pages':
      // Its own days are of few names, and of checks that ask for more than an address.
      if (check.day !== undefined) return null;
      if (check.active === undefined || check.open.length + check.closed.length > 0 || check.by === 'part') return null;
      return check.by === 'pattern'
        ? of(
            'is_expected_url_pattern_match',
            { type: 'active_url_from_accessTree', goto_prefix: 'https://www.' },
            rule({ expected: [check.active] }),
          )
        : of(
            'is_expected_active_tab',
            { type: 'active_url_from_accessTree', goto_prefix: 'https://www.' },
            rule({ type: 'url', url: check.active }),
          );
    default:
      return null;
  }
}

const keysOf = (at: string): string[] =>
  at
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
