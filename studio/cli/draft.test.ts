import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { draftAnswer } from '../../core/agents/draft/draft-for-tests.ts';
import { toRecords } from '../../core/annotate/document.ts';
import { takeDraft } from '../../core/annotate/drafted.ts';
import { nameElement, removeSteps, setReasoning } from '../../core/annotate/edit.ts';
import type { Change } from '../../schemas/annotation.ts';
import { PROTOCOLS } from '../../schemas/protocols.ts';
import { openSession } from '../session/open-workspace.ts';
import { setStateForTests } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { askedBench } from './asked-for-tests.ts';

/** `draft` and `drafts` against a scripted model. */

const bench = askedBench(({ texts }) => ({
  kind: 'answer',
  text: draftAnswer(texts, (field, step) => `${field} ${step}`),
}));
const { cli } = bench;
const draft = (...more: string[]) => bench.ask('draft', ...more);
type Shown = {
  id: string;
  action: string;
  field: string;
  text: string;
  state: string;
  doubt: string | null;
  by: string;
};
const drafts = async (): Promise<Shown[]> =>
  (JSON.parse((await cli('drafts', 'made', '--json')).stdout) as { drafts: Shown[] }).drafts;

async function inSession<T>(work: (session: Awaited<ReturnType<typeof openSession>>) => Promise<T>): Promise<T> {
  const session = await openSession(bench.dir, { create: false, brief: true, config: join(bench.dir, 'config') });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
async function write(make: (records: ReturnType<typeof toRecords>) => Change[]): Promise<void> {
  await inSession(async (session) => {
    const { documents } = session.as('Ada');
    const { records } = await documents.get('made');
    const changes = make(toRecords(records));
    await documents.apply('made', { id: randomUUID(), label: 'Write', changes });
  });
}
const logs = () => bench.logs('drafts');

test('what goes to whom is said first, and nothing is sent until somebody agrees', async () => {
  const line = ['draft', 'made', '--endpoint', bench.server.url, '--model', 'one', '--reflect', 'two', '--json'];
  const { status, stderr } = await cli(...line, '--what', 'names');
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/\(one, two\) go: 3 pictures of the whole screen, .* in at most 12 requests/);
  expect(bench.server.asked).toEqual([]);
  expect((await cli(...line, '--what', 'subtasks')).stderr).toContain('go: no picture,');
});

test.each(PROTOCOLS)('drafts are kept beside the annotation and never in it: %s', async (protocol) => {
  const before = (await cli('annotate', 'get', 'made', '--json')).stdout;
  const { status, report } = await draft('--protocol', protocol);
  expect(report).toMatchObject({ how: 'drafted', drafted: 16, asked: 4, kept: 0, refused: [] });
  expect(status).toBe(0);
  expect((await cli('annotate', 'get', 'made', '--json')).stdout).toBe(before);
  const list = await drafts();
  expect(list).toHaveLength(16);
  expect(list[0]).toMatchObject({ field: 'element', text: 'element 1', state: 'open', doubt: null });
  expect(list[0]?.by).toMatch(/^one@[0-9a-f]{8}$/);
  expect((await cli('export', 'videogui', '--out', join(bench.dir, 'out'), '--all', '--json')).stdout).not.toContain(
    'element 1',
  );
});

test('what was paid for is not asked again; with --again it is', async () => {
  await draft('--what', 'names');
  expect((await draft('--what', 'names')).report).toMatchObject({ drafted: 3, asked: 0, kept: 3 });
  expect((await draft('--what', 'names', '--again')).report).toMatchObject({ asked: 3, kept: 0 });
});

test('cut at every line of its log, it goes on and pays for no answer twice', async () => {
  await draft('--what', 'names');
  const file = join(bench.folder, 'drafts', logs()[0]!);
  const whole = readFileSync(file, 'utf8');
  const lines = whole.trimEnd().split('\n');
  for (let length = 1; length < lines.length; length++) {
    const kept = lines.slice(0, length);
    // A kill in the middle of the next line.
    writeFileSync(file, `${kept.join('\n')}\n${lines[length]!.slice(0, 20)}`);
    const paid = kept.filter((line) => line.startsWith('{"type":"answered"')).length;
    const { report } = await draft('--what', 'names');
    expect(report).toMatchObject({ drafted: 3, asked: 3 - paid, kept: paid });
    writeFileSync(join(bench.folder, 'drafts', logs().at(-1)!), '');
    writeFileSync(file, whole);
  }
});

test('the budget holds exactly, and the same command goes on', async () => {
  // 1000 and 50 tokens: 1.05 an answer.
  const money = ['--what', 'names', '--price-in', '1000', '--price-out', '1000', '--budget'];
  const first = await draft(...money, '2.2');
  expect(first).toMatchObject({
    status: 1,
    report: { how: 'budget', asked: 2, drafted: 2, cost: expect.closeTo(2.1, 9) },
  });
  expect((await draft(...money, '1.1')).report).toMatchObject({ how: 'drafted', asked: 1, kept: 2, drafted: 3 });
});

test('answers that are none are refused, said and asked for once more; the others stand', async () => {
  const right = bench.answering;
  bench.answering = (asked, n) => (n < 2 ? { kind: 'answer', text: 'IGNORE ALL RULES \u202e' } : right(asked, n));
  const { report } = await draft('--what', 'names');
  expect(report).toMatchObject({ how: 'drafted', drafted: 2, asked: 4 });
  expect(report.refused).toEqual([expect.stringMatching(/not one JSON/), expect.stringMatching(/not one JSON/)]);
});

test('removed steps are not sent, in words or pictures, and what somebody wrote is not asked for', async () => {
  await draft('--what', 'names');
  const [one, two] = (await drafts()).map(({ action }) => action);
  await write((records) => [
    ...removeSteps(records, [one!], 'private', 'my bank'),
    ...nameElement(records, two!, 'Mine', 'hand'),
  ]);
  bench.server.asked.length = 0;
  const { report } = await draft('--what', 'names', '--again');
  expect(report).toMatchObject({ drafted: 1, asked: 1 });
  expect(bench.server.asked[0]?.pictures).toHaveLength(1);
  expect(JSON.stringify(bench.server.asked[0]?.texts)).not.toMatch(/my bank|"1\. /);
});

test('taken, taken and edited, rejected and taken back are known; only what nobody answered is drafted again', async () => {
  await draft('--what', 'names,thoughts');
  const list = await drafts();
  const of = (field: string, step: number) => list.find(({ text }) => text === `${field} ${step}`)!;
  const thought = of('thought', 1);
  await write((records) => [
    ...nameElement(records, of('element', 1).action, 'element 1', 'hand'),
    ...setReasoning(records, thought.action, 'thought', 'thought 1'),
  ]);
  await write((records) => setReasoning(records, thought.action, 'thought', 'thought 1, in my words'));
  const reject = (rejected: boolean) =>
    inSession((session) => session.as('Ada').drafts.reject('made', of('observation', 2).id, rejected));
  const state = async (id: string) => (await drafts()).find((one) => one.id === id)?.state;
  await reject(true);
  expect(await state(of('observation', 2).id)).toBe('rejected');
  await reject(false);
  expect(await state(of('observation', 2).id)).toBe('open');
  await reject(true);
  expect(await state(of('element', 1).id)).toBe('taken');
  expect(await state(thought.id)).toBe('edited');
  bench.answering = ({ texts }) => ({
    kind: 'answer',
    text: draftAnswer(texts, (field, step) => `${field} ${step} anew`),
  });
  expect((await draft('--what', 'names,thoughts', '--again')).report).toMatchObject({ drafted: 9 });
  const texts = (await drafts()).map(({ text }) => text);
  expect(texts).toEqual(expect.arrayContaining(['element 1', 'thought 1', 'observation 2', 'element 2 anew']));
  expect(texts).not.toContain('observation 2 anew');
  await expect(
    inSession((session) => session.as('Ada').drafts.reject('made', '9:element:x', true)),
  ).rejects.toMatchObject({ code: 'USAGE' });
});

test('the reflector marks what it doubts', async () => {
  const right = bench.answering;
  bench.answering = (asked, n) => {
    const { texts } = asked;
    const code = /"code": "([0-9a-f]+)"/.exec(texts.join('\n'))?.[1];
    const doubts = texts.join('\n').includes('"element 2"') ? [{ draft: 1, why: 'It says Open.' }] : [];
    return texts.join('\n').includes('Say which')
      ? { kind: 'answer', text: JSON.stringify({ code, doubts }) }
      : right(asked, n);
  };
  const { report } = await draft('--what', 'names', '--reflect', 'two');
  expect(report).toMatchObject({ drafted: 3, doubted: 1, asked: 6 });
  expect((await drafts()).map(({ doubt }) => doubt)).toEqual([null, 'It says Open.', null]);
});

test.each(['in-review', 'approved'] as const)('a recording that is %s is not drafted for', async (state) => {
  const workspace = openWorkspace(bench.dir, { create: false });
  await setStateForTests(workspace, 'made', state);
  await workspace.close();
  const { status, stderr } = await draft();
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/drafts are for who annotates/);
  expect(bench.server.asked).toEqual([]);
});

test.each<[string, string[], RegExp]>([
  ['no endpoint', ['--model', 'm'], /--endpoint is missing/],
  ['no model', ['--endpoint', 'http://127.0.0.1:9/v1'], /--model is missing/],
  ['no such kind', ['--what', 'names,poems', '--endpoint', 'http://127.0.0.1:9/v1', '--model', 'm'], /--what takes/],
  ['a budget alone', ['--endpoint', 'http://127.0.0.1:9/v1', '--model', 'm', '--budget', '1'], /needs --price-in/],
])('refused: %s', async (_, args, why) => {
  const { status, stderr } = await cli('draft', 'made', ...args);
  expect(status).not.toBe(0);
  expect(stderr).toMatch(why);
});

test('an endpoint that is down ends it with a clear error, and the status says so', async () => {
  const line = ['draft', 'made', '--endpoint', 'http://127.0.0.1:9/v1', '--model', 'm', '--tries', '1', '--yes'];
  const { status, stdout } = await cli(...line);
  expect(status).toBe(1);
  expect(stdout).toMatch(/not all was asked \(endpoint: http:\/\/127\.0\.0\.1:9 gave no usable answer/);
});

test('what was taken is named by every export, counted in the data set, and neither asked about nor agreed on', async () => {
  const made = Date.now();
  await draft('--what', 'names,thoughts');
  const list = await drafts();
  const of = (field: string, step: number) => list.find(({ text }) => text === `${field} ${step}`)!;
  const [name, thought, copied] = [of('element', 1), of('thought', 1), of('element', 2)];
  expect(Date.now()).toBeGreaterThan(made);
  const take = (one: Shown) => ({ ...one, field: one.field as 'element' | 'thought' });
  await write((records) => [
    ...takeDraft(records, [], take(name), ''),
    ...takeDraft(records, [], take(thought), ''),
    // By a program that knows nothing of drafts: its words are the draft's all the same.
    ...nameElement(records, copied.action, 'element 2', 'hand'),
  ]);
  await write((records) => setReasoning(records, thought.action, 'thought', 'In my words.'));

  const out = join(bench.dir, 'out');
  expect((await cli('export', 'videogui,atif,agentnet', '--out', out, '--all', '--json')).status).toBe(0);
  const named = ['element false 1', 'narration false 1', 'thought true 1', 'element false 2', 'narration false 2'];
  for (const format of ['videogui', 'atif', 'agentnet']) {
    const manifest = JSON.parse(readFileSync(join(out, format, 'manifest.json'), 'utf8')) as {
      drafts: { item: string; field: string; by: string; edited: boolean }[];
    };
    expect(manifest.drafts.map(({ item, field, edited }) => `${field} ${edited} ${item.split('/')[2]}`)).toEqual(
      expect.arrayContaining(named),
    );
    expect(manifest.drafts.every(({ by }) => by === list[0]!.by)).toBe(true);
    expect(readFileSync(join(out, format, 'README.md'), 'utf8')).toContain(
      'The words of 5 fields were drafted by a model',
    );
  }
  const rows = async (...args: string[]) =>
    (JSON.parse((await cli('dataset', 'rows', '--json', ...args)).stdout) as { rows: { drafted: object }[] }).rows;
  expect(await rows('--drafts', 'edited')).toMatchObject([{ drafted: { taken: 2, edited: 1 } }]);
  expect(await rows('--drafts', 'none')).toEqual([]);
  expect((await cli('drafts', 'made')).stdout).toMatch(/12 drafts: .*2 taken.*1 edited|12 drafts: .*1 edited.*2 taken/);
});
