import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROTOCOLS } from '../../schemas/protocols.ts';
import type { ScriptedAnswer } from '../models/model-server-for-tests.ts';
import { askedBench } from './asked-for-tests.ts';

/** `sample` and `samples` against a scripted model. */

const bench = askedBench((_, n) => ({ kind: 'answer', text: `pyautogui.click(${n}, 1)` }));
const { cli } = bench;
const sample = (...more: string[]) => bench.ask('sample', '--candidates', '3', ...more);
type Shown = {
  id: string;
  number: number;
  n: number;
  text: string;
  reward: number;
  judged: { right: boolean | null } | null;
  people: number | null;
};
const samples = async (): Promise<Shown[]> =>
  (JSON.parse((await cli('samples', 'show', 'made', '--json')).stdout) as { candidates: Shown[] }).candidates;
const logs = () => bench.logs('candidates');

/** The step's place as the actions of the recording have it. */
async function steps(): Promise<{ kind: string; start: { x: number; y: number } }[]> {
  return JSON.parse((await cli('actions', 'made', '--json')).stdout).actions;
}
/** Right at the first of each step's answers, another thing at the others; `judge` says so. */
async function knowing(): Promise<void> {
  const all = await steps();
  const count = new Map<number, number>();
  bench.answering = ({ texts }) => {
    const told = texts.join('\n');
    const code = /"code": "([0-9a-f]+)"/.exec(told)?.[1];
    if (code !== undefined) {
      const list = [...told.matchAll(/^(\d+)\. "/gm)].map(([, n]) => Number(n));
      const said = list.map((n) => ({
        candidate: n,
        right: n === 1 ? true : n === 2 ? false : null,
        why: 'I see it.',
      }));
      return { kind: 'answer', text: JSON.stringify({ code, candidates: said }) };
    }
    const at = [...told.matchAll(/^\d+\. /gm)].length;
    const times = count.get(at) ?? 0;
    count.set(at, times + 1);
    const { start } = all[at]!;
    const place = times % 3 === 0 ? `${start.x}, ${start.y}` : `${40 + 5 * times}, 38`;
    return { kind: 'answer', text: `Answer ${times}.\n\`\`\`python\npyautogui.click(${place})\n\`\`\`` };
  };
}

test('what goes to whom is said first, and nothing is sent until somebody agrees', async () => {
  const line = ['sample', 'made', '--endpoint', bench.server.url, '--model', 'one', '--judge', 'two', '--json'];
  const { status, stderr } = await cli(...line);
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/\(one, two\) go: 3 pictures of the whole screen, .* in at most 54 requests/);
  expect(bench.server.asked).toEqual([]);
});

test.each(PROTOCOLS)('each step is asked about as often as is wished, with chance: %s', async (protocol) => {
  const { status, report } = await sample('--protocol', protocol, '--temperature', '0.7');
  expect(report).toMatchObject({ how: 'sampled', steps: 3, candidates: 9, asked: 9, kept: 0, refused: [] });
  expect(status).toBe(0);
  for (const { body, pictures } of bench.server.asked) {
    const { temperature, generationConfig } = body as {
      temperature?: number;
      generationConfig?: { temperature: number };
    };
    expect(temperature ?? generationConfig?.temperature).toBe(0.7);
    expect(pictures).toHaveLength(1);
  }
  // The steps before are told, the step itself and those after it are not.
  const told = bench.server.asked.map(({ texts }) => [...texts.join('\n').matchAll(/^\d+\. /gm)].length);
  expect(told).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
  expect((await samples()).map(({ number, n }) => [number, n])).toEqual(
    [1, 2, 3].flatMap((number) => [1, 2, 3].map((n) => [number, n])),
  );
});

test('what does what the person did is worth 1, a judge and people have words of their own', async () => {
  await knowing();
  const { report } = await sample('--judge', 'two');
  expect(report).toMatchObject({ how: 'sampled', judged: 9, asked: 12 });
  // Judges are asked without chance.
  const asked = bench.server.asked.map(({ body }) => [body.model, body.temperature]);
  expect(asked.filter(([model]) => model === 'two')).toEqual(new Array(3).fill(['two', 0]));
  const list = await samples();
  expect(list.filter(({ n }) => n === 1).map(({ reward }) => reward)).toEqual([1, 1, 1]);
  expect(list.filter(({ n }) => n > 1).every(({ reward }) => reward === 0)).toBe(true);
  expect(list.slice(0, 3).map(({ judged }) => judged?.right)).toEqual([true, false, null]);
  const [, other] = list;
  await cli('samples', 'say', 'made', '--candidate', other!.id, '--right', 'yes', '--person', 'Ada');
  await cli('samples', 'say', 'made', '--candidate', other!.id, '--right', 'no', '--person', 'Bo');
  expect((await samples())[1]?.people).toBe(0.5);
  await cli('samples', 'say', 'made', '--candidate', other!.id, '--person', 'Bo');
  expect((await samples())[1]?.people).toBe(1);
  const unknown = await cli('samples', 'say', 'made', '--candidate', 'none', '--right', 'yes');
  expect(unknown.stderr).toContain('has no candidate "none"');
});

test('what was paid for is not asked again; more candidates are only those that lack; with --again all are', async () => {
  await sample();
  expect((await sample()).report).toMatchObject({ candidates: 9, asked: 0, kept: 9 });
  expect((await sample('--candidates', '4')).report).toMatchObject({ candidates: 12, asked: 3, kept: 9 });
  expect(await samples()).toHaveLength(12);
  expect((await sample('--again')).report).toMatchObject({ asked: 9, kept: 0 });
});

test('cut at every line of its log, it goes on and pays for no answer twice', async () => {
  await sample('--steps', '1-2', '--candidates', '2');
  const file = join(bench.folder, 'candidates', logs()[0]!);
  const whole = readFileSync(file, 'utf8');
  const lines = whole.trimEnd().split('\n');
  for (let length = 1; length < lines.length; length++) {
    const kept = lines.slice(0, length);
    // A kill in the middle of the next line.
    writeFileSync(file, `${kept.join('\n')}\n${lines[length]!.slice(0, 20)}`);
    const paid = kept.filter((line) => line.startsWith('{"type":"answered"')).length;
    const { report } = await sample('--steps', '1-2', '--candidates', '2');
    expect(report).toMatchObject({ candidates: 4, asked: 4 - paid, kept: paid });
    writeFileSync(join(bench.folder, 'candidates', logs().at(-1)!), '');
    writeFileSync(file, whole);
  }
});

test('the budget holds exactly, and the same command goes on', async () => {
  // 1000 and 50 tokens: 1.05 an answer.
  const money = ['--price-in', '1000', '--price-out', '1000', '--budget'];
  const first = await sample(...money, '2.2');
  expect(first).toMatchObject({ status: 1, report: { how: 'budget', candidates: 2, cost: expect.closeTo(2.1, 9) } });
  expect((await sample(...money, '100')).report).toMatchObject({ how: 'sampled', asked: 7, kept: 2 });
});

test.each<[string, ScriptedAnswer]>([
  ['fails', { kind: 'status', status: 500 }],
  ['is silent', { kind: 'silence' }],
  ['answers HTML', { kind: 'body', body: '<html>', type: 'text/html' }],
  ['redirects', { kind: 'redirect', to: 'http://127.0.0.1:9/' }],
])('an endpoint that %s ends it in words, and what was answered stays', async (_, answer) => {
  bench.answering = (_asked, n) => (n < 2 ? { kind: 'answer', text: 'pyautogui.click(1, 1)' } : answer);
  const { status, report } = await sample('--tries', '1', '--timeout', '1s');
  expect([status, report.how, report.candidates]).toEqual([1, 'endpoint', 2]);
  expect(await samples()).toHaveLength(2);
});

test.each<[string, string[], RegExp]>([
  ['a step that is not there', ['--steps', '9'], /no step 9/],
  ['no step', ['--steps', '0'], /--steps takes/],
  ['a range that runs back', ['--steps', '3-1'], /--steps takes/],
  ['a range without measure', ['--steps', '1-999999'], /--steps takes/],
  ['a temperature that is none', ['--temperature', 'hot'], /--temperature/],
  ['no candidate', ['--candidates', '0'], /--candidates/],
  ['a budget without prices', ['--budget', '1'], /price/],
  ['an address that is none', ['--endpoint', 'ftp://x'], /http/],
])('refused: %s', async (_, more, why) => {
  const { status, stderr } = await cli(
    'sample',
    'made',
    '--endpoint',
    bench.server.url,
    '--model',
    'm',
    '--yes',
    ...more,
  );
  expect(status).not.toBe(0);
  expect(stderr).toMatch(why);
  expect(bench.server.asked).toEqual([]);
});

test('a judge that is refused twice says nothing; what it is refused for is told', async () => {
  bench.answering = ({ texts }) => ({
    kind: 'answer',
    text: texts.join('').includes('"code"') ? 'All are right.' : 'pyautogui.press("a")',
  });
  const { report } = await sample('--steps', '1', '--judge', 'two');
  expect(report).toMatchObject({ how: 'sampled', candidates: 3, judged: 0, asked: 5 });
  expect(report.refused).toEqual(new Array(2).fill('it is not one JSON object alone'));
});

test('a log of a newer program is said, and nothing is asked', async () => {
  await sample('--steps', '1');
  const file = join(bench.folder, 'candidates', logs()[0]!);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"version":1', '"version":2'));
  const asked = bench.server.asked.length;
  const { status, stderr } = await cli('sample', 'made', '--endpoint', bench.server.url, '--model', 'one', '--yes');
  expect([status !== 0, bench.server.asked.length]).toEqual([true, asked]);
  expect(stderr).toMatch(/newer/);
});
