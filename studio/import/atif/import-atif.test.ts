import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { imagesIn } from '../../../core/atif/images.ts';
import { memberOf, rawValue } from '../../../core/atif/raw.ts';
import { readAtif } from '../../../core/atif/rules.ts';
import { runExport } from '../../datasets/export/exports.ts';
import { validateExport } from '../../datasets/export/validate.ts';
import { readRecording } from '../../store/recording-folder.ts';
import { importBench } from '../bench-for-tests.ts';

const bench = importBench();
/** Made by hand: another program's run, with numbers, keys and fields that a JSON value would not keep. */
const GOLDEN = readFileSync(new URL('./example-run.atif', import.meta.url), 'utf8');
const PICTURES = ['0.png', '1.png', '2.jpg', '3.png'];

async function writeRun(text = GOLDEN, name = 'run.json'): Promise<string> {
  mkdirSync(join(bench.elsewhere, 'shots'), { recursive: true });
  for (const [at, picture] of PICTURES.entries()) {
    const create = { width: 120, height: 80, channels: 3 as const, background: { r: 60 * at, g: 10, b: 200 } };
    await sharp({ create }).toFile(join(bench.elsewhere, 'shots', picture));
  }
  const file = join(bench.elsewhere, name);
  writeFileSync(file, text);
  return file;
}

/** The run as an export gives it back. */
async function exported(): Promise<{ out: string; text: string }> {
  const out = join(bench.elsewhere, 'out');
  await runExport(
    bench.workspace,
    { source: { kind: 'filter', filter: {} }, formats: [{ name: 'atif' }], all: true },
    out,
    { toolVersion: '1' },
  );
  expect((await validateExport('atif', out)).problems).toEqual([]);
  const [file] = readdirSync(join(out, 'trajectories')).filter((name) => name.endsWith('.json'));
  return { out, text: readFileSync(join(out, 'trajectories', file!), 'utf8') };
}

describe('a run of ATIF', () => {
  test('whose calls are programs of PyAutoGUI has their clicks and keys; one that does more is no input', async () => {
    const picture = (at: number) => ({ type: 'image', source: { media_type: 'image/png', path: `shots/${at}.png` } });
    const step = (at: number, code: string) => ({
      step_id: at + 2,
      source: 'agent',
      message: `Step ${at}`,
      tool_calls: [{ tool_call_id: `c${at}`, function_name: 'computer_13', arguments: { code } }],
      observation: { results: [{ source_call_id: `c${at}`, content: [picture(at % 2)] }] },
    });
    const programs = [
      "pyautogui.click(30, 20)\npyautogui.write('Hi')",
      "```python\npyautogui.hotkey('ctrl', 's')\n```",
      "import os; os.system('true'); pyautogui.click(1, 2)",
      'pyautogui.click(x=0.5, y=0.25)',
    ];
    const run = {
      schema_version: 'ATIF-v1.7',
      agent: { name: 'a', version: '1' },
      steps: [
        { step_id: 1, source: 'user', message: [{ type: 'text', text: 'Do it' }, picture(0)] },
        ...programs.map((code, at) => step(at, code)),
      ],
    };
    const { entry: row } = await bench.take(await writeRun(JSON.stringify(run)), { app: 'Writer' });
    const { steps } = await bench.documents.openRecording(row.id);
    expect(steps.map(({ kind, text, keys, start }) => text ?? keys?.join('+') ?? [kind, ...start.slice(0, 2)])).toEqual(
      [['click', 30, 20], 'Hi', 'ctrl+s', ['wait', 0, 0], ['click', 60, 20]],
    );
    expect(readRecording(row.folder).origin?.lost).toEqual([
      expect.stringMatching(/^what 1 step did.*none that is known$/),
    ]);
  });

  test('becomes a recording of an agent, with its clicks, keys, words and screens', async () => {
    const { entry: row, kind } = await bench.take(await writeRun(), { app: 'Writer' });
    expect(kind).toBe('atif');
    const recording = readRecording(row.folder);
    expect(recording).toMatchObject({
      version: 5,
      origin: { source: 'agent', name: 'run.json (other-agent)' },
      task: { goal: 'Write a note' },
      verdict: { kind: 'complete' },
    });
    expect(recording.origin?.lost).toEqual([
      '1 step of the agent without a screen: kept in attachments/atif.json',
      'what 1 step did, beside words and screens: its calls are none that are known',
    ]);
    const { steps, frames } = await bench.documents.openRecording(row.id);
    expect(steps.map(({ kind, text, keys, start }) => [kind, text ?? keys?.join('+') ?? start.slice(0, 2)])).toEqual([
      ['click', [30, 20]],
      ['type', 'Grüße, 世界'],
      ['press', 'ctrl+s'],
      ['wait', expect.anything()],
    ]);
    expect(steps.map(({ before, after }) => [before, after])).toEqual([
      [0, 1],
      [1, 1],
      [1, 2],
      [2, 3],
    ]);
    const last = await sharp(await bench.documents.framePicture(row.id, frames[3]![0]))
      .raw()
      .toBuffer();
    expect([...last.subarray(0, 3)]).toEqual([180, 10, 200]);
    const { records } = await bench.documents.get(row.id);
    expect(records.flatMap((record) => (record.kind === 'label' ? [record.narration] : [])).sort()).toEqual([
      'I click into the page.',
      'Now I write and save.',
      'submit',
    ]);
    expect(records.find(({ kind }) => kind === 'reasoning')).toMatchObject({
      thought: 'The page is empty.',
      observation: 'A caret blinks.',
    });
  });

  test('comes out as it came in, byte for byte: only its pictures’ names and our member of `extra` differ', async () => {
    await bench.take(await writeRun(), { app: 'Writer' });
    const { out, text } = await exported();
    const bare = (whole: string): string => {
      const cuts: [number, number, string][] = imagesIn(rawValue(whole)).map(({ path }) => [path.from, path.to, '']);
      const root = rawValue(whole);
      for (const value of [root, ...(memberOf(root, 'steps')?.items ?? [])]) {
        const extra = memberOf(value, 'extra');
        const own = extra?.members?.findIndex(({ key }) => key === 'trajectory_studio') ?? -1;
        if (!extra || own < 0) continue;
        const before = extra.members![own - 1];
        if (before) cuts.push([before.value.to, extra.members![own]!.value.to, '']);
        else {
          const at = value.members!.findIndex(({ key }) => key === 'extra');
          cuts.push([value.members![at - 1]!.value.to, value.members![at]!.value.to, '']);
        }
      }
      let done = 0;
      const parts: string[] = [];
      for (const [from, to] of cuts.toSorted(([a], [b]) => a - b)) {
        parts.push(whole.slice(done, from));
        done = to;
      }
      return parts.join('') + whole.slice(done);
    };
    expect(text).not.toBe(GOLDEN);
    expect(bare(text)).toBe(bare(GOLDEN));
    for (const kept of ['1.50', '12345678901234567890', '{"2": 1, "1": 2}', '1e400', '\\u00e9'])
      expect(text).toContain(kept);
    const run = JSON.parse(text);
    expect(run.extra.trajectory_studio).toMatchObject({ state: 'annotating', kind: 'full' });
    expect(run.steps[1].extra.trajectory_studio).toMatchObject({ kind: 'click', narration: 'I click into the page.' });
    expect(run.steps[2].extra.trajectory_studio.actions).toHaveLength(2);
    // Its pictures are the files that came.
    const named = run.steps[1].observation.results[1].content[1].source.path;
    expect(readFileSync(join(out, 'trajectories', named))).toEqual(
      readFileSync(join(bench.elsewhere, 'shots', '1.png')),
    );
    // What went out comes in again, and goes out the same.
    const again = join(bench.elsewhere, 'again');
    cpSync(join(out, 'trajectories'), again, { recursive: true });
    const file = readdirSync(again).find((name) => name.endsWith('.json'))!;
    expect(readAtif(JSON.parse(readFileSync(join(again, file), 'utf8')))).toHaveProperty('run');
  });

  test('is found in a folder by the name that Harbor gives it', async () => {
    await writeRun(GOLDEN, 'trajectory.json');
    expect((await bench.take(bench.elsewhere, { app: 'Writer' })).kind).toBe('atif');
  });

  test('a picture that did not come is said, and its path stays', async () => {
    await bench.take(await writeRun(GOLDEN.replace('shots/3.png', 'https://example.org/3.png')), { app: 'Writer' });
    const [row] = await bench.workspace.listAll();
    const { origin, verdict } = readRecording(row!.folder);
    expect(origin?.lost[0]).toBe('the picture "https://example.org/3.png": it is not there, and nothing is fetched');
    expect(verdict).toMatchObject({ kind: 'recovered', missing: ['the picture after step 6'] });
    expect((await exported()).text).toContain('"https://example.org/3.png"');
  });
});

describe('what is no sound run is refused with its place, and nothing stays', () => {
  const changed = (from: string, to: string) => async () => {
    expect(GOLDEN).toContain(from);
    return bench.refusal(await writeRun(GOLDEN.replace(from, to)));
  };
  test.each<[string, () => Promise<Error>, RegExp]>([
    ['a gap in step_id', changed('"step_id": 4', '"step_id": 5'), /step 4: its step_id is 5, not 4: they count from 1/],
    [
      'an unknown version',
      changed('ATIF-v1.6', 'ATIF-v3.0'),
      /schema_version is "ATIF-v3\.0"; ATIF-v1\.0 to ATIF-v1\.7/,
    ],
    [
      'a source_call_id of another step',
      changed('"source_call_id": "c2"', '"source_call_id": "c1"'),
      /step 3: the source_call_id "c1" of its observation is no call of this step/,
    ],
    ['a field of nobody', changed('"notes":', '"note":'), /field `it` \(note\): ATIF has no such field, .*`extra`/],
    [
      'a picture outside of the folder',
      changed('shots/1.png', '../shots/1.png'),
      /step 2: its picture "\.\.\/shots\/1\.png" cannot be imported: the part "\.\." leads elsewhere\. Nothing was kept\.$/,
    ],
    ['an absolute one', changed('shots/1.png', '/etc/passwd'), /it is absolute/],
    [
      'calls of the user',
      changed('"source": "user",', '"source": "user", "reasoning_content": "x",'),
      /step 1: `reasoning_content` is for steps of the agent/,
    ],
    [
      'half a file',
      async () => bench.refusal(await writeRun(GOLDEN.slice(0, 900), 'half')),
      /it is a run in ATIF, but no whole JSON .*Copy it again/,
    ],
    [
      'no pictures',
      async () => {
        const run = JSON.parse(GOLDEN.replaceAll('1e400', '1'));
        for (const step of run.steps) if (step.observation) step.observation.results = [];
        return bench.refusal(await writeRun(JSON.stringify(run)));
      },
      /it shows no screen: of 4 steps of the agent none has a picture/,
    ],
    [
      'a picture that is a link',
      async () => {
        const file = await writeRun(GOLDEN.replace('shots/1.png', 'link.png'));
        symlinkSync('/etc/passwd', join(bench.elsewhere, 'link.png'));
        return bench.refusal(file);
      },
      /step 2: its picture "link\.png" is a link/,
    ],
  ])('%s', async (_what, refused, says) => {
    const { message } = await refused();
    expect(message).toMatch(says);
    expect(message).toMatch(/Nothing was kept\.$/);
  });

  test('whatever a value is, it is a run or has problems with words (law)', () => {
    const golden = JSON.parse(GOLDEN.replaceAll('1e400', '1'));
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(golden)), fc.jsonValue(), (key, value) => {
        const read = readAtif({ ...golden, [key]: value });
        if ('problems' in read) for (const { why } of read.problems) expect(why.length).toBeGreaterThan(5);
      }),
    );
    expect(existsSync(bench.workspace.recordingsDir)).toBe(true);
  });
});
