import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../api/server-for-tests.ts';
import { addClicks } from '../documents/clicks-for-tests.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';
import { noteRunning } from './running.ts';

/** Commands that mirror a call of the API: through the running studio where it knows the workspace, else by themselves. */

const folders = temporaryFolders();
let server: TestServer;
let forget: () => void;
let dir: string;
let elsewhere: string;
let transaction: string;

beforeAll(async () => {
  const folder = folders.make();
  server = await startTestServer(folder);
  dir = join(folder, 'work');
  elsewhere = join(folder, 'elsewhere');
  await server.client.workspaces.open({ dir, create: true });
  await run(['init', '--workspace', elsewhere]);
  for (const place of [dir, elsewhere]) {
    const workspace = openWorkspace(place, { create: false });
    addClicks(workspace, 'shared');
    await workspace.syncIndex();
    workspace.close();
  }
  transaction = join(folder, 'transaction.json');
  const goal = (text: string) => ({ kind: 'goal', id: 'goal', text });
  const changes = [{ op: 'change', before: goal('Crop the picture'), after: goal('Cut the edges') }];
  writeFileSync(transaction, JSON.stringify({ id: '00000000-0000-4000-8000-000000000001', label: 'Goal', changes }));
  vi.stubEnv('TRAJECTORY_STUDIO_HOME', server.studio.home.config);
  forget = noteRunning(server.studio.home, server);
});
afterAll(async () => {
  forget();
  vi.unstubAllEnvs();
  await server.close();
  folders.clean();
});

async function run(args: readonly string[], version?: string) {
  const { status, stdout: out, stderr: err } = await runHere(args, version);
  return { status, out, err };
}

/** How often the running studio was asked for a workspace during the work. */
async function asked(work: () => Promise<unknown>): Promise<number> {
  const get = vi.spyOn(server.studio.workspaces, 'get');
  try {
    await work();
    return get.mock.calls.length;
  } finally {
    get.mockRestore();
  }
}

/** Stands for a file with a transaction. */
const FILE = 'transaction.json';
/** Stands for a file that is not there yet. */
const OUT = 'out.tar';

const LINES: Readonly<Record<string, readonly string[][]>> = {
  'people, tasks and annotation': [
    ['people', 'add', 'Ada'],
    ['people', 'add', 'Ada'],
    ['people', 'add', ''],
    ['tasks', 'add', '--app', 'gimp', '--goal', 'Crop the picture', '--source', 'https://example.org'],
    ['tasks', 'add', '--app', 'none such', '--goal', 'Crop the picture'],
    ['tasks', 'update', 'GIMP_1', '--state', 'closed'],
    ['tasks'],
    ['tasks', 'show', 'GIMP_2'],
    ['tasks', 'remove', 'GIMP_1'],
    ['tasks', 'detach', 'none'],
    ['software', 'update', 'gimp', '--category', 'Pictures'],
    ['software', 'list'],
    ['annotate', 'get', 'sha'],
    ['annotate', 'get', 'none'],
    ['annotate', 'apply', 'shared', '--file', FILE, '--person', 'Ada'],
    ['annotate', 'undo', 'shared', '--person', 'Ada'],
    ['annotate', 'redo', 'shared', '--person', 'Ada'],
    ['annotate', 'history', 'shared', '--limit', '2'],
    ['annotate', 'history', 'shared', '--limit', '0'],
    ['annotate', 'proposals', 'shared', 'none'],
    ['propose', 'sha', '--person', 'Ada'],
    ['propose', 'none'],
    ['annotate', 'get', 'shared', '--document', 'shared~nobody'],
  ],
  review: [
    ['queue', '--person', 'Ada'],
    ['queue', '--person', 'Nobody'],
    ['review', 'policy', '--replicas', '1', '--check-share', '0.1'],
    ['review', 'policy', '--replicas', '0'],
    ['review', 'begin', 'sha', '--person', 'Ada', '--event', '00000000-0000-4000-8000-000000000002'],
    ['review', 'show', 'shared', '--person', 'Ada'],
    ['review', 'show', 'shared', '--person', 'Nobody'],
    ['review', 'submit', 'shared', '--person', 'Ada'],
    ['review', 'comment', 'shared', '--text', 'Which?', '--person', 'Ada'],
    ['review', 'decide', 'shared', '--item', 'step', '--verdict', 'accept', '--person', 'Ada'],
    ['review', 'settle', 'shared', '--difference', 'goal', '--side', 'Ada', '--person', 'Ada'],
    ['review', 'approve', 'shared', '--person', 'Ada'],
    ['review', 'history', 'shared', '--person', 'Ada'],
    ['review', 'compare', 'shared', '--person', 'Ada'],
    ['agreement'],
    ['agreement', '--software', 'GIMP', '--csv', 'people'],
    ['agreement', '--software', 'none such'],
  ],
  'the data set': [
    ['dataset', 'rows', '--steps', '1-', '--split', 'none'],
    ['dataset', 'tag', '--app', 'gimp', '--add', 'seen,twice', '--add', 'again'],
    ['dataset', 'rows', '--tag', 'again'],
    ['dataset', 'split', '--shares', 'train=1', '--dry-run'],
    ['dataset', 'split', '--into', 'train'],
    ['dataset', 'duplicates', '--screens', 'no'],
    ['dataset', 'freeze', '--name', 'v1', '--changelog', 'The first'],
    ['dataset', 'freeze', '--name', 'v1'],
    ['dataset', 'versions'],
    ['dataset', 'compare', 'v1', 'none'],
    ['dataset', 'compare', 'v1', 'v1'],
    ['dataset', 'stats'],
    ['dataset', 'stats', '--version', 'v1'],
    ['dataset', 'terms', '--licence', 'CC-BY-4.0', '--source', 'Tutorials | https://example.org'],
  ],
  'recordings and archives': [
    ['recordings', 'export', 'sha', '--out', OUT],
    ['recordings', 'export', 'none', '--out', OUT],
    ['archive', 'export', '--out', OUT],
    ['archive', 'export', '--out', OUT, '--recordings', 'sha'],
    ['archive', 'export', '--out', OUT, '--recordings', 'none'],
    ['archive', 'export', '--out', OUT, '--state', 'approved'],
    ['archive', 'export', '--out', OUT, '--version', 'v1'],
    ['archive', 'export', '--out', OUT, '--version', 'v1', '--state', 'approved'],
    ['archive', 'export', '--out', 'no-tar'],
    ['recordings', 'remove', 'sha'],
    ['recordings', 'restore', 'shared'],
  ],
};

test.each(Object.keys(LINES))(
  'commands of %s are asked of the running studio, and say the same as by themselves',
  async (room) => {
    const there = ['--workspace', dir];
    const here = ['--workspace', elsewhere];
    /** Without what is another in each workspace: ids, times, its folder. */
    const tidy = ({ status, ...said }: { status: number; out: string; err: string }) => {
      const same = (text: string) =>
        text
          .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'some')
          .replaceAll(/\b(?:elsewhere|work)(?=\/(?:recordings|trash))/g, 'folder')
          .replaceAll(/[^\s"]*\/out\.tar/g, OUT)
          // The folder that each command line named, in a command that is proposed.
          .replaceAll(`--workspace ${dir}`, '--workspace W')
          .replaceAll(`--workspace ${elsewhere}`, '--workspace W')
          // How often is a matter of time.
          .replaceAll(/^(?:hashing|writing|copying) \d+ %\n/gm, '');
      return { status, out: same(said.out), err: same(said.err) };
    };
    for (const one of LINES[room]!) {
      const fresh = (word: string) => (word === FILE ? transaction : word === OUT ? join(folders.make(), OUT) : word);
      for (const json of [[], ['--json']]) {
        let answer: Awaited<ReturnType<typeof run>> | null = null;
        const times = await asked(async () => {
          answer = await run([...one.map(fresh), ...there, ...json]);
        });
        // What cannot be meant is refused before anybody is asked.
        expect([one, times > 0]).toEqual([one, !one.includes('0')]);
        expect([one, tidy(answer!)]).toEqual([one, tidy(await run([...one.map(fresh), ...here, ...json]))]);
      }
    }
  },
);

test('pages are told at once of what a command changed', async () => {
  const { changes } = await server.studio.workspaces.get((await server.client.workspaces.recent())[0]!.id);
  const told: unknown[] = [];
  const publish = vi.spyOn(changes, 'publish').mockImplementation((value) => {
    told.push(value);
  });
  await run(['people', 'add', 'Cleo', '--workspace', dir]);
  publish.mockRestore();
  expect(told).toEqual([{ what: 'people' }]);
});

test('a studio that does not know the workspace, or is of another version, is not asked', async () => {
  expect(await asked(() => run(['people', 'list', '--workspace', elsewhere]))).toBe(0);
  expect(await asked(() => run(['people', 'list', '--workspace', dir], '9.9.9'))).toBe(0);
  expect((await server.client.workspaces.recent()).map((one) => one.dir)).not.toContain(elsewhere);
  expect(await run(['people', 'list', '--workspace', join(elsewhere, 'no')])).toMatchObject({ status: 5 });
});
