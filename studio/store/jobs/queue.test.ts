import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Job } from '../../../schemas/api/models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { describeHolder } from '../../files/process-id.ts';
import { freshWorkspaces } from '../fresh-for-tests.ts';
import { forgetOldJobs } from '../jobs.ts';
import { sqlOf } from '../store.ts';
import type { Workspace } from '../workspace.ts';
import { callMarks } from './call-marks.ts';
import { type Jobs, openJobs } from './queue.ts';

let workspace: Workspace;
let jobs: Jobs;
const folders = freshWorkspaces((made) => {
  workspace = made;
});
beforeEach(async () => {
  jobs = await openJobs(workspace);
});
afterEach(async () => {
  await jobs.close();
});

/** Work that goes on until it is told to stop. */
const endless = ({ signal }: { signal: AbortSignal }): Promise<string> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('long work', () => {
  test('is done in the order it came, one at a time, and its end is kept', async () => {
    const order: string[] = [];
    const step = (name: string) => async (): Promise<string> => {
      order.push(`${name} begins`);
      await new Promise((done) => setTimeout(done, 5));
      order.push(`${name} ends`);
      return `${name} is done`;
    };
    const first = await jobs.add('import', 'a', step('a'));
    const second = await jobs.add('arrival', 'b', step('b'));
    expect(first).toMatchObject({ state: 'waiting', progress: 0 });
    expect(await jobs.finished(second.id)).toMatchObject({
      state: 'done',
      progress: 1,
      message: 'b is done',
      error: null,
    });
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    expect((await jobs.list()).map(({ subject, state }) => [subject, state]).toSorted()).toEqual([
      ['a', 'done'],
      ['b', 'done'],
    ]);
  });

  test('in a data set or by a model keeps no recording that comes in waiting, nor its pictures', async () => {
    const search = await jobs.add('duplicates', 'data set', endless);
    const model = await jobs.add('judge', 'run', endless);
    const later = await jobs.add('freeze', 'v1', async () => 'frozen');
    const kinds = ['import', 'arrival', 'prepare', 'playback', 'count'];
    const others = await Promise.all(kinds.map((kind) => jobs.add(kind, 'a', async () => kind)));
    const ended = await Promise.all(others.map(({ id }) => jobs.finished(id)));
    expect(ended.map(({ message }) => message)).toEqual(kinds);
    expect((await jobs.list()).find(({ id }) => id === later.id)?.state).toBe('waiting');
    for (const { id } of [search, model]) await jobs.cancel(id);
    expect(await jobs.finished(later.id)).toMatchObject({ state: 'done', message: 'frozen' });
  });

  test('recordings come in while the film of another is made, which may take hours', async () => {
    const film = await jobs.add('prepare', 'a', endless);
    const { id } = await jobs.add('import', 'b', async () => 'imported');
    expect(await jobs.finished(id)).toMatchObject({ message: 'imported' });
    await jobs.cancel(film.id);
  });

  test('of a member who begins many waits for one of each other member, and has a bound, also of those begun at once', async () => {
    const order: string[] = [];
    const by = (person: string) => ({ name: 'exports.start', input: {}, person, most: 5 });
    const hold = await jobs.add('export', 'hold', endless);
    const begin = (person: string, n: number) =>
      jobs.add('export', person + n, async () => String(order.push(person + n)), by(person));
    const many = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => begin('a', n)));
    expect(many.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))).toEqual([
      'TOO_MANY_TRIES',
      'TOO_MANY_TRIES',
      'TOO_MANY_TRIES',
    ]);
    const other = await begin('b', 0);
    await jobs.cancel(hold.id);
    await jobs.finished(other.id);
    expect(order).toEqual(['a0', 'b0']);
    await Promise.all(many.flatMap((one) => (one.status === 'fulfilled' ? [jobs.finished(one.value.id)] : [])));
    expect(order).toEqual(['a0', 'b0', 'a1', 'a2', 'a3', 'a4']);
    // Those that are over count no more.
    await jobs.finished((await begin('a', 9)).id);
  });

  test('a failure keeps its details; what was stopped or done has none', async () => {
    const problems = [{ file: 'p.jsonl', line: 3, message: 'it is no JSON' }];
    const failed = await jobs.add('score', 'a', () =>
      Promise.reject(new StudioError('BAD_FILE', 'Bad.', { problems })),
    );
    const well = await jobs.add('score', 'b', () => Promise.resolve('done'));
    const stopped = await jobs.add('score', 'c', endless);
    await jobs.finished(well.id);
    await jobs.cancel(stopped.id);
    await jobs.finished(stopped.id);
    expect(await jobs.failure(failed.id)).toEqual({ code: 'BAD_FILE', message: 'Bad.', details: { problems } });
    const others = [well.id, stopped.id, 'unknown'].map((id) => jobs.failure(id));
    expect(await Promise.all(others)).toEqual([null, null, null]);
  });

  test('what finished work gave in full is kept for who asks, and is not in the list', async () => {
    const made = await jobs.add('archive', 'a', async () => ({ message: 'Wrote it', result: { files: 3 } }));
    const silent = await jobs.add('archive', 'b', async () => 'done');
    expect(await jobs.finished(made.id)).toMatchObject({ state: 'done', message: 'Wrote it' });
    await jobs.finished(silent.id);
    const results = [made.id, silent.id, 'unknown'].map((id) => jobs.result(id));
    expect(await Promise.all(results)).toEqual([{ files: 3 }, null, null]);
    expect(JSON.stringify(await jobs.list())).not.toContain('files');
  });

  test('of many that are over the newest are held, the older ones are in the database', async () => {
    const few = await openJobs(workspace, undefined, undefined, 3);
    const made: string[] = [];
    for (let n = 0; n < 6; n++) {
      const { id } = await few.add('import', `job ${n}`, async () => ({ message: 'Read it', result: { n } }));
      made.push(id);
      await few.finished(id);
    }
    // A job that is held can be waited for once more.
    const isHeld = (id: string): Promise<boolean> =>
      Promise.resolve()
        .then(() => few.finished(id))
        .then(
          () => true,
          () => false,
        );
    await expect.poll(() => Promise.all(made.map(isHeld))).toEqual([false, false, false, true, true, true]);
    for (const [n, id] of made.entries())
      expect(await few.get(id)).toMatchObject({ job: { state: 'done', message: 'Read it' }, result: { n } });
    await few.close();
  });

  test('tells each of its steps to who watches', async () => {
    const seen: Job[] = [];
    const watching = (async () => {
      for await (const job of jobs.watch()) seen.push(job);
    })();
    const { id } = await jobs.add('import', 'a', async ({ report }) => {
      report(0.5, 'half');
      return 'whole';
    });
    await jobs.finished(id);
    await jobs.close();
    await watching;
    expect(seen.map(({ state, progress, message }) => [state, progress, message])).toEqual([
      ['waiting', 0, null],
      ['running', 0, null],
      ['running', 0.5, 'half'],
      ['done', 1, 'whole'],
    ]);
  });

  test('tells its progress also when the clock was set back', async () => {
    const seen: number[] = [];
    const watching = (async () => {
      for await (const { progress } of jobs.watch()) seen.push(progress);
    })();
    const wall = vi.spyOn(Date, 'now');
    const { id } = await jobs.add('import', 'a', async ({ report }) => {
      report(0.2, 'a');
      wall.mockReturnValue(1_000_000);
      await new Promise((done) => setTimeout(done, 250));
      report(0.6, 'b');
      return null;
    });
    await jobs.finished(id);
    wall.mockRestore();
    await jobs.close();
    await watching;
    expect(seen).toEqual([0, 0, 0.2, 0.6, 1]);
  });

  test('that fails says why, and the next one is done all the same', async () => {
    const bad = await jobs.add('import', 'a', () => Promise.reject(new StudioError('BAD_FILE', 'events.jsonl line 3')));
    const good = await jobs.add('import', 'b', async () => null);
    expect(await jobs.finished(bad.id)).toMatchObject({
      state: 'failed',
      error: { code: 'BAD_FILE', message: 'events.jsonl line 3' },
    });
    expect((await jobs.finished(good.id)).state).toBe('done');
  });

  test('is stopped while it runs, and while it waits', async () => {
    const running = await jobs.add('import', 'a', endless);
    let began = false;
    const waiting = await jobs.add('import', 'b', async () => {
      began = true;
      return null;
    });
    await jobs.cancel(waiting.id);
    await expect.poll(async () => (await jobs.list()).some(({ state }) => state === 'running')).toBe(true);
    await jobs.cancel(running.id);
    expect((await jobs.finished(running.id)).state).toBe('cancelled');
    expect((await jobs.finished(waiting.id)).state).toBe('cancelled');
    expect(began).toBe(false);
    await expect(jobs.cancel(running.id)).rejects.toMatchObject({ code: 'USAGE' });
    await expect(jobs.cancel('nope')).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('of a program that is gone has failed as interrupted; that of one that runs is left alone', async () => {
    const row = (id: string, pid: number) => ({
      id,
      kind: 'import',
      subject: id,
      state: 'running' as const,
      message: null,
      error: null,
      created_at: '2026-05-04T10:20:30.456Z',
      started_at: null,
      finished_at: null,
      owner: JSON.stringify(describeHolder('token', pid)),
    });
    // No process has this number: it is above the highest that Linux gives.
    await sqlOf(workspace.store)
      .insertInto('jobs')
      .values([
        row('gone', 2 ** 30),
        row('gone with it', 2 ** 30),
        { ...row('not begun', 2 ** 30), state: 'waiting', started_at: null },
        row('alive', process.pid),
        { ...row('of nobody', 0), owner: null },
      ])
      .execute();
    const again = await openJobs(workspace);
    const byId = new Map((await again.list()).map((job) => [job.id, job]));
    for (const [id, when] of [
      ['gone', 'while it worked on this'],
      ['gone with it', 'while it worked on this'],
      ['not begun', 'before it began this'],
      ['of nobody', 'while it worked on this'],
    ] as const) {
      expect(byId.get(id)).toMatchObject({ state: 'failed', error: { code: 'INTERRUPTED' } });
      expect(byId.get(id)?.error?.message).toContain(when);
    }
    expect(byId.get('alive')).toMatchObject({ state: 'running', error: null });
    await again.close();
  });

  test('is stopped when the workspace is closed', async () => {
    const { id } = await jobs.add('import', 'a', endless);
    const over = jobs.finished(id);
    await jobs.close();
    expect((await over).state).toBe('cancelled');
    await expect(jobs.add('import', 'b', async () => null)).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  test('is known after the studio has ended: who asked, when, what came of it, and why it failed', async () => {
    const asked = { name: 'exports.start', input: { out: '/exports/a' }, person: 'Ada' };
    const work = async () => ({ message: 'Wrote it', recordings: ['rec-a'], result: { bytes: 7 } });
    const well = await jobs.add('export', 'a', work, asked);
    const problems = [{ line: 3, message: 'it is no JSON' }];
    const bad = await jobs.add('score', 'b', async () => {
      throw new StudioError('BAD_FILE', 'Bad.', { problems });
    });
    await Promise.all([well, bad].map(({ id }) => jobs.finished(id)));
    await jobs.close();
    jobs = await openJobs(workspace);
    const { job, result } = await jobs.get(well.id.slice(0, 8));
    expect(job).toMatchObject({ id: well.id, person: 'Ada', recordings: ['rec-a'], message: 'Wrote it' });
    expect(job.startedAt! <= job.finishedAt!).toBe(true);
    expect([result, await jobs.result(well.id)]).toEqual([{ bytes: 7 }, { bytes: 7 }]);
    expect(await jobs.failure(bad.id)).toEqual({ code: 'BAD_FILE', message: 'Bad.', details: { problems } });
    await expect(jobs.get('nope')).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('of another process hears that it is to stop', async () => {
    const there = await jobs.add('import', 'a', endless);
    const here = await openJobs(workspace);
    // Over there it is at work: this process is its owner.
    expect((await here.list()).map(({ state }) => state)).not.toContain('failed');
    await here.cancel(there.id);
    expect((await jobs.finished(there.id)).state).toBe('cancelled');
    await expect(here.cancel(there.id)).rejects.toMatchObject({ code: 'USAGE' });
    await here.close();
  });

  test('of a member counts with what other processes have of theirs; that of a process that was killed does not', async () => {
    const there = await openJobs(workspace);
    const by = (person: string) => ({ name: 'exports.start', input: {}, person, most: 5 });
    const begin = (at: Jobs, person: string) => at.add('export', person, endless, by(person));
    const many = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => begin(n % 2 === 0 ? jobs : there, 'a')));
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await begin(there, 'b');
    const killed = JSON.stringify(describeHolder('token', 2 ** 30));
    const one = many.find((each) => each.status === 'fulfilled')!.value.id;
    await sqlOf(workspace.store).updateTable('jobs').set({ owner: killed }).where('id', '=', one).execute();
    await begin(there, 'a');
    await expect(begin(there, 'a')).rejects.toMatchObject({ code: 'TOO_MANY_TRIES' });
    await there.close();
  });

  test('of a process that ends later is told as cut by the next look', async () => {
    const holder = describeHolder('token', 2 ** 30);
    const { id } = await jobs.add('import', 'a', async () => 'done');
    await jobs.finished(id);
    const again = await openJobs(workspace);
    const set = { state: 'running' as const, owner: JSON.stringify(holder) };
    await sqlOf(workspace.store).updateTable('jobs').set(set).where('id', '=', id).execute();
    expect((await again.list())[0]).toMatchObject({ state: 'failed', error: { code: 'INTERRUPTED' } });
    await again.close();
  });

  test('longer than can be kept is done all the same, and not offered again', async () => {
    const asked = { name: 'exports.start', input: { filter: 'x'.repeat(300_000) } };
    const long = async () => ({ message: 'Wrote it', result: { files: 'x'.repeat(300_000) } });
    const { id } = await jobs.add('export', 'a', long, asked);
    expect((await jobs.finished(id)).state).toBe('done');
    await jobs.close();
    jobs = await openJobs(workspace);
    expect(await jobs.get(id)).toMatchObject({ job: { message: 'Wrote it' }, call: null, result: null });
  });

  test('that is over is kept up to a number, what runs always', async () => {
    for (let n = 0; n < 5; n++) {
      const { id } = await jobs.add('import', `${n}`, async () => null);
      await jobs.finished(id);
      const created_at = `2026-05-0${n + 1}T10:20:30.456Z`;
      await sqlOf(workspace.store).updateTable('jobs').set({ created_at }).where('id', '=', id).execute();
    }
    const running = await jobs.add('import', 'runs', endless);
    await forgetOldJobs(workspace.store, 3);
    expect((await jobs.list()).map(({ subject }) => subject)).toEqual(['runs', '4', '3']);
    await forgetOldJobs(workspace.store, 0);
    expect((await jobs.list()).map(({ id }) => id)).toEqual([running.id]);
  });
});

describe('work that is begun again', () => {
  const asked = { name: 'exports.start', input: { out: '/exports/a', wishes: { all: true } } };
  const bad = () => Promise.reject(new StudioError('BAD_FILE', 'Bad.'));
  let config: string;
  beforeEach(async () => {
    config = folders.make();
    jobs = await openJobs(workspace, callMarks(config));
  });

  /** Begins a job and waits until it has failed. */
  async function failed(): Promise<string> {
    const { id } = await jobs.add('export', 'a', bad, asked);
    await jobs.finished(id);
    return id;
  }
  const beginning = vi.fn(async () => jobs.add('export', 'a', async () => 'Wrote it', asked));
  const offered = async (): Promise<boolean[]> => (await jobs.list()).map(({ again = false }) => again);

  test('is begun by the call and what it was given, once', async () => {
    const id = await failed();
    expect(await offered()).toEqual([true]);
    beginning.mockClear();
    const both = await Promise.allSettled([jobs.again(id, beginning), jobs.again(id, beginning)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(beginning.mock.calls).toMatchObject([[asked]]);
    expect(await offered()).toEqual([false, false]);
  });

  test('stays offered where it could not be begun', async () => {
    const id = await failed();
    await expect(jobs.again(id, bad)).rejects.toMatchObject({ code: 'BAD_FILE' });
    expect(await offered()).toEqual([true]);
  });

  test('was noted by this user: in a workspace of somebody else nothing is begun', async () => {
    const id = await failed();
    const theirs = await openJobs(workspace, callMarks(folders.make()));
    expect((await theirs.list()).map(({ again = false }) => again)).toEqual([false]);
    await expect(theirs.again(id, beginning)).rejects.toMatchObject({ code: 'USAGE' });
    const input = JSON.stringify({ ...asked.input, out: '/elsewhere' });
    await sqlOf(workspace.store).updateTable('jobs').set({ input }).where('id', '=', id).execute();
    expect(await offered()).toEqual([false]);
    await theirs.close();
  });

  test('is neither at work nor done', async () => {
    const running = await jobs.add('export', 'a', endless, asked);
    await expect(jobs.again(running.id, beginning)).rejects.toThrow('not over yet');
    const done = await jobs.add('import', 'a', async () => 'done', asked);
    await jobs.finished(done.id);
    await expect(jobs.again(done.id, beginning)).rejects.toThrow('it is done');
    await jobs.cancel(running.id);
    await jobs.finished(running.id);
    expect(await offered()).toEqual([false, true]);
  });
});
