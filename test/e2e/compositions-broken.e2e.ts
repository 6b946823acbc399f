import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { type Composition, compositionSchema } from '../../schemas/composition.ts';
import { type CompositionRun, compositionRunSchema } from '../../schemas/composition-run.ts';
import {
  type ModelAsked,
  type ModelServer,
  type ScriptedAnswer,
  startModelServer,
} from '../../studio/models/model-server-for-tests.ts';
import { smallDisk } from '../../studio/store/small-disk-for-tests.ts';
import { recipeOf, SCREEN } from '../demo/day/parts.ts';
import { importInto } from '../demo/day/run-day.ts';
import { CLI, newWorkspace, type Said, studio, studioMust } from '../support/cli.ts';
import { until } from '../support/until.ts';

/** What may go wrong while a composition runs on a real stage: it is said, kept as far as it came, and gone on with. */

const workspace = newWorkspace();
let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});
afterAll(() => workspace.remove());

let made = 1;
type More = { services?: object[]; programs?: object[]; events?: object[] };
/** Three questions, the answers of which are their names. */
function three(id: string, { services = [], programs = [], events = [] }: More = {}): Composition {
  const names = ['one', 'two', 'three'];
  // Ids of their own: one that stands for another task here would become another one.
  const first = made;
  made += names.length;
  return compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 2,
    id,
    kind: 'scenario',
    title: id,
    context: { begins: '2031-03-02' },
    members: names.map((name, n) => ({
      id: name,
      task: `ODD_${first + n}`,
      window: { from: `0${n + 7}:00`, to: '18:00' },
      instructions: { base: `Say the word ${name}.` },
      outputs: [{ name: 'word', value: name }],
    })),
    events,
    tasks: names.map((name, n) => ({
      id: `ODD_${first + n}`,
      software: 'Words',
      goal: `Say the word ${name} in ${id}.`,
      answer: name,
      recipe: recipeOf({ programs: n === 0 ? programs : [], services }),
      checks: null,
    })),
  });
}

const wordIn = ({ texts }: ModelAsked): string => /Say the word (\w+)\./.exec(texts.join('\n'))?.[1] ?? '';
const saysIt = (asked: ModelAsked): ScriptedAnswer => ({ kind: 'answer', text: `DONE: ${wordIn(asked)}` });

async function line(id: string, answer = saysIt, dir = workspace.path, ...more: string[]): Promise<string[]> {
  await server?.close();
  server = await startModelServer(answer, SCREEN);
  const model = ['--agent', 'direct', '--endpoint', server.url, '--model', 'scripted'];
  return ['run', '--composition', id, ...model, '--yes', '--json', ...more, '--workspace', dir];
}
async function ran(id: string, ...rest: Parameters<typeof line> extends [string, ...infer R] ? R : never) {
  const done: Said = await studio(await line(id, ...rest));
  return { done, run: done.json === null ? null : compositionRunSchema.safeParse(done.json).data };
}
const came = (run: CompositionRun | null | undefined) =>
  run?.results.map(({ member, outcome }) => `${member} ${outcome}`);
const ALL = ['one passed', 'two passed', 'three passed'];
/** Which words a model was asked for, each once. */
const asked = () => [...new Set(server?.asked.map(wordIn))];
const runsOf = async (id: string, dir = workspace.path): Promise<CompositionRun[]> => {
  const { json } = await studioMust(['compositions', 'runs', '--of', id, '--json', '--workspace', dir]);
  return compositionRunSchema.array().parse((json as { runs: unknown }).runs);
};

const LISTEN =
  'use IO::Socket::INET; my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 4555, Listen => 5, ReuseAddr => 1) or die "no port"; sleep 1 while 1';
const listener = (more: object = {}) => ({
  name: 'words',
  command: 'sh',
  args: ['-c', `echo $$ >pid; exec perl -e '${LISTEN}'`],
  port: 4555,
  changes: [{ name: 'end', command: 'sh', args: ['-c', 'kill $(cat pid)'] }],
  ...more,
});

it('a service that does not start is said with what it printed, and no run is kept; one that ends is gone on without it', async () => {
  const dies = listener({ command: 'sh', args: ['-c', 'echo words.db is missing >&2; exit 2'] });
  await importInto(workspace.path, three('no-service', { services: [dies] }));
  const { done } = await ran('no-service');
  expect(done.error).toMatchObject({
    code: 'CAPTURE_FAILED',
    message: expect.stringMatching(/service “words” .* ended \(status 2\)\. It printed: “words\.db is missing”/),
  });
  expect(await runsOf('no-service')).toEqual([]);
  const events = [{ id: 'end', at: { after: 'one' }, happens: [{ kind: 'service', service: 'words', change: 'end' }] }];
  await importInto(workspace.path, three('service-ends', { services: [listener()], events }));
  const { run } = await ran('service-ends');
  expect(came(run)).toEqual(['one passed']);
  expect(run?.ended).toMatchObject({ how: 'broke', why: expect.stringMatching(/service “words” .* ended/) });
  // The event that ended it happened; on the new stage the service runs again.
  const { run: second } = await ran('service-ends', saysIt, workspace.path, '--resume', run?.id ?? '');
  expect([came(second), second?.ended?.how, asked()]).toEqual([ALL, 'done', ['two', 'three']]);
});

it('a clock that a program does not bear, a task that hangs, an event for a window that is gone: said, and the run goes on', async () => {
  const events = [
    { id: 'alarm', at: { from: '08:30' }, happens: [{ kind: 'window', title: 'No such window' }] },
    { id: 'paper', at: { from: '08:40' }, happens: [{ kind: 'file', to: 'paper.txt', text: 'x' }] },
  ];
  const programs = [{ command: 'chromium', args: ['--version'] }];
  await importInto(workspace.path, three('odd-day', { programs, events }));
  const hangs = (one: ModelAsked): ScriptedAnswer => (wordIn(one) === 'two' ? { kind: 'silence' } : saysIt(one));
  const { done, run } = await ran('odd-day', hangs, workspace.path, '--time', '6s');
  expect(done.stderr).toMatch(/note: chromium: not with the stage’s time but the machine’s, which it does not bear/);
  expect(done.stderr).toMatch(/warning: 08:30 event alarm \(window\) did not happen: No window with “No such window”/);
  expect(came(run)).toEqual(['one passed', 'two failed', 'three passed']);
  expect(run?.results[1]?.why).toMatch(/the limit of 6 s was reached/);
  expect(run?.ended).toEqual({ how: 'done', why: '' });
  expect(run?.events?.map(({ id, at, failed }) => [id, at?.slice(0, 16), failed === null])).toEqual([
    ['alarm', '2031-03-02T08:30', false],
    ['paper', '2031-03-02T08:40', true],
  ]);
  expect(run?.results[0]?.clock?.from.slice(0, 16)).toBe('2031-03-02T07:00');
});

it('killed in the middle it is kept up to there, and gone on with at the task that it was at, or an earlier one; a run of a newer version is refused', async () => {
  await importInto(workspace.path, three('killed'));
  const hangs = (one: ModelAsked): ScriptedAnswer => (wordIn(one) === 'two' ? { kind: 'silence' } : saysIt(one));
  const child = spawn(process.execPath, [CLI, ...(await line('killed', hangs))], { stdio: 'ignore' });
  await until('the second task is asked for', () => asked().includes('two'), { timeoutMs: 120_000 });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const [kept] = await runsOf('killed');
  expect([came(kept), kept?.begun, kept?.ended]).toEqual([['one passed'], 'two', null]);
  // The run knows the recording up to then, and does not take it for a result.
  expect(kept?.half).toEqual({ member: 'two', recording: expect.stringMatching(/^\d{8}-/) });
  const table = await studioMust(['compositions', 'runs', kept?.id ?? '', '--workspace', workspace.path]);
  expect(table.stdout).toMatch(new RegExp(`two +broken off +${kept?.half?.recording}`));
  const { run } = await ran('killed', saysIt, workspace.path, '--resume', kept?.id ?? '');
  expect([came(run), asked()]).toEqual([ALL, ['two', 'three']]);
  expect(run?.results[0]).toEqual(kept?.results[0]);
  expect([run?.half, run?.results[1]?.recording === kept?.half?.recording]).toEqual([undefined, false]);
  // The work that a task leaves for beside the next one is done, also of the one that was killed and of the last.
  const left = run?.results.map(({ recording, copy }) => {
    const cut = path.join(workspace.path, 'recordings', recording ?? '', 'keyframes', 'index.json');
    return [copy !== null, fs.existsSync(cut)];
  });
  expect(left).toEqual(ALL.map(() => [true, true]));
  const { run: last } = await ran('killed', saysIt, workspace.path, '--from', '3');
  expect([came(last), asked()]).toEqual([ALL, ['three']]);
  // A file of a newer version is said to be one, and left as it is.
  const file = path.join(workspace.path, 'composition-runs', `${last?.id}.json`);
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, text.replace(/"version": \d+/, '"version": 99'));
  const { done } = await ran('killed', saysIt, workspace.path, '--resume', last?.id ?? '');
  expect(done.error).toMatchObject({ code: 'FUTURE_VERSION', message: expect.stringMatching(/newer version/) });
});

it('a disk that fills ends it: kept up to there, and gone on with when there is room', async (context) => {
  const parent = fs.mkdtempSync(path.join(path.dirname(workspace.path), 'small-'));
  const disk = smallDisk(path.join(parent, 'disk'), 400 << 20);
  if (!disk) return context.skip('needs root to mount a small disk');
  try {
    const dir = path.join(parent, 'disk', 'workspace');
    await importInto(dir, three('full'));
    const fills = (one: ModelAsked): ScriptedAnswer => {
      if (wordIn(one) === 'two') disk.fill();
      return saysIt(one);
    };
    const { done, run } = await ran('full', fills, dir);
    expect(done.status).not.toBe(0);
    expect(run?.ended?.how ?? 'said').toMatch(/broke|said/);
    expect(`${run?.ended?.why ?? ''}${done.error?.message ?? ''}`).toMatch(/disk|space|full/i);
    disk.free();
    const [kept] = await runsOf('full', dir);
    expect(came(kept)?.[0]).toBe('one passed');
    const { run: second } = await ran('full', saysIt, dir, '--resume', kept?.id ?? '');
    expect([came(second), second?.ended?.how]).toEqual([ALL, 'done']);
    expect(asked()).not.toContain('one');
  } finally {
    disk.remove();
  }
});
