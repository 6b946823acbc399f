import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer } from '../api/server-for-tests.ts';
import { blindRecording, SECRETS } from '../documents/review/blind-for-tests.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { programOfAll, runHere } from './run-for-tests.ts';

/**
 * Every command, as the command line's own tables list them, run by somebody from whom a blind annotation is kept (RV6), plain
 * and with --json: nothing that its author wrote is printed, or written into a file that is no whole copy. A command that is
 * added is run as well; one whose arguments cannot be made from the tables fails here until `VALUES` has them.
 */

const folders = temporaryFolders();
let values: Readonly<Record<string, string>>;
let ada: string;
let own: string;
let dir: string;
let out: string;

beforeAll(async () => {
  const folder = folders.make();
  dir = join(folder, 'work');
  out = join(folder, 'out');
  mkdirSync(out);
  const server = await startTestServer(folder);
  const made = await blindRecording(server, dir);
  const [{ task } = { task: '' }] = await server.client.recordings.list({ ws: made.ws });
  await server.close();
  ({ ada, own } = made);
  const transaction = join(folder, 'transaction.json');
  const goal = (text: string) => ({ kind: 'goal', id: 'goal', text });
  const changes = [{ op: 'change', before: goal('a guess'), after: goal('another') }];
  writeFileSync(transaction, JSON.stringify({ id: '00000000-0000-4000-8000-000000000001', label: 'Guess', changes }));
  values = {
    id: 'shared',
    path: folder,
    file: transaction,
    action: made.action,
    name: 'gimp',
    attachment: 'none',
    'file.tar': join(out, 'none.tar'),
    from: 'v1',
    to: 'v1',
    formats: 'videogui',
    format: 'videogui',
    dir: out,
    level: 'click',
    '--workspace': dir,
    '--person': made.ben,
    '--document': own,
    '--step': made.action,
    '--task': task,
    '--app': 'gimp',
    '--software': 'gimp',
    '--goal': 'A goal',
    '--name': 'v1',
    '--file': transaction,
    '--item': `step:${made.action}`,
    '--replicas': '2',
    '--difference': 'goal',
    '--side': ada,
    '--comment': 'Why',
    '--text': 'Which?',
    '--thread': 'none',
    '--category': 'Media',
    '--questions': transaction,
    '--model': 'm',
    '--truth': transaction,
    '--predictions': transaction,
    '--endpoint': 'http://127.0.0.1:9/v1',
    '--state': 'open',
    '--verdict': 'accept',
    '--candidate': 'none',
    '--recipe': transaction,
  };
});
afterAll(folders.clean);

/** They record, play, serve or look at the machine; none of them reads an annotation. */
const LEFT_OUT = new Set([
  'start',
  'serve',
  'doctor',
  'record',
  'sync-check',
  'play',
  'stage new',
  'stage list',
  'stage end',
]);
/** It takes the recording away; run last. */
const LAST = 'recordings remove';
/** A whole recording or workspace, with every history, for whoever runs it elsewhere: the files that they have as well. */
const WHOLE = new Set(['recordings export', 'archive export', 'backup']);
/** Arguments of one command, where the name alone does not say what it takes. */
const GIVEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'people add': { name: 'Somebody' },
  'software add': { name: 'Another' },
};
/** Options that are needed beside the mandatory ones for a command to do anything. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  'tasks update': ['--state', 'open'],
  'dataset tag': ['--add', 'seen'],
  'dataset split': ['--into', 'train'],
  'review decide': ['--verdict', 'accept'],
  export: ['--all'],
  questions: ['--all'],
};

type Leaf = { path: string[]; command: Command };

async function leaves(): Promise<Leaf[]> {
  const found: Leaf[] = [];
  const walk = (command: Command, path: string[]): void => {
    if (command.commands.length === 0) found.push({ path, command });
    for (const below of command.commands) walk(below, [...path, below.name()]);
  };
  walk(await programOfAll(), []);
  return found;
}

async function run(args: readonly string[]) {
  const { status, stdout, stderr } = await runHere(args);
  return { status, said: stdout + stderr };
}

/** Every way in which the command is asked: as Ben and as nobody, of Ada's document and of the main one. */
function waysOf({ path, command }: Leaf): string[][] {
  const name = path.join(' ');
  const given: Readonly<Record<string, string>> = {
    ...values,
    place: join(out, 'backups'),
    ...(name.startsWith('tasks ') && { id: values['--task'] }),
    ...GIVEN[name],
  };
  const value = (of: string): string => given[of] ?? 'x';
  const args = command.registeredArguments.flatMap((one) => (one.required ? [value(one.name())] : []));
  const flag = (option: Option): string[] => {
    const long = option.long ?? '';
    if (!option.required && !option.optional) return [long];
    if (long === '--out') return [long, join(out, `${path.join('-')}${name.includes('archive') ? '.tar' : ''}`)];
    return [long, option.argChoices?.[0] ?? value(long)];
  };
  const mandatory = command.options.filter((option) => option.mandatory).flatMap(flag);
  const free = command.options.filter((option) => !option.mandatory);
  const has = (long: string) => free.some((option) => option.long === long);
  const ways = [[...path, ...args, ...mandatory, ...(MORE[name] ?? [])]];
  // The same word names who demonstrated, elsewhere.
  const asks = has('--person') && ['annotate', 'propose'].includes(path[0] ?? '');
  const whole = (way: string[]) => [...way, '--person', values['--person']!];
  if (asks) ways.push(whole(ways[0]!));
  if (has('--document')) ways.push(...ways.map((way) => [...way, '--document', own]));
  if (has('--step')) ways.push(...ways.map((way) => [...way, '--step', values['--step']!]));
  return ways;
}
/** Everything in the files below a folder. */
function written(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('utf8'))
    .join('\n');
}

test('their author is told the same by them', async () => {
  const at = ['shared', '--workspace', dir, '--person', ada];
  const answers = [
    await run(['annotate', 'get', ...at, '--document', own]),
    await run(['annotate', 'history', ...at, '--document', own, '--json']),
    await run(['review', 'show', ...at]),
  ];
  expect(SECRETS.filter((secret) => !answers.some(({ said }) => said.includes(secret)))).toEqual([]);
});

test('no command tells somebody what is kept from them', { timeout: 240_000 }, async () => {
  const all = await leaves();
  expect(all.length).toBeGreaterThan(70);
  const isLast = ({ path }: Leaf) => Number(path.join(' ') === LAST);
  const told: string[] = [];
  const unmade: string[] = [];
  for (const leaf of all.toSorted((a, b) => isLast(a) - isLast(b))) {
    const name = leaf.path.join(' ');
    if (LEFT_OUT.has(name)) continue;
    for (const way of waysOf(leaf)) {
      for (const args of [way, [...way, '--json']]) {
        const { said } = await run(args);

        for (const secret of SECRETS) if (said.includes(secret)) told.push(`${args.join(' ')}: ${secret}`);
        if (/`--help` after the command shows|^error INTERNAL/m.test(said)) unmade.push(said);
      }
    }
    if (!WHOLE.has(name)) for (const secret of SECRETS) if (written(out).includes(secret)) told.push(`${name}: a file`);
    for (const file of readdirSync(out)) rmSync(join(out, file), { recursive: true });
  }
  expect(unmade).toEqual([]);
  expect(told).toEqual([]);
});
