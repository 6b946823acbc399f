import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OutgoingRecording, SendingWishes } from '../../../schemas/api/team-server.ts';
import { checksOfTask } from '../../play/checks/checks-file.ts';
import { agreeTo, askedOf, needAgreed } from '../../play/consent.ts';
import { recipeOfTask } from '../../play/recipe.ts';
import { attach, detach, findAttachment, hashOfAttachment } from '../../store/attachments.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../../store/recording-for-tests.ts';
import { createTask, getTask, updateTask } from '../../store/task-rows.ts';
import { assignTask } from '../../store/to-record.ts';
import { type OpenWorkspace, openSession } from '../open-workspace.ts';
import { awayOf, beginPush, outgoing, sendByItself } from './by-itself.ts';
import { forgetServer, keepServer } from './server-file.ts';
import { fetchFiles, serverTaskList, takeTask } from './server-tasks.ts';
import { QUICK, type TeamWithWire, teamWithWire } from './team-for-tests.ts';

const folders = temporaryFolders();
let team: TeamWithWire;
let member: string;
let token: string;
beforeAll(async () => {
  team = await teamWithWire(folders.make());
  ({ token, id: member } = await team.token('recorder', ['see', 'record']));
});
afterAll(async () => {
  await team.close();
  folders.clean();
});

const signal = new AbortController().signal;
const server = () => ({ origin: team.origin, token });
let n = 0;
/** A task at the server, and its id. */
async function taskThere(goal: string, people: readonly string[] = [member]): Promise<string> {
  const wanted = { software: 'gimp', goal, platform: 'Debian', sourceUrl: '', notes: 'with care' };
  const { id } = await createTask(team.open.workspace, wanted);
  await assignTask(team.open.workspace.store, id, people);
  return id;
}

async function* pieces(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** A recipe whose one program opens this file. */
const recipe = (file: string): string =>
  JSON.stringify({
    schema: 'trajectory-studio/recipe',
    version: 1,
    screen: { width: 800, height: 600 },
    files: [{ to: 'note.txt', attachment: 'note.txt' }],
    programs: [{ command: 'pluma', args: [file], env: {} }],
  });
const CHECKS = JSON.stringify({
  schema: 'trajectory-studio/checks',
  version: 1,
  checks: [{ id: 'saved', kind: 'file', path: 'note.txt' }],
});

type Desk = {
  open: OpenWorkspace;
  config: string;
  wishes: SendingWishes;
  /** A recording of a task that ended just now. */
  record(task: string, bytes?: number): Promise<string>;
  rows(): Promise<OutgoingRecording[]>;
  stateOf(recording: string): Promise<OutgoingRecording>;
  /** The studio begins to look for what is finished. */
  begin(): void;
  restart(): Promise<void>;
  close(): Promise<void>;
};

/** A machine whose studio is open. */
async function desk(): Promise<Desk> {
  const folder = folders.make();
  const [dir, config] = [join(folder, 'mine'), join(folder, 'config')];
  keepServer(config, server());
  let open = await openSession(dir, { create: true, config });
  const wishes: SendingWishes = { on: true, free: false, voice: false };
  let looking: Promise<void> = Promise.resolve();
  const begin = (): void => {
    looking = sendByItself(open, { config, version: '0.1.0', wishes: () => wishes, lookMs: 40, patience: QUICK });
  };
  const close = async (): Promise<void> => {
    await open.close();
    await looking;
  };
  const rows = () => outgoing(open, team.origin);
  return {
    get open() {
      return open;
    },
    config,
    wishes,
    rows,
    begin,
    async record(task, bytes = 200_000) {
      const id = `20260504-102030-self${String(++n).padStart(4, '0')}`;
      const { goal } = await getTask(open.workspace.store, task);
      // Without pictures there is nothing to be prepared first.
      const sample = sampleRecording({ id, segments: [] });
      const made = { ...sample, task: { ...sample.task, id: task, goal } };
      const at = writeSample(open.workspace.recordingsDir, made, [
        { type: 'down', t: 1_100_000, x: 100, y: 200, button: 'left' },
        { type: 'up', t: 1_200_000, x: 100, y: 200, button: 'left' },
      ]);
      writeFileSync(join(at, 'screen.mkv'), Buffer.alloc(bytes, id));
      await open.workspace.indexRecording(at);
      return id;
    },
    async stateOf(recording) {
      const row = (await rows()).find((one) => one.recording === recording);
      if (!row) throw new Error(`${recording} is not among what goes out.`);
      return row;
    },
    async restart() {
      await close();
      open = await openSession(dir, { create: false, config });
      begin();
    },
    close,
  };
}

const taken = async ({ open }: Desk, task: string): Promise<void> => {
  await takeTask(open.workspace, server(), task, signal);
};
const there = (one: Desk, recording: string) =>
  expect.poll(async () => (await one.stateOf(recording)).state, { timeout: 30_000 }).toBe('there');
const atServer = async (id: string): Promise<string | undefined> =>
  (await team.open.workspace.listRecordings()).find((one) => one.id === id)?.task;

describe('tasks of the server', () => {
  test('theirs first, then those for anybody; none of others, and none that are closed', async () => {
    const { id: other } = await team.token('recorder', ['see']);
    const [free, mine, theirs, closed] = [
      await taskThere('for anybody', []),
      await taskThere('mine'),
      await taskThere('of another', [other]),
      await taskThere('closed'),
    ];
    await updateTask(team.open.workspace.store, closed, { state: 'closed' });
    const one = await desk();
    const { tasks, person, away } = await serverTaskList(one.open.workspace, server(), signal);
    const ids = tasks.map(({ id }) => id);
    expect([away, person?.email]).toEqual([null, expect.stringContaining('@lab.org')]);
    expect(ids.indexOf(mine)).toBeLessThan(ids.indexOf(free));
    expect(ids).not.toContain(theirs);
    expect(ids).not.toContain(closed);
    expect(tasks.find(({ id }) => id === mine)).toMatchObject({ mine: true, taken: false, notes: 'with care' });
    await expect(takeTask(one.open.workspace, server(), theirs, signal)).rejects.toMatchObject({
      code: 'UNKNOWN_TASK',
    });
    await one.close();
  });

  test('taken with id, words and files; again, with the words of now; another task of the id stays', async () => {
    const id = await taskThere('Crop it');
    const { workspace: there } = team.open;
    const file = { task: id, role: 'material' as const, name: 'cat.txt' };
    await attach(there, {
      ...file,
      body: (async function* () {
        yield Buffer.from('a cat');
      })(),
    });
    const one = await desk();
    const { workspace } = one.open;
    const first = await takeTask(workspace, server(), id, signal);
    const tools = { signal, report: () => undefined };
    expect(await fetchFiles(workspace, server(), first, tools)).toBe(1);
    expect(await getTask(workspace.store, id)).toMatchObject({
      goal: 'Crop it',
      platform: 'Debian',
      notes: 'with care',
      attachments: [{ name: 'cat.txt', bytes: 5 }],
    });
    await updateTask(there.store, id, { goal: 'Crop it well' });
    const again = await takeTask(workspace, server(), id, signal);
    expect([again.missing, (await getTask(workspace.store, id)).goal]).toEqual([[], 'Crop it well']);
    const two = await desk();
    const own = { id, software: 'gimp', goal: 'Quite another', platform: '', sourceUrl: '', notes: '' };
    await createTask(two.open.workspace, own);
    const refused = takeTask(two.open.workspace, server(), id, signal);
    await expect(refused).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('of its own') });
    expect((await getTask(two.open.workspace.store, id)).goal).toBe('Quite another');
    await Promise.all([one.close(), two.close()]);
  });

  const file = (task: string, role: 'material' | 'recipe' | 'checks', name: string, text: string) =>
    attach(team.open.workspace, { task, role, name, body: pieces(text) });
  const filesOf = async ({ open: { workspace } }: Desk, task: string) =>
    (await getTask(workspace.store, task)).attachments.map(({ role, name, bytes }) => `${role} ${name} ${bytes}`);
  const tools = { signal, report: () => undefined };

  test('the recipe and the checks come along, the newest alone, and are asked about before anything of them runs', async () => {
    const id = await taskThere('On the same stage');
    await file(id, 'material', 'note.txt', 'Dear Ana');
    await file(id, 'recipe', 'recipe.json', recipe('old'));
    await file(id, 'checks', 'checks.json', CHECKS);
    await file(id, 'recipe', 'recipe.json', recipe('note.txt'));
    const one = await desk();
    const { workspace } = one.open;
    const asker = { config: one.config, person: null, isLocal: true };
    const take = async (): Promise<number> =>
      fetchFiles(workspace, server(), await takeTask(workspace, server(), id, signal), tools);
    expect(await take()).toBe(3);
    const recipeNow = await recipeOfTask(workspace, id);
    expect(recipeNow?.programs[0]?.args).toEqual(['note.txt']);
    expect((await checksOfTask(workspace, id))?.checks).toHaveLength(1);
    const asked = await askedOf(workspace, id, asker);
    expect(asked.map(({ kind }) => kind)).toEqual(['recipe', 'checks']);
    await expect(needAgreed(workspace, id, asker)).rejects.toMatchObject({ code: 'NOT_AGREED' });
    await agreeTo(
      workspace,
      id,
      asker,
      asked.map(({ hash }) => hash),
    );
    // Taken again, nothing new: agreed to as before.
    expect([await take(), await askedOf(workspace, id, asker)]).toEqual([0, []]);

    // Another file under the same name is another recipe.
    await file(id, 'material', 'note.txt', 'Dear Ben');
    expect(await take()).toBe(1);
    expect((await askedOf(workspace, id, asker)).map(({ kind }) => kind)).toEqual(['recipe']);
    // One of this machine's own stays, but the server's counts.
    await attach(workspace, { task: id, role: 'recipe', name: 'recipe.json', body: pieces(recipe('mine')) });
    expect(await take()).toBe(1);
    expect((await recipeOfTask(workspace, id))?.programs[0]?.args).toEqual(['note.txt']);
    expect((await filesOf(one, id)).filter((line) => line.startsWith('recipe'))).toHaveLength(2);
    await one.close();
  });

  test('what the server took away goes here too, and nothing that was added here', async () => {
    const id = await taskThere('Less of it');
    const gone = await file(id, 'material', 'gone.txt', 'gone');
    const checks = await file(id, 'checks', 'checks.json', CHECKS);
    const one = await desk();
    const { workspace } = one.open;
    await fetchFiles(workspace, server(), await takeTask(workspace, server(), id, signal), tools);
    await attach(workspace, { task: id, role: 'material', name: 'own.txt', body: pieces('own') });
    for (const each of [gone, checks]) await detach(team.open.workspace, each.id);
    expect((await takeTask(workspace, server(), id, signal)).missing).toEqual([]);
    expect(await filesOf(one, id)).toEqual(['material own.txt 3']);
    await one.close();
  });

  test('a file that is not what the server says it is, is not kept', async () => {
    const id = await taskThere('Another file');
    const { id: attachment } = await file(id, 'recipe', 'recipe.json', recipe('right'));
    // Its hash is told before the file comes: what is changed on its way is another.
    await hashOfAttachment(team.open.workspace, attachment);
    const { path } = await findAttachment(team.open.workspace, attachment);
    writeFileSync(path, recipe('wrong'));
    const one = await desk();
    const { workspace } = one.open;
    const first = await takeTask(workspace, server(), id, signal);
    await expect(fetchFiles(workspace, server(), first, tools)).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('otherwise'),
    });
    expect(await filesOf(one, id)).toEqual([]);
    await one.close();
  });

  test('while the server is away: those that were taken, and why', async () => {
    const [id, untaken] = [await taskThere('taken before'), await taskThere('not taken')];
    const one = await desk();
    await taken(one, id);
    team.wire.refuse(true);
    const { away, tasks, person } = await serverTaskList(one.open.workspace, server(), signal);
    team.wire.refuse(false);
    expect([away?.code, person]).toEqual(['UNREACHABLE', null]);
    const ids = tasks.map((task) => task.id);
    expect([ids.includes(id), ids.includes(untaken)]).toEqual([true, false]);
    await one.close();
  });
});

describe('a recording travels by itself', () => {
  test('once it is finished, under its task; the copy stays, and the server is said to have it', async () => {
    const task = await taskThere('Send me');
    const one = await desk();
    await taken(one, task);
    one.begin();
    const id = await one.record(task);
    await there(one, id);
    expect(await atServer(id)).toBe(task);
    const { here, confirmedAt } = await one.stateOf(id);
    expect([here, confirmedAt]).toEqual([true, expect.any(String)]);
    const jobs = (await one.open.jobs.list()).filter(({ kind }) => kind === 'push');
    expect(jobs).toMatchObject([
      { state: 'done', message: expect.stringMatching(/has it and confirmed \d+ files by hash; the copy here stays/) },
    ]);
    await one.close();
  });

  test('recordings of other tasks stay here; so do all while it is switched off', async () => {
    const task = await taskThere('Only mine');
    const one = await desk();
    await taken(one, task);
    const own = await createTask(one.open.workspace, {
      software: 'gimp',
      goal: 'private',
      platform: '',
      sourceUrl: '',
      notes: '',
      id: 'GIMP_900',
    });
    one.wishes.on = false;
    one.begin();
    const [mine, theirs] = [await one.record(own.id), await one.record(task)];
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await one.stateOf(theirs)).state).toBe('waiting');
    one.wishes.on = true;
    await there(one, theirs);
    expect(await atServer(mine)).toBeUndefined();
    expect((await one.rows()).map(({ recording }) => recording)).not.toContain(mine);
    await one.close();
  });

  test('through cuts, a server that is away and a restart of the studio, each byte but a piece once', async () => {
    const task = await taskThere('Through all');
    const one = await desk();
    await taken(one, task);
    const id = await one.record(task, 30_000_000);
    team.wire.cutAfter(() => 5_000_000, 3);
    const before = team.wire.bytes();
    one.begin();
    await expect.poll(async () => (await one.stateOf(id)).state, { timeout: 20_000 }).toBe('sending');
    await expect.poll(() => team.wire.bytes() - before, { timeout: 20_000 }).toBeGreaterThan(6_000_000);
    // The studio ends in the middle.
    await one.restart();
    team.wire.refuse(true);
    await expect.poll(() => awayOf(one.open)?.code, { timeout: 20_000 }).toBe('UNREACHABLE');
    expect((await one.stateOf(id)).state).not.toBe('there');
    team.wire.refuse(false);
    await there(one, id);
    team.wire.cutAfter(() => Number.POSITIVE_INFINITY, 0);
    // At most one piece of 8 MB for each of three cuts, the restart and the time away.
    expect(team.wire.bytes() - before).toBeLessThan(30_000_000 + 5 * 8.5e6);
    expect(await atServer(id)).toBe(task);
    await one.close();
  });

  test('stopped by a person it stays stopped, also after a restart, and goes on when it is sent again', async () => {
    const task = await taskThere('Stop me');
    const one = await desk();
    await taken(one, task);
    const id = await one.record(task, 40_000_000);
    one.begin();
    await expect.poll(async () => (await one.stateOf(id)).state, { timeout: 20_000, interval: 5 }).toBe('sending');
    const { job } = await one.stateOf(id);
    await one.open.jobs.cancel(job!);
    await expect.poll(async () => (await one.stateOf(id)).state, { timeout: 20_000 }).toBe('held');
    await one.restart();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await one.stateOf(id)).toMatchObject({ state: 'held', error: { code: 'CANCELLED' } });
    await beginPush(one.open, server(), id, { version: '0.1.0', wishes: () => one.wishes, patience: QUICK });
    await there(one, id);
    expect(await atServer(id)).toBe(task);
    await one.close();
  });

  test('refused for good it is said once, and not tried again', async () => {
    const task = await taskThere('Twice');
    const [one, two] = [await desk(), await desk()];
    await taken(one, task);
    await taken(two, task);
    one.begin();
    const id = await one.record(task);
    await there(one, id);
    n--;
    const same = await two.record(task, 100_000);
    expect(same).toBe(id);
    two.begin();
    await expect.poll(async () => (await two.stateOf(id)).state, { timeout: 20_000 }).toBe('held');
    expect((await two.stateOf(id)).error?.code).toBe('CONFLICT');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await two.open.jobs.list()).filter(({ kind }) => kind === 'push')).toHaveLength(1);
    expect(existsSync(join(two.open.workspace.recordingsDir, id))).toBe(true);
    await Promise.all([one.close(), two.close()]);
  });

  test('a token that ended holds all up and makes no job; a new one goes on', async () => {
    const task = await taskThere('New token');
    const one = await desk();
    await taken(one, task);
    keepServer(one.config, { origin: team.origin, token: `tst_${'b'.repeat(43)}` });
    one.begin();
    const id = await one.record(task);
    await expect.poll(() => awayOf(one.open)?.code, { timeout: 20_000 }).toBe('SIGNED_OUT');
    expect((await one.open.jobs.list()).filter(({ kind }) => kind === 'push')).toEqual([]);
    keepServer(one.config, server());
    await there(one, id);
    // Forgotten, nothing is looked for any more.
    forgetServer(one.config);
    await one.close();
  });

  test('the copy here goes by the setting alone, and never what was said, which was not sent', async () => {
    const task = await taskThere('Free me');
    const one = await desk();
    await taken(one, task);
    one.wishes.free = true;
    const [silent, spoken] = [await one.record(task), await one.record(task)];
    writeFileSync(join(one.open.workspace.recordingsDir, spoken, 'voice.wav'), 'said');
    one.begin();
    await there(one, silent);
    await there(one, spoken);
    expect(readdirSync(one.open.workspace.recordingsDir)).toEqual([spoken]);
    expect([(await one.stateOf(silent)).here, (await one.stateOf(spoken)).here]).toEqual([false, true]);
    await one.close();
  });
});
