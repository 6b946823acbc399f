import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkSchema } from '../../schemas/checks.ts';
import { osworldTaskSchema } from '../../schemas/osworld.ts';
import { osworldOf } from './out.ts';
import { mapOsworldTask } from './task.ts';

const taskOf = (evaluator: object, config: object[] = []) =>
  osworldTaskSchema.parse({ id: 'a', instruction: 'Do it.', evaluator, config });
const checksOf = (evaluator: object) => mapOsworldTask(taskOf(evaluator));
const file = { type: 'vm_file', path: '/home/user/Desktop/a.xlsx', dest: 'a.xlsx' };
const letter = { ...file, path: '/home/user/a.docx' };
const goldLetter = { type: 'cloud_file', path: 'https://example.org/gold', dest: 'gold.docx' };
const gold = { type: 'cloud_file', path: 'https://example.org/gold', dest: 'gold.xlsx' };
const rule = (rules: object) => ({ type: 'rule', rules });
const command = (text: string) => ({ type: 'vm_command_line', command: text, shell: true });
const url = { type: 'active_url_from_accessTree', goto_prefix: 'https://www.' };

describe('an evaluator', () => {
  test.each<[string, object, object]>([
    ['infeasible', { func: 'infeasible' }, { kind: 'infeasible' }],
    [
      'a setting',
      { func: 'exact_match', result: command('gsettings get org.a.b c'), expected: rule({ expected: "'12h'\n" }) },
      { kind: 'setting', schema: 'org.a.b', key: 'c', equals: '12h' },
    ],
    [
      'a printed file',
      {
        func: 'check_include_exclude',
        result: command('cat /home/user/a.txt'),
        expected: rule({ include: ['x'], exclude: ['y'] }),
      },
      { kind: 'text', path: 'a.txt', contains: ['x'], lacks: ['y'] },
    ],
    [
      'a sheet of a table',
      {
        func: 'compare_table',
        result: file,
        expected: gold,
        options: { rules: [{ type: 'sheet_data', sheet_idx0: 1, sheet_idx1: 'EI0' }] },
      },
      { kind: 'table', path: 'Desktop/a.xlsx', like: 'gold.xlsx', sheet: '#2', likeSheet: '#1' },
    ],
    [
      'a presentation, without what is switched off',
      {
        func: 'compare_pptx_files',
        result: { ...file, path: '/home/user/a.pptx' },
        expected: gold,
        options: { examine_font_bold: false },
      },
      { kind: 'document', compare: expect.not.arrayContaining(['bold']) },
    ],
    ['a PDF', { func: 'compare_pdfs', result: file, expected: gold }, { kind: 'pdf', like: 'gold.xlsx' }],
    [
      'a picture that looks alike',
      { func: 'check_structure_sim', result: file, expected: gold },
      { kind: 'picture', alike: 0.9, inColour: true },
    ],
    [
      'the address in front',
      { func: 'is_expected_url_pattern_match', result: url, expected: rule({ expected: ['/a/'] }) },
      { kind: 'pages', active: '/a/', by: 'pattern' },
    ],
    [
      'parts of an address',
      {
        func: 'check_direct_json_object',
        result: { type: 'active_tab_url_parse', parse_keys: ['q'] },
        expected: rule({ expected: { q: 'a b' } }),
      },
      { kind: 'pages', active: '[?&]q=a%20b(?:&|#|$)' },
    ],
    [
      'settings of a program by their keys',
      {
        func: 'check_json_settings',
        result: { ...file, path: '/home/user/s.json' },
        expected: rule({ expected: { 'a/b': [1] } }),
      },
      { kind: 'json', at: '/a~1b', equals: [1] },
    ],
    [
      'tables of a document',
      { func: 'compare_docx_tables', result: letter, expected: goldLetter },
      { kind: 'document', path: 'a.docx', like: 'gold.docx', compare: ['tables'] },
    ],
    [
      'a trait of a document',
      { func: 'has_page_numbers_in_footers', result: letter },
      { kind: 'document', path: 'a.docx', has: ['page-numbers'] },
    ],
    [
      'the font of a whole document',
      { func: 'compare_font_names', result: letter, expected: rule({ font_name: 'Arial' }) },
      { kind: 'document', path: 'a.docx', font: 'Arial' },
    ],
    [
      'a query',
      {
        func: 'run_sqlite3',
        result: { ...file, path: '/home/user/a.sqlite' },
        expected: rule({ sql: 'select 1;' }),
      },
      { kind: 'sqlite', path: 'a.sqlite', query: 'select 1;', equals: 1 },
    ],
    [
      'what a browser does with its data at the end',
      { func: 'exact_match', result: { type: 'data_delete_automacally' }, expected: rule({ expected: 'true' }) },
      { kind: 'json', at: '/profile/default_content_setting_values/cookies', equals: 4 },
    ],
    [
      'tags of a sound',
      {
        func: 'check_mp3_meta',
        result: { ...file, path: '/home/user/a.mp3' },
        expected: rule({ artist: { method: 'eq', ref: 'Ann' } }),
      },
      { kind: 'sound', tags: { artist: 'Ann' } },
    ],
    [
      'charts of a sheet, in what is asked for',
      {
        func: 'compare_table',
        result: { ...file, path: ['/home/user/a.xlsx', '/home/user/a-Sheet1.csv'], multi: true },
        expected: {
          ...gold,
          path: [gold.path, 'https://example.org/csv'],
          dest: ['gold.xlsx', 'gold.csv'],
          multi: true,
        },
        options: {
          rules: [{ type: 'chart', sheet_idx0: 'RNMay', sheet_idx1: 'EI1', chart_props: ['type', 'xtitle'] }],
        },
      },
      { kind: 'table', path: 'a.xlsx', sheet: 'May', likeSheet: '#2', compare: ['charts', 'chart-axes'] },
    ],
    [
      'a cell that is nearly a number',
      {
        func: 'compare_table',
        result: file,
        options: {
          rules: [
            {
              type: 'check_cell',
              sheet_idx: 'RNMay',
              coordinate: 'B3',
              props: { value: { method: 'approx:0.1', ref: 2 } },
            },
          ],
        },
      },
      { kind: 'cell', sheet: 'May', cell: 'B3', equals: 2, tolerance: 0.1 },
    ],
    [
      'a setting of the browser',
      { func: 'exact_match', result: { type: 'profile_name' }, expected: rule({ expected: 'Ann' }) },
      { kind: 'json', path: '.config/chromium/Default/Preferences', at: '/profile/name', equals: 'Ann' },
    ],
    [
      'folders of bookmarks',
      {
        func: 'is_expected_bookmarks',
        result: { type: 'bookmarks' },
        expected: rule({ type: 'bookmark_bar_folders_names', names: ['A.b'] }),
      },
      { kind: 'text', matches: ['"name": "A\\.b",\\s{1,9}"type": "folder"'] },
    ],
    [
      'cookies of a page, with nothing of it taken for a query',
      {
        func: 'is_cookie_deleted',
        result: { type: 'cookie_data' },
        expected: rule({ type: 'domains', domains: [".a'.org%"] }),
      },
      { kind: 'sqlite', query: "SELECT count(*) FROM cookies WHERE host_key LIKE '%.a.org'", equals: 0 },
    ],
    [
      'a setting of GIMP',
      {
        func: 'check_config_status',
        result: { type: 'gimp_config_file', file_name: 'gimprc' },
        expected: rule({ key: 'undo-levels', value: '100' }),
      },
      { kind: 'text', path: '.config/GIMP/2.10/gimprc', matches: ['^\\s*\\(undo\\-levels (?:.* )?100\\)+\\s*$'] },
    ],
    [
      'an extension that is listed',
      {
        func: 'is_extension_installed',
        result: { type: 'vm_command_line', command: ['code', '--list-extensions', '|', 'grep', 'a.b'] },
        expected: rule({ type: 'contain', expected: 'a.b' }),
      },
      { kind: 'text', path: '.vscode/extensions/extensions.json', matches: ['"id": ?"a\\.b"'] },
    ],
    [
      'a file that is listed',
      {
        func: 'is_extension_installed',
        result: { type: 'vm_command_line', command: ['ls', '/home/user/Desktop', '|', 'grep', 'a.py'] },
        expected: rule({ type: 'contain', expected: 'a.py' }),
      },
      { kind: 'file', path: 'Desktop/a.py', is: 'there' },
    ],
    [
      'keys of an editor',
      {
        func: 'check_json_keybindings',
        result: { ...file, path: '/home/user/.config/Code/User/keybindings.json' },
        expected: rule({ expected: { key: 'ctrl+j', command: 'a.b' } }),
      },
      { kind: 'text', matches: ['"key": "ctrl\\+j",\\s{1,20}"command": "a\\.b"'] },
    ],
    [
      'preferences that are, are like something, and are not',
      {
        func: 'check_thunderbird_prefs',
        result: { ...file, path: '/home/user/.thunderbird/prefs.js' },
        expected: rule({
          expect: { a: { method: 'eq', ref: true }, b: { method: 're', ref: 'dark' } },
          unexpect: { c: { method: 'eq', ref: 1 } },
        }),
      },
      {
        kind: 'text',
        contains: ['user_pref("a", true);'],
        matches: ['^user_pref\\("b", ".*(?:dark).*"\\);$'],
        lacks: ['user_pref("c", 1);'],
      },
    ],
    [
      'a filter of mail',
      {
        func: 'check_thunderbird_filter',
        result: { ...file, path: '/home/user/.thunderbird/rules.dat' },
        expected: rule({ expect: [{ enabled: 'yes', condition: ['ALL'] }] }),
      },
      { kind: 'text', contains: ['enabled="yes"', 'condition="ALL"'] },
    ],
    [
      'the size of a picture',
      { func: 'check_image_size', result: { ...file, path: '/home/user/a.png' }, expected: rule({ height: 512 }) },
      { kind: 'picture', height: 512 },
    ],
    [
      'pages of a PDF',
      {
        func: 'check_pdf_pages',
        result: { ...file, path: '/home/user/a.pdf' },
        expected: rule({ relation: 'eq', ref_value: 1 }),
      },
      { kind: 'pdf', pages: 1 },
    ],
    [
      'a folder that is listed',
      {
        func: 'exact_match',
        result: { type: 'vm_command_line', command: ['ls', '/home/user/Desktop/Projects'] },
        expected: rule({ expected: 'a b.pdf\nc\n' }),
      },
      { kind: 'archive', path: 'Desktop/Projects', holds: ['a b.pdf', 'c'], only: true, top: true },
    ],
    [
      'a test of a folder',
      {
        func: 'exact_match',
        result: command("[ -d ~/Desktop/new ] && echo 'Yes.' || echo 'No.'"),
        expected: rule({ expected: 'Yes.\n' }),
      },
      { kind: 'archive', path: 'Desktop', holds: ['new/'], top: true },
    ],
    [
      'a list of a folder that was kept before',
      {
        func: 'check_list',
        postconfig: [
          { type: 'command', parameters: { command: ['ls', '-R', '/home/user/mails'], stdout: 'mails.ls' } },
        ],
        result: { type: 'cache_file', path: 'mails.ls' },
        expected: rule({ expect: ['A.*\\.eml'] }),
      },
      { kind: 'archive', path: 'mails', matches: ['A.*\\.eml'] },
    ],
    [
      'a list that a shell wrote into a file',
      {
        func: 'compare_text_file',
        postconfig: [
          { type: 'execute', parameters: { command: 'cd /home/user && ls -R repo/ > log.txt', shell: true } },
        ],
        result: { ...file, path: '/home/user/log.txt' },
        expected: gold,
      },
      { kind: 'archive', path: 'repo', compare: 'names' },
    ],
  ])('%s becomes a check that is taken', (_name, evaluator, wanted) => {
    const { checks, missingChecks } = checksOf(evaluator);
    expect(missingChecks).toEqual([]);
    expect(checks?.checks).toHaveLength(1);
    expect(checks?.checks[0]).toMatchObject(wanted);
    expect(checkSchema.safeParse(checks?.checks[0]).success).toBe(true);
  });

  test.each<[string, object, string]>([
    ['code of its own', { func: 'check_moved_jpgs', result: file }, 'check_moved_jpgs: it is code of OSWorld'],
    ['a name of every object', { func: 'constructor', result: file }, 'it is code of OSWorld'],
    [
      'a command',
      { func: 'check_include_exclude', result: command('bash eval.sh'), expected: rule({ include: ['x'] }) },
      'it runs a command: "bash eval.sh"',
    ],
    [
      'a list of what is outside of the home',
      {
        func: 'exact_match',
        result: { type: 'vm_command_line', command: ['ls', '/etc'] },
        expected: rule({ expected: 'a\n' }),
      },
      'it runs a command',
    ],
    [
      'a list of another file',
      { func: 'check_list', result: { type: 'cache_file', path: 'other' }, expected: rule({ expect: ['x'] }) },
      'it looks at cache_file',
    ],
    [
      'a path outside of the home',
      { func: 'compare_pdfs', result: { ...file, path: '/home/user/../x' }, expected: gold },
      'outside of the home',
    ],
    [
      'a chart',
      {
        func: 'compare_table',
        result: file,
        expected: gold,
        options: { rules: [{ type: 'chart', sheet_idx0: 0, sheet_idx1: 'EI0' }] },
      },
      'its rule chart',
    ],
    [
      'one that fetches a page of its own',
      { func: 'check_direct_json_object', result: url, expected: { type: 'gotoRecreationPage_and_get_html_content' } },
      'comes from gotoRecreationPage_and_get_html_content',
    ],
    [
      'keys before it',
      { func: 'infeasible', postconfig: [{ type: 'execute', parameters: { command: 'rm -rf /' } }] },
      'before the checks it does something',
    ],
  ])('%s has none, and says so', (_name, evaluator, why) => {
    const { checks, missingChecks } = checksOf(evaluator);
    expect(checks).toBeNull();
    expect(missingChecks.join('\n')).toContain(why);
  });

  test('one of two that has none leaves no checks: half of them would call wrong runs right', () => {
    const { checks } = checksOf({ func: ['infeasible', 'other'], result: [{}, file] });
    expect(checks).toBeNull();
  });
});

const SAMPLES = join(import.meta.dirname, '../../../shared/samples/osworld-tasks');
describe.skipIf(!existsSync(SAMPLES))('the public samples', () => {
  const samples = existsSync(SAMPLES) ? readdirSync(SAMPLES).filter((name) => name.endsWith('.json')) : [];
  test.each(samples)('%s comes out as it went in', (name) => {
    const given: unknown = JSON.parse(readFileSync(join(SAMPLES, name), 'utf8'));
    const original = osworldTaskSchema.parse(given);
    const { recipe, checks } = mapOsworldTask(original);
    const out = osworldOf({ id: 'A_1', goal: original.instruction, source: '', app: 'gimp', recipe, checks, original });
    expect(out).toEqual({ task: given, missing: [] });
  });
});

test('a changed task keeps what was not changed, and what is changed comes out and in again', () => {
  const original = { ...taskOf({ func: 'infeasible' }), trajectory: 'x', proxy: true };
  const mapped = mapOsworldTask(original);
  const changed = checksOf({
    func: ['compare_pdfs', 'is_expected_active_tab'],
    result: [{ ...file, path: '/home/user/a.pdf' }, url],
    expected: [{ ...gold, dest: 'gold.pdf' }, rule({ type: 'url', url: 'https://example.org' })],
  }).checks;
  const { task, missing } = osworldOf({
    id: 'A_1',
    goal: 'Other',
    source: '',
    app: 'x',
    recipe: mapped.recipe,
    checks: changed,
    original,
  });
  expect(missing).toEqual([]);
  expect(task).toMatchObject({ id: 'a', instruction: 'Other', trajectory: 'x', proxy: true, config: [] });
  const again = structuredClone(task);
  // Its place is for whoever publishes it to fill in.
  for (const one of [again.evaluator.expected].flat()) if (one && 'dest' in one) one.path = gold.path;
  expect(mapOsworldTask(again).checks).toEqual(changed);
});

test('a check that OSWorld has no word for is named', () => {
  const checks = {
    ...mapOsworldTask(taskOf({ func: 'infeasible' })).checks!,
    checks: [checkSchema.parse({ id: 'w', kind: 'window', title: 'Saved' })],
  };
  const { missing } = osworldOf({ id: 'A_1', goal: 'Do', source: '', app: 'x', recipe: null, checks, original: null });
  expect(missing).toEqual(['the check w (window): OSWorld has no evaluator that asks the same']);
});
