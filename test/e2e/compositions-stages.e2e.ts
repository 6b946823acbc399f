import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { type Composition, compositionSchema } from '../../schemas/composition.ts';
import { type CompositionRun, compositionRunSchema } from '../../schemas/composition-run.ts';
import { listCompositionRuns } from '../../studio/documents/joined/run-files.ts';
import {
  type ModelAsked,
  type ModelServer,
  type ScriptedAnswer,
  startModelServer,
} from '../../studio/models/model-server-for-tests.ts';
import { homeOf, listStages } from '../../studio/play/stage/home.ts';
import { processesOf } from '../../studio/play/stage/processes.ts';
import { readRecording } from '../../studio/store/recording-folder.ts';
import { checksOf, notes, recipeOf, SCREEN, type ShownTask } from '../demo/day/parts.ts';
import { importInto, showAll } from '../demo/day/run-day.ts';
import { newWorkspace, type Said, studio } from '../support/cli.ts';
import { chord, press, type, wait } from '../support/person.ts';
import { until } from '../support/until.ts';

/** A composition on two stages that are up at once: answers go over from one to the other and back, and one of them is killed. */

const before = process.env.TMPDIR;
const own = fs.mkdtempSync(path.join(os.tmpdir(), 'two-stages-'));
process.env.TMPDIR = own;
const workspace = newWorkspace();
let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});
afterAll(() => {
  workspace.remove();
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  fs.rmSync(own, { recursive: true, force: true });
});

const CODES = 'printer INV-203\ncopier INV-204\n';
const ROOMS = 'INV-203 Hall B\nINV-204 Lab 305\n';
const KEYS = 'Hall B key 4\nLab 305 key 9\n';
const desk = recipeOf(notes('codes.txt', CODES));
const office = recipeOf(notes('rooms.txt', ROOMS));
const keys = recipeOf(notes('keys.txt', KEYS));
type Given = { id: string; stage: string; recipe: object; base: string; output: string; value: string };
const GIVEN: readonly Given[] = [
  {
    id: 'device',
    stage: 'desktop',
    recipe: desk,
    base: 'Which number has the copier?',
    output: 'number',
    value: 'INV-204',
  },
  {
    id: 'place',
    stage: 'office',
    recipe: office,
    base: 'Where is {{device.number}}?',
    output: 'room',
    value: 'Lab 305',
  },
  {
    id: 'lock',
    stage: 'desktop',
    recipe: keys,
    base: 'Which key opens {{place.room}}?',
    output: 'key',
    value: 'key 9',
  },
];
const shownOf = (given: readonly Given[], prefix: string): ShownTask[] =>
  given.map(({ id, stage, recipe, base, output, value }, n) => ({
    software: 'mousepad',
    member: {
      id,
      stage,
      task: `${prefix}_${n + 1}`,
      instructions: { base },
      outputs: [{ name: output, value }],
    },
    recipe,
    checks: null,
    answer: value,
    steps: [chord('ctrl', 'End')],
  }));
function composed(id: string, kind: Composition['kind'], tasks: readonly ShownTask[], more: object = {}): Composition {
  return compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 4,
    id,
    kind,
    title: id,
    stages: [{ name: 'desktop' }, { name: 'office', platform: 'Linux' }],
    members: tasks.map(({ member }) => member),
    tasks: tasks.map(({ member, software, recipe, checks, answer = '' }) => {
      return { id: member.task, software, goal: `${member.instructions.base} (${id})`, answer, recipe, checks };
    }),
    ...more,
  });
}
const joined = (from: string, output: string, to: string) => ({ kind: 'data', from, output, to });

const came = ({ results }: CompositionRun) =>
  results.map(({ member, stage, outcome }) => `${member} ${stage} ${outcome}`);
const values = ({ results }: CompositionRun) => results.flatMap((one) => one.values.map(({ value }) => value));
/** The screens of both are as large; which of them a recording is of is known by the program that is in front on it. */
const onStage = (id: string | null): string =>
  readRecording(path.join(workspace.path, 'recordings', id ?? '')).task?.id ?? '';

async function ran(id: string, ...more: string[]): Promise<{ run: CompositionRun; done: Said }> {
  const done = await studio(['run', '--composition', id, '--yes', '--json', ...more, '--workspace', workspace.path]);
  expect(done.json, done.stderr).not.toBeNull();
  return { run: compositionRunSchema.parse(done.json), done };
}
async function model(answer: (asked: ModelAsked) => ScriptedAnswer): Promise<string[]> {
  await server?.close();
  server = await startModelServer(answer, SCREEN);
  return ['--agent', 'direct', '--endpoint', server.url, '--model', 'scripted'];
}
/** Tells the truth about what it is asked with the values that it was told, and knows no other. */
const KNOWN: readonly [RegExp, string][] = [
  [/has the copier/, 'INV-204'],
  [/Where is INV-204/, 'Lab 305'],
  [/opens Lab 305/, 'key 9'],
];
const truth = ({ texts }: ModelAsked): ScriptedAnswer => {
  const said = texts.join('\n');
  return { kind: 'answer', text: `DONE: ${KNOWN.find(([asked]) => asked.test(said))?.[1] ?? 'I do not know'}` };
};
/** Kills everything of the stage with this file, as the system may. */
function killStage(file: string): void {
  for (const { id } of listStages().filter((one) => fs.existsSync(path.join(homeOf(one.id), file))))
    for (const pid of processesOf(id)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended with one of the others.
      }
    }
}

it('an answer of one stage is needed on the other and back: shown, played and done by a model that tells the truth', async () => {
  const tasks = shownOf(GIVEN, 'TWO');
  const edges = [joined('device', 'number', 'place'), joined('place', 'room', 'lock')];
  const composition = composed('two-stages', 'pathway', tasks, { edges });
  await importInto(workspace.path, composition);
  const all = ['device desktop passed', 'place office passed', 'lock desktop passed'];
  const shown = await showAll(workspace.path, 'two-stages', tasks, () => undefined);
  expect(came(shown)).toEqual(all);
  const { run: played } = await ran('two-stages');
  expect([came(played), played.ended]).toEqual([all, { how: 'done', why: '' }]);
  const { run, done } = await ran('two-stages', ...(await model(truth)));
  expect([came(run), run.ended?.how, values(run)]).toEqual([all, 'done', ['INV-204', 'Lab 305', 'key 9']]);
  // Each stage has the files of its own tasks alone; both were up before the first task.
  expect(done.stderr).toMatch(
    /setting the stage “desktop” for 2 tasks[\s\S]*setting the stage “office” for 1 task[\s\S]*1 of 3/,
  );
  expect(done.stderr).toMatch(/place on “office”: device\.number = INV-204 is handed over from “desktop”/);
  expect(done.stderr).toMatch(/lock on “desktop”: place\.room = Lab 305 is handed over from “office”/);
  expect(run.results.map(({ recording }) => onStage(recording))).toEqual(['TWO_1', 'TWO_2', 'TWO_3']);
  expect(run.results.map(({ copies }) => Object.keys(copies ?? {}))).toEqual([['desktop'], ['office'], ['desktop']]);
  expect([run.version, listStages()]).toEqual([3, []]);
});

/** A recording that ended with its stage, as the run names it: it is there, closed, and of the task. */
function halfOf(result: CompositionRun['results'][number] | undefined): void {
  expect(result).toMatchObject({ outcome: 'failed', stageGone: true, recording: expect.any(String) });
  expect(result?.why).toMatch(/stage “office” gave out/);
  const { state, task } = readRecording(path.join(workspace.path, 'recordings', result?.recording ?? ''));
  expect([state, task?.id]).toEqual(['closed', 'LOST_2']);
}

it('a stage that is killed in the middle blocks what is to be done on it, and the rest is done; resumed, both are as they were', async () => {
  const [device, place, lock] = GIVEN as [Given, Given, Given];
  const words = { ...place, id: 'again', base: 'Where is {{device.number}} by now?' };
  const tasks = shownOf([device, place, words, { ...lock, base: 'Which key opens Lab 305?' }], 'LOST');
  const edges = [joined('device', 'number', 'place'), joined('device', 'number', 'again')];
  const events = [
    { id: 'paper', at: { after: 'device' }, stage: 'office', happens: [{ kind: 'file', to: 'paper.txt', text: 'x' }] },
  ];
  await importInto(workspace.path, composed('lost-stage', 'scenario', tasks, { edges, events }));
  const papers: boolean[] = [];
  const kills = (asked: ModelAsked): ScriptedAnswer => {
    if (!/Where is INV-204\?/.test(asked.texts.join('\n'))) return truth(asked);
    killStage('rooms.txt');
    // It has to look again, at a screen that is gone.
    return { kind: 'answer', text: 'I must look at it once more.' };
  };
  const { run, done } = await ran('lost-stage', ...(await model(kills)));
  expect(came(run), done.stderr).toEqual([
    'device desktop passed',
    expect.stringMatching(/^place office /),
    'again office blocked',
    'lock desktop passed',
  ]);
  halfOf(run.results[1]);
  expect(run.results[2]).toMatchObject({ stageGone: true, why: expect.stringMatching(/stage “office” gave out/) });
  expect(run.ended).toMatchObject({ how: 'broke', why: expect.stringMatching(/stage “office” gave out/) });
  expect(done.stderr).toMatch(/warning: the stage “office” gave out .*is not done/);
  expect(listStages()).toEqual([]);
  const looks = (asked: ModelAsked): ScriptedAnswer => {
    if (/Where is INV-204/.test(asked.texts.join('\n')))
      papers.push(listStages().some(({ id }) => fs.existsSync(path.join(homeOf(id), 'paper.txt'))));
    return truth(asked);
  };
  const { run: second } = await ran('lost-stage', ...(await model(looks)), '--resume', run.id);
  expect(came(second).at(0)).toBe('device desktop passed');
  expect(came(second).slice(2)).toEqual(['again office passed', 'lock desktop passed']);
  expect(second.results[0]).toEqual(run.results[0]);
  expect(second.results[1]?.recording).not.toBe(run.results[1]?.recording);
  expect([second.ended?.how, papers.length > 0 && papers.every(Boolean), listStages()]).toEqual(['done', true, []]);
});

it('the player, whose stage is killed while it plays, leaves the recording up to there; resumed, all is done', async () => {
  const tasks = shownOf(GIVEN.slice(0, 2), 'HALF');
  const edges = [joined('device', 'number', 'place')];
  await importInto(workspace.path, composed('half-played', 'scenario', tasks, { edges }));
  await showAll(workspace.path, 'half-played', tasks, () => undefined);
  const own = () => {
    const { runs } = listCompositionRuns({ dir: workspace.path });
    return runs.find(({ composition, actor }) => composition.id === 'half-played' && actor.kind === 'player');
  };
  const playing = ran('half-played');
  await until('the second task is recorded', () => own()?.half?.member === 'place', { timeoutMs: 120_000 });
  killStage('rooms.txt');
  const { run, done } = await playing;
  expect(came(run), done.stderr).toEqual(['device desktop passed', 'place office failed']);
  expect(run.results[1]).toMatchObject({ stageGone: true, recording: expect.any(String) });
  expect(run.results[1]?.why).toMatch(/the stage “office” gave out/);
  expect(fs.existsSync(path.join(workspace.path, 'recordings', run.results[1]?.recording ?? 'none'))).toBe(true);
  expect([run.ended?.how, run.half]).toEqual(['broke', undefined]);
  const { run: second } = await ran('half-played', '--resume', run.id);
  expect([came(second), second.ended?.how]).toEqual([['device desktop passed', 'place office passed'], 'done']);
});

it('a file that is written on one stage is an input on the other: shown, played; one that is not there blocks what takes it', async () => {
  const written = `${CODES}fax INV-205\n`;
  const [device, place] = shownOf(GIVEN.slice(0, 2), 'FILE') as [ShownTask, ShownTask];
  const writes = [chord('ctrl', 'End'), type('fax INV-205'), press('Enter'), chord('ctrl', 's'), wait(1000)];
  const takes = [
    { from: 'device', file: 'codes.txt', to: 'in/codes.txt' },
    { from: 'device', folder: 'kit', to: 'got/kit' },
  ];
  const { programs } = notes('codes.txt');
  const folder = { text: 'a key', to: 'kit/deep/key.txt' };
  // Its program opens the file that is taken, which is in no recipe of its stage.
  const tasks: ShownTask[] = [
    {
      ...device,
      recipe: recipeOf({ files: [{ text: CODES, to: 'codes.txt' }, folder], programs }),
      steps: writes,
      checks: checksOf({ id: 'wrote', kind: 'text', path: 'codes.txt', contains: ['INV-205'] }),
    },
    {
      ...place,
      member: { ...place.member, takes },
      recipe: recipeOf(notes('in/codes.txt')),
      checks: checksOf(
        { id: 'came', kind: 'text', path: 'in/codes.txt', contains: ['fax INV-205'] },
        { id: 'folder', kind: 'text', path: 'got/kit/deep/key.txt', contains: ['a key'] },
      ),
    },
  ];
  const edges = [joined('device', 'number', 'place')];
  await importInto(workspace.path, { ...composed('files-over', 'pathway', tasks, { edges }), version: 6 });
  const all = ['device desktop passed', 'place office passed'];
  const with2 = (file: string, to: string, text: string) => {
    return { from: 'device', file, to, bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') };
  };
  const came2 = [
    with2('codes.txt', 'in/codes.txt', written),
    with2('kit/deep/key.txt', 'got/kit/deep/key.txt', folder.text),
  ];
  const shown = await showAll(workspace.path, 'files-over', tasks, () => undefined);
  expect([came(shown), shown.results[1]?.files]).toEqual([all, came2]);
  const { run, done } = await ran('files-over');
  expect([came(run), run.results[1]?.files, run.version], done.stderr).toEqual([all, came2, 5]);
  expect(done.stderr).toMatch(
    /place on “office”: codes.txt of “device” is handed over from “desktop” as in\/codes.txt/,
  );
  // Gone on with at the second, its file is that of then: the first stage is there again with its home.
  const { run: again } = await ran('files-over', '--from', '2');
  expect([came(again), again.results[1]?.files]).toEqual([all, came2]);
  const lost = { ...place, member: { ...place.member, task: 'NONE_2', takes: [{ from: 'device', file: 'none.txt' }] } };
  const [first] = shownOf(GIVEN.slice(0, 1), 'NONE') as [ShownTask];
  await importInto(workspace.path, { ...composed('no-file', 'scenario', [first, lost], { edges }), version: 5 });
  const { run: blocked } = await ran('no-file', ...(await model(truth)));
  expect([came(blocked), blocked.ended?.how]).toEqual([['device desktop passed', 'place office blocked'], 'done']);
  expect(blocked.results[1]?.why).toMatch(/file none.txt of “device” is not there: that left no plain file/);
  expect(listStages()).toEqual([]);
});
