import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nameElement } from '../../core/annotate/edit.ts';
import { StudioError } from '../../schemas/errors.ts';
import { tagRecordings } from '../datasets/tags.ts';
import { addClicks } from '../documents/clicks-for-tests.ts';
import { type Documents, openDocuments } from '../documents/documents.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { type OpenWorkspace, openSession } from '../session/open-workspace.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { sqlOf } from '../store/store.ts';
import { openWorkspace as openStore } from '../store/workspace.ts';
import { calm } from './archive/bench-for-tests.ts';
import { carriedAlone } from './carried.ts';
import { exportRecording } from './export-recording.ts';
import { takeWaiting } from './waiting.ts';

const ID = 'rec-a';
const folders = temporaryFolders();
/** A recording exported as a folder, with its history, annotation and tags. */
let out = '';
let open: OpenWorkspace;

async function name(documents: Documents, text: string): Promise<void> {
  const { steps } = await documents.openRecording(ID);
  const records = new Map((await documents.get(ID)).records.map((record) => [record.id, record]));
  const changes = nameElement(records, steps[0]!.id, text, 'hand');
  await documents.apply(ID, { id: randomUUID(), label: 'Name', changes }, 'me');
}

beforeEach(async () => {
  const home = openStore(join(folders.make(), 'home'), { create: true });
  const documents = openDocuments(home, reviewGate());
  addClicks(home, ID);
  await home.syncIndex();
  await name(documents, 'OK');
  await name(documents, 'Cancel');
  await tagRecordings(home, { recordings: [ID], add: ['pilot'], remove: [] });
  out = join(folders.make(), 'out');
  await exportRecording(home, ID, out, { ...calm, carried: await carriedAlone(home, ID) });
  await documents.close();
  home.close();
  open = await openSession(join(folders.make(), 'w'), { create: true });
});
afterEach(async () => {
  await open.close();
  folders.clean();
});

const folder = () => join(open.workspace.recordingsDir, ID);
const copyIn = (): void => cpSync(out, folder(), { recursive: true });
const labels = async () => (await open.unchecked.documents.history(ID, { limit: 9 })).map(({ label }) => label);
const left = () => readdirSync(folder()).filter((one) => /history|annotation|curation|arrival/.test(one));
const finished = async () => {
  for (const { id } of await open.jobs.list()) await open.jobs.finished(id);
  return open.jobs.list();
};
const now = { settled: 0 };

describe('what lies in a folder that was copied in', () => {
  test('is taken when the folder is found, is told, and is taken once', async () => {
    copyIn();
    await open.refresh({ now: true });
    const [job, ...more] = await finished();
    expect(more).toEqual([]);
    expect(job).toMatchObject({ kind: 'arrival', subject: ID, state: 'done' });
    expect(job?.message).toBe('Taken from the folder: rec-a: history, tags and split');
    expect(await labels()).toEqual(['Name', 'Name', 'Begin']);
    expect(await sqlOf(open.workspace.store).selectFrom('recording_tags').select('tag').execute()).toEqual([
      { tag: 'pilot' },
    ]);
    expect(left()).toEqual([]);
    await open.refresh({ now: true });
    expect(await finished()).toHaveLength(1);
  });

  test('is taken when the workspace is opened', async () => {
    copyIn();
    const { dir } = open.workspace;
    await open.close();
    open = await openSession(dir, { create: false });
    expect(await finished()).toMatchObject([{ kind: 'arrival', state: 'done' }]);
    expect(await labels()).toEqual(['Name', 'Name', 'Begin']);
  });

  test('a history that nobody can have written is kept aside, with words; the annotation comes', async () => {
    copyIn();
    writeFileSync(join(folder(), 'history.jsonl'), '{"schema":1}\n');
    await open.workspace.syncIndex();
    const { taken, warnings } = await takeWaiting(open.workspace, open.unchecked.documents, now);
    expect(taken).toEqual(['rec-a: annotation, tags and split']);
    expect(warnings.join()).toMatch(/history was not taken: .*The file stays in its folder as refused-history.jsonl/);
    expect(left()).toEqual(['refused-history.jsonl']);
    expect(await labels()).toEqual(['Import annotation', 'Begin']);
    // It is no part of what goes out again.
    const again = join(folders.make(), 'again');
    const carried = await carriedAlone(open.workspace, ID);
    await exportRecording(open.workspace, ID, again, { ...calm, carried });
    expect(existsSync(join(again, 'refused-history.jsonl'))).toBe(false);
  });

  test('never replaces work that was done here', async () => {
    copyIn();
    await open.workspace.syncIndex();
    await takeWaiting(open.workspace, open.unchecked.documents, now);
    await name(open.unchecked.documents, 'Mine');
    copyIn();
    expect((await takeWaiting(open.workspace, open.unchecked.documents, now)).warnings).toEqual([]);
    expect(await labels()).toEqual(['Name', 'Name', 'Name', 'Begin']);
    // Without the history, the annotation alone would undo it.
    cpSync(join(out, 'annotation.json'), join(folder(), 'annotation.json'));
    const { warnings } = await takeWaiting(open.workspace, open.unchecked.documents, now);
    expect(warnings.join()).toContain('was annotated here, and that stays');
    expect(await labels()).toEqual(['Name', 'Name', 'Name', 'Begin']);
    expect(left()).toEqual(['refused-annotation.json']);
  });
});

test.each(['DISK_FULL', 'WORKSPACE_BUSY', 'DISK_FAILED', 'INTERNAL'] as const)(
  'what %s holds up stays and is taken later',
  async (code) => {
    copyIn();
    await open.workspace.syncIndex();
    const held: Documents = {
      ...open.unchecked.documents,
      arriveWith: () => Promise.reject(new StudioError(code, 'It could not be written.')),
    };
    const { taken, warnings } = await takeWaiting(open.workspace, held, now);
    expect(taken).toEqual(['rec-a: tags and split']);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('history was not taken yet: It could not be written. history.jsonl stays');
    expect(left()).toEqual(['annotation.json', 'history.jsonl']);
    expect((await takeWaiting(open.workspace, open.unchecked.documents, now)).taken).toEqual(['rec-a: history']);
    expect(await labels()).toEqual(['Name', 'Name', 'Begin']);
    expect(left()).toEqual([]);
  },
);

describe('a folder is copied file by file, in any order', () => {
  /** Every file of the recording, these last. */
  const filesBut = (...last: string[]): string[] => [...readdirSync(out).filter((one) => !last.includes(one)), ...last];
  async function copyAs(names: readonly string[], between: (name: string) => Promise<unknown>): Promise<void> {
    mkdirSync(folder(), { recursive: true });
    for (const one of names) {
      cpSync(join(out, one), join(folder(), one), { recursive: true });
      await between(one);
    }
  }
  /** Longer than a file must have rested. */
  const aWhile = () => sleep(2100);
  const look = () => open.refresh({ now: true });

  test('what was said comes long after the recording itself, and is taken while the workspace is open', async () => {
    await copyAs(filesBut('annotation.json', 'curation.json', 'history.jsonl'), async (one) => {
      if (one === 'recording.json') await look();
      if (one === 'annotation.json') await aWhile();
      await look();
    });
    await aWhile();
    await look();
    await finished();
    expect(await labels()).toEqual(['Name', 'Name', 'Begin']);
    expect(left()).toEqual([]);
    // What was looked at is not looked at for ever.
    const jobs = (await finished()).length;
    await look();
    expect(await finished()).toHaveLength(jobs);
  });

  test('an annotation whose history still comes is not taken without it', async () => {
    const names = filesBut('events.jsonl', 'history.jsonl');
    await copyAs(names, async (one) => {
      if (one !== names.at(-2)) return;
      await open.workspace.syncIndex();
      const taking = takeWaiting(open.workspace, open.unchecked.documents, { settled: 400 });
      for (let n = 0; n < 8; n++) {
        await sleep(100);
        writeFileSync(join(folder(), 'frames.jsonl'), '', { flag: 'a' });
        renameSync(join(folder(), 'frames.jsonl'), join(folder(), 'frames.jsonl-'));
        renameSync(join(folder(), 'frames.jsonl-'), join(folder(), 'frames.jsonl'));
      }
      cpSync(join(out, 'history.jsonl'), join(folder(), 'history.jsonl'));
      expect((await taking).warnings).toEqual([]);
    });
    await takeWaiting(open.workspace, open.unchecked.documents, now);
    expect(await labels()).toEqual(['Name', 'Name', 'Begin']);
  });

  test.each(['events.jsonl', 'frames.jsonl'])('what was said waits while %s is missing', async (missing) => {
    await copyAs(filesBut(missing).slice(0, -1), async () => undefined);
    await open.workspace.syncIndex();
    const { warnings } = await takeWaiting(open.workspace, open.unchecked.documents, now);
    expect(warnings.join()).toContain(`what was said of it was not taken yet: ${join(folder(), missing)}`);
    expect(left()).toEqual(['annotation.json', 'curation.json', 'history.jsonl']);
    cpSync(join(out, missing), join(folder(), missing));
    expect((await takeWaiting(open.workspace, open.unchecked.documents, now)).warnings).toEqual([]);
    expect(await labels()).toEqual(['Name', 'Name', 'Begin']);
    expect(left()).toEqual([]);
  });

  test('while an import runs it is taken after that', async () => {
    const over = Promise.withResolvers<null>();
    const job = await open.jobs.add('import', 'another', () => over.promise);
    copyIn();
    await look();
    expect(await open.jobs.list()).toHaveLength(1);
    over.resolve(null);
    await open.jobs.finished(job.id);
    await aWhile();
    await look();
    await finished();
    expect(await labels()).toEqual(['Name', 'Name', 'Begin']);
  });
});

test('two that take at once take it once, and neither says that it does not fit', async () => {
  const dir = join(folders.make(), 'w');
  const both = [0, 1].map(() => openStore(dir, { create: true }));
  const [one, two] = both.map((workspace) => openDocuments(workspace, reviewGate())) as [Documents, Documents];
  cpSync(out, join(both[0]!.recordingsDir, ID), { recursive: true });
  await both[0]!.syncIndex();
  // Both have looked before either has written; the first has not cleared away when the second writes.
  const [written, tried] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first: Documents = {
    ...one,
    get: (...args) => one.get(...args),
    since: (...args) => one.since(...args),
    async arriveWith(...args) {
      await one.arriveWith(...args);
      written.resolve();
      await Promise.race([tried.promise, sleep(500)]);
    },
  };
  const second: Documents = {
    ...two,
    get: (...args) => two.get(...args),
    since: (...args) => two.since(...args),
    async arriveWith(...args) {
      await written.promise;
      await two.arriveWith(...args).finally(() => setTimeout(tried.resolve, 50));
    },
  };
  const done = await Promise.all([takeWaiting(both[0]!, first, now), takeWaiting(both[1]!, second, now)]);
  expect(done.flatMap(({ warnings }) => warnings)).toEqual([]);
  const names = readdirSync(join(both[0]!.recordingsDir, ID));
  expect(names.filter((name) => /history|annotation|curation|arrival/.test(name))).toEqual([]);
  expect((await one.history(ID, { limit: 9 })).map(({ label }) => label)).toEqual(['Name', 'Name', 'Begin']);
  for (const documents of [one, two]) await documents.close();
  for (const workspace of both) workspace.close();
});
