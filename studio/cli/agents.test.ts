import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { runHere } from './run-for-tests.ts';

/** What `run` refuses before anything is set up or sent, and `runs` without any. */

const folders = temporaryFolders();
afterAll(folders.clean);
const folder = folders.make();
const workspace = join(folder, 'w');
const line = (...more: string[]): string[] => ['run', '--workspace', workspace, '--json', ...more];
const model = ['--endpoint', 'http://127.0.0.1:9/v1', '--model', 'm'];
const priced = ['--price-in', '2', '--price-out', '8'];
const RECIPE = { schema: 'trajectory-studio/recipe', version: 1 };
const CHECKS = { schema: 'trajectory-studio/checks', version: 1, checks: [{ id: 'a', kind: 'window', title: 'x' }] };

const cli = async (...args: string[]) => {
  const ran = await runHere(args);
  return { ...ran, json: args.includes('--json') ? JSON.parse(ran.stdout) : null };
};

beforeAll(async () => {
  const where = ['--workspace', workspace];
  await cli('init', ...where);
  await cli('software', 'add', 'gimp', ...where);
  for (const id of ['GIMP_1', 'GIMP_2', 'GIMP_3'])
    await cli('tasks', 'add', '--app', 'gimp', '--goal', `Goal of ${id}`, '--id', id, ...where);
  const attach = async (task: string, role: string, value: object): Promise<void> => {
    writeFileSync(join(folder, `${role}.json`), JSON.stringify(value));
    await cli('tasks', 'attach', task, join(folder, `${role}.json`), '--role', role, ...where);
  };
  await attach('GIMP_1', 'recipe', RECIPE);
  await attach('GIMP_2', 'checks', CHECKS);
  await attach('GIMP_3', 'checks', CHECKS);
  await attach('GIMP_3', 'recipe', RECIPE);
});

test.each<[string, string[], string, RegExp]>([
  ['a task that is not there', ['--task', 'NO_1', ...model], 'UNKNOWN_TASK', /NO_1/],
  ['no task', model, 'USAGE', /--task is missing/],
  ['no endpoint', ['--task', 'GIMP_3', '--model', 'm'], 'USAGE', /--endpoint is missing/],
  ['a task without checks', ['--task', 'GIMP_1', ...model], 'USAGE', /GIMP_1 has no checks/],
  ['a task without a recipe', ['--task', 'GIMP_2', ...model], 'USAGE', /GIMP_2 has no recipe/],
  ['an address that is none', ['--task', 'GIMP_3', '--endpoint', 'h', '--model', 'm'], 'USAGE', /is no address/],
  ['a password in it', ['--task', 'GIMP_3', '--endpoint', 'http://a:b@h', '--model', 'm'], 'USAGE', /must not hold/],
  ['nobody who agrees', ['--task', 'GIMP_3', ...model], 'NOT_AGREED', /Nothing was sent/],
  ['a budget without prices', ['--task', 'GIMP_3', ...model, '--budget', '2', '--yes'], 'USAGE', /needs --price-in/],
  [
    'a budget of nothing, before anything is set up',
    ['--task', 'GIMP_3', ...model, ...priced, '--budget', '0', '--yes'],
    'USAGE',
    /A budget \(--budget\) of 0 pays for no request/,
  ],
  [
    'a budget of nothing, before squares are asked about',
    ['--task', 'GIMP_3', ...model, ...priced, '--budget', '0', '--coordinates', 'measure', '--yes'],
    'USAGE',
    /of 0 pays for no request/,
  ],
  ...['-1', 'NaN', 'Infinity', '1e999', '', '2,5', 'all', '2 €'].map((budget): [string, string[], string, RegExp] => [
    `a budget of “${budget}”`,
    ['--task', 'GIMP_3', ...model, ...priced, `--budget=${budget}`, '--yes'],
    'USAGE',
    /--budget.*a number of at least 0/,
  ]),
  ['half a price', ['--task', 'GIMP_3', ...model, '--price-in', '2', '--yes'], 'USAGE', /belong together/],
  ['a key that is not set', ['--task', 'GIMP_3', ...model, '--key-env', 'NO_SUCH_KEY_1'], 'USAGE', /no such variable/],
  ['a plan for who takes none', ['--task', 'GIMP_3', ...model, '--inject', 'high'], 'USAGE', /agent minimal/],
  [
    'a plan of no demonstration',
    ['--task', 'GIMP_3', ...model, '--agent', 'minimal', '--inject', 'high'],
    'USAGE',
    /no demonstration/,
  ],
  [
    'a film of no demonstration',
    ['--task', 'GIMP_3', ...model, '--agent', 'video-guided'],
    'USAGE',
    /no film to follow/,
  ],
  ['a run that is not there', ['--resume', 'x'], 'UNKNOWN_RECORDING', /x/],
])('refused: %s', async (_, more, code, why) => {
  const { status, json } = await cli(...line(...more));
  expect(status).not.toBe(0);
  expect(json).toMatchObject({ error: { code, message: expect.stringMatching(why) } });
});

test('what goes to whom is said before anything is sent', async () => {
  const { stderr } = await cli(...line('--task', 'GIMP_3', ...model, '--rounds', '7'));
  expect(stderr).toMatch(
    /To http:\/\/127\.0\.0\.1:9 \(m\) go: pictures of the stage's whole screen .* in at most 7 requests/,
  );
  expect(stderr).toContain('Money: no limit');
});

test('a workspace without runs says how to begin one', async () => {
  const { stdout } = await cli('runs', '--workspace', workspace);
  expect(stdout).toContain('No run of a model is here yet');
});
