import { describe, expect, test } from 'vitest';
import { checksSchema } from '../../schemas/checks.ts';
import { CHECKS_VERSION } from '../../schemas/checks-plain.ts';
import { osworldTaskSchema } from '../../schemas/osworld.ts';
import { judge } from '../play/checks.ts';
import { osworldOf } from './out.ts';
import { mapOsworldTask } from './task.ts';

/** Evaluators of documents and settings, in and out. */

const taskOf = (evaluator: object) =>
  osworldTaskSchema.parse({ id: 'a', instruction: 'Do it.', evaluator, config: [] });
const checksOf = (evaluator: object) => mapOsworldTask(taskOf(evaluator));
const rule = (rules: object) => ({ type: 'rule', rules });
const file = { type: 'vm_file', path: '/home/user/Desktop/a.xlsx', dest: 'a.xlsx' };
const gold = { type: 'cloud_file', path: 'https://example.org/gold', dest: 'gold.xlsx' };
const letter = { ...file, path: '/home/user/a.docx' };
const goldLetter = { type: 'cloud_file', path: 'https://example.org/gold', dest: 'gold.docx' };
const office = { ...file, path: '/home/user/.config/libreoffice/4/user/registrymodifications.xcu' };
const item = (path: string, name: string, value: string): string =>
  `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;

describe('a setting of LibreOffice is its last', () => {
  const [path, name] = ['/org.openoffice.Office.Writer/DefaultFont', 'Standard'];
  const mapped = checksOf({ func: 'find_default_font', result: office, expected: rule({ font_name: 'A & B' }) });
  const [check] = mapped.checks?.checks ?? [];
  const other = item('/org.openoffice.Office.Writer/Layout', 'Standard', 'A &amp; B');

  test.each<[string, string, number]>([
    ['alone', item(path, name, 'A &amp; B'), 1],
    ['before another item', `${item(path, name, 'A &amp; B')}\n${other}`, 1],
    ['before one of its name', `${item(path, name, 'A &amp; B')}\n${item(path, name, 'Arial')}`, 0],
    ['after one of its name', `${item(path, name, 'Arial')}\n${item(path, name, 'A &amp; B')}`, 1],
    ['another', item(path, name, 'Arial'), 0],
    ['of another item', other, 0],
  ])('%s', (_, text, score) => {
    expect(judge(check!, { of: 'text', text }).score).toBe(score);
  });

  test('of the presenter’s screen both would be needed to be off', () => {
    const start = '/org.openoffice.Office.Impress/Misc/Start';
    const { checks } = checksOf({ func: 'check_presenter_console_disable', result: office });
    const [off, on] = ['false', 'true'].map((value) => item(start, 'EnablePresenterScreen', value));
    const scoreOf = (text: string): number => judge(checks!.checks[0]!, { of: 'text', text }).score;
    expect(scoreOf(off!)).toBe(1);
    expect(scoreOf(`${on}\n${off}`)).toBeLessThan(1);
  });
});

test.each<[string, object, RegExp]>([
  [
    'a document of another kind',
    { func: 'compare_docx_tables', result: { ...letter, path: '/home/user/a.odt' }, expected: goldLetter },
    /another kind than .docx/,
  ],
  [
    'page breaks that are counted',
    { func: 'contains_page_break', result: letter, expected: rule({ page_break_count: 2 }) },
    /counts them/,
  ],
  [
    'another file than the settings',
    { func: 'find_default_font', result: file, expected: rule({ font_name: 'A' }) },
    /another file/,
  ],
  [
    'a browser that keeps its data',
    { func: 'exact_match', result: { type: 'data_delete_automacally' }, expected: rule({ expected: 'false' }) },
    /data_delete_automacally/,
  ],
])('%s has no check', (_, evaluator, why) => {
  expect(checksOf(evaluator)).toMatchObject({ checks: null, missingChecks: [expect.stringMatching(why)] });
});

test('experiments of the browser, with the choice that each was given', () => {
  const { checks } = checksOf({
    func: 'check_enabled_experiments',
    result: { type: 'enabled_experiments' },
    expected: rule({ type: 'names', names: ['a-1', 'b'] }),
  });
  const scoreOf = (list: string): number =>
    judge(checks!.checks[0]!, { of: 'text', text: `{"browser":{"enabled_labs_experiments":${list}}}` }).score;
  expect([
    scoreOf('["a-1@2","b"]'),
    scoreOf('["a-1","b@1","c"]'),
    scoreOf('["b","a-1"]'),
    scoreOf('["a-12","b"]'),
  ]).toEqual([1, 0, 0, 0]);
});

test.each(
  [
    ['compare_docx_tables', goldLetter],
    ['compare_docx_lines', goldLetter],
    ['compare_highlighted_text', goldLetter],
    ['compare_subscript_contains', goldLetter],
    ['compare_contains_image', goldLetter],
    ['contains_page_break', undefined],
    ['has_page_numbers_in_footers', undefined],
    ['is_first_line_centered', undefined],
    ['compare_font_names', rule({ font_name: 'Arial' })],
  ].map(([func, expected]) => ({ func: String(func), expected })),
)('$func goes out as it came, but for the place of its file', ({ func, expected }) => {
  const { checks } = checksOf({ func, result: letter, ...(expected !== undefined && { expected }) });
  const { task, missing } = osworldOf({
    id: 'A_1',
    goal: 'Do',
    source: '',
    app: 'x',
    recipe: null,
    checks,
    original: null,
  });
  expect(missing).toEqual([]);
  expect(task.evaluator).toMatchObject({ func, result: { type: 'vm_file', path: letter.path } });
  if (expected !== undefined && 'rules' in Object(expected)) expect(task.evaluator.expected).toEqual(expected);
});

test('a document that is asked for more than one thing has no evaluator', () => {
  const checks = checksSchema.parse({
    schema: 'trajectory-studio/checks',
    version: CHECKS_VERSION,
    checks: [{ id: 'a', kind: 'document', path: 'a.docx', has: ['page-break', 'page-numbers'] }],
  });
  const { missing } = osworldOf({ id: 'A_1', goal: 'Do', source: '', app: 'x', recipe: null, checks, original: null });
  expect(missing).toEqual(['the check a (document): OSWorld has no evaluator that asks the same']);
});

test('checks that an older program mapped keep the task as it came', () => {
  const original = taskOf({
    func: 'compare_pdfs',
    result: { ...file, path: '/home/user/a.pdf' },
    expected: gold,
    extra: 1,
  });
  const { recipe, checks } = mapOsworldTask(original);
  const older = { ...checks!, version: 5 as const };
  const out = osworldOf({
    id: 'A_1',
    goal: original.instruction,
    source: '',
    app: 'x',
    recipe,
    checks: older,
    original,
  });
  expect(out.task).toEqual(original);
});

describe('a file that a shell tests for', () => {
  const of = (command: unknown, expected: string) =>
    checksOf({
      func: 'exact_match',
      result: { type: 'vm_command_line', command, shell: true },
      expected: rule({ expected }),
    });

  test.each([
    ["[ -f /home/user/a.txt ] && echo 'Yes.' || echo 'No.'", 'Yes.\n', { path: 'a.txt', is: 'there' }],
    ["[ -f /home/user/a.txt ] && echo 'Yes.' || echo 'No.'", 'No.\n', { path: 'a.txt', is: 'absent' }],
    ['if [ -f ~/b/a.txt ]; then echo "Yes."; else echo "No."; fi', 'Yes.\n', { path: 'b/a.txt', is: 'there' }],
  ])('%s that prints %j', (command, expected, check) => {
    expect(of(command, expected).checks?.checks).toMatchObject([{ kind: 'file', ...check }]);
  });

  test.each([
    ['a folder', "[ -d ~/a ] && echo 'Yes.' || echo 'No.'", 'Yes.\n'],
    ['one outside of the home', "[ -f /test ] && echo 'Yes.' || echo 'No.'", 'Yes.\n'],
    ['the same words either way', "[ -f ~/a ] && echo 'Yes.' || echo 'Yes.'", 'Yes.\n'],
    ['words that it never prints', "[ -f ~/a ] && echo 'Yes.' || echo 'No.'", 'Yes.'],
    ['an option for a word', "[ -f ~/a ] && echo '-n' || echo 'No.'", '-n\n'],
    ['a second command', "[ -f ~/a ] && echo 'Yes.' || echo 'No.'; rm -rf ~", 'Yes.\n'],
    ['a variable', "[ -f $HOME/a ] && echo 'Yes.' || echo 'No.'", 'Yes.\n'],
    ['a command in a word', '[ -f ~/a ] && echo "$(id)" || echo "No."', 'No.\n'],
    ['words in a list', ['[', '-f', '/home/user/a', ']'], 'Yes.\n'],
  ])('%s has no check', (_what, command, expected) => {
    const { checks, missingChecks } = of(command, expected);
    expect(checks).toBeNull();
    expect(missingChecks).toEqual([expect.stringContaining('it runs a command')]);
  });
});
