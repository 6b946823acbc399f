import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { contract } from '../../schemas/api/contract.ts';
import type { WorkspaceChange } from '../../schemas/api/recordings.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import type { OpenWorkspace } from '../session/open-workspace.ts';
import { JOB_CALLS } from './routes/base.ts';
import { canKeepCritic } from './routes/evaluate.ts';
import { servedWorkspace, type TestServer } from './server-for-tests.ts';

let server: TestServer;
let folder: string;
let ws: string;
let open: OpenWorkspace;
servedWorkspace((made) => {
  ({ server, folder, ws, open } = made);
});
beforeAll(async () => {
  await addRecording(open.workspace, { id: 'aaaa', task: 'GIMP_1', goal: 'Crop the picture' });
  await open.refresh({ now: true });
});

const wishes = { formats: [{ name: 'agentnet' }], source: { kind: 'filter', filter: {} } as const, all: true };

describe('long work over the API', () => {
  test('that failed is begun again as it was, once, and each tells of the other', async () => {
    const out = join(folder, 'taken');
    mkdirSync(out);
    writeFileSync(join(out, 'mine.txt'), 'mine');
    const { jobs, exports } = server.client;
    const { id } = await exports.start({ ws, wishes, out });
    expect(await open.jobs.finished(id)).toMatchObject({ state: 'failed', error: { code: 'TARGET_EXISTS' } });
    expect((await jobs.list({ ws })).find((job) => job.id === id)).toMatchObject({ again: true });
    const call = { name: 'exports.start', input: { out } };
    expect(await jobs.get({ ws, job: id.slice(0, 8) })).toMatchObject({ id, call, failure: { code: 'TARGET_EXISTS' } });
    rmSync(out, { recursive: true });
    const next = await jobs.again({ ws, job: id });
    expect(await open.jobs.finished(next.id)).toMatchObject({ kind: 'export', state: 'done' });
    const before = await jobs.get({ ws, job: id });
    expect([before.next, before.again ?? false]).toEqual([next.id, false]);
    await expect(jobs.again({ ws, job: id })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(jobs.again({ ws, job: next.id })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(jobs.get({ ws, job: 'none' })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('is told to every page by the one stream of changes', async () => {
    const control = new AbortController();
    const heard = [0, 1].map(async () => {
      const states: string[] = [];
      const changes = await server.client.recordings.watch({ ws }, { signal: control.signal });
      const listening = (async () => {
        for await (const { job } of changes as AsyncIterable<WorkspaceChange>) {
          if (job?.kind === 'duplicates') states.push(job.state);
          if (job?.kind === 'duplicates' && job.state === 'done') return;
        }
      })();
      return { listening, states };
    });
    const both = await Promise.all(heard);
    await expect.poll(() => open.changes.readers()).toBeGreaterThanOrEqual(2);
    await server.client.dataset.findDuplicates({ ws, wishes: { goals: 0.7 } });
    for (const { listening, states } of both) {
      await listening;
      expect([states[0], states.at(-1)]).toEqual(['waiting', 'done']);
    }
    control.abort();
  });

  test('is begun by calls of the contract, which answer with it', () => {
    for (const name of JOB_CALLS) {
      const [room = '', call = ''] = name.split('.');
      expect(Reflect.get(Reflect.get(contract, room), call), name).toHaveProperty('~orpc.outputSchema');
    }
  });

  test('keeps no key and no file that goes with a browser', () => {
    const endpoint = { from: 'endpoint', endpoint: 'http://a', model: 'm', prices: { input: 0, output: 0 } } as const;
    const model = { ...endpoint, concurrency: 1, rate: null };
    expect(canKeepCritic({ ...model, key: { from: 'typed', key: 'secret' } })).toBe(false);
    expect(canKeepCritic({ ...model, key: { from: 'env', variable: 'KEY' } })).toBe(true);
    expect(canKeepCritic({ from: 'file', file: { from: 'upload', upload: 'u', name: 'n' } })).toBe(false);
    expect(canKeepCritic({ from: 'file', file: { from: 'path', path: '/cases.jsonl' } })).toBe(true);
  });
});
