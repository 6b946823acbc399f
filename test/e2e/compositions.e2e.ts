import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { drawnEvents, timeText } from '../../core/compositions/day.ts';
import { type Composition, compositionSchema } from '../../schemas/composition.ts';
import { type CompositionRun, compositionRunSchema } from '../../schemas/composition-run.ts';
import type { InstructionLevel } from '../../schemas/instruction-levels.ts';
import { startModelServer } from '../../studio/models/model-server-for-tests.ts';
import { MARA_TASKS } from '../demo/day/mara.ts';
import { knowingModel, type Way, waysOfTasks } from '../demo/day/model.ts';
import { ASSETS, recipeOf, SCREEN } from '../demo/day/parts.ts';
import { DAY_SEED, importInto } from '../demo/day/run-day.ts';
import { SPARE_PART_TASKS } from '../demo/day/spare-part.ts';
import { newWorkspace, studio, studioMust } from '../support/cli.ts';

/** What ships, on real stages with its programs and services: the pathway as a whole, and a shortened day. */

const workspace = newWorkspace();
const where = ['--workspace', workspace.path];
afterAll(() => workspace.remove());

const shipped = (id: string): Composition =>
  compositionSchema.parse(JSON.parse(fs.readFileSync(path.join(ASSETS, `${id}.json`), 'utf8')));

type Doing = { ways: readonly Way[]; level?: InstructionLevel; asks?: boolean };
/** A model does it that knows the ways, and of the values what it is told. */
async function done(composition: Composition, { ways, level = 'base', asks = false }: Doing): Promise<CompositionRun> {
  const server = await startModelServer(knowingModel(composition, ways, level, asks), SCREEN);
  try {
    const model = ['--agent', 'direct', '--endpoint', server.url, '--model', 'scripted', '--rounds', '30'];
    const words = ['--level', level, '--seed', `${DAY_SEED}`, ...(asks ? ['--ask', '3'] : []), '--yes', '--json'];
    const { json, stderr } = await studio(['run', '--composition', composition.id, ...model, ...words, ...where]);
    expect(json, stderr).not.toBeNull();
    const run = compositionRunSchema.parse(json);
    expect(run.ended).toEqual({ how: 'done', why: '' });
    return run;
  } finally {
    await server.close();
  }
}

const came = ({ results }: CompositionRun): string[] => results.map(({ member, outcome }) => `${member} ${outcome}`);

it('the shipped pathway collapses at the first wrong answer: what follows is not begun, and the tables say so', async () => {
  const composition = shipped('spare-part');
  await importInto(workspace.path, composition);
  const ways = waysOfTasks(composition, SPARE_PART_TASKS);
  const wrong = ways.map((way) => (way.member.id === 'signer' ? { ...way, answer: 'Mara' } : way));
  const run = await done(composition, { ways: wrong });
  expect(came(run)).toEqual([
    'device passed',
    'part passed',
    'price passed',
    'signer failed',
    'hour collapsed',
    'room collapsed',
  ]);
  // Each question has what was answered before it.
  expect(run.results.slice(1, 4).map(({ instruction }) => instruction)).toEqual([
    expect.stringContaining('the device INV-204,'),
    expect.stringContaining('the goods T1 cost'),
    expect.stringContaining('an order of 54'),
  ]);
  expect(run.results.slice(4)).toEqual([
    expect.objectContaining({ recording: null, steps: 0, why: 'the path ended at “signer”' }),
    expect.objectContaining({ recording: null, steps: 0, why: 'the path ended at “signer”' }),
  ]);
  const shown = (await studioMust(['compositions', 'runs', run.id, ...where])).stdout;
  expect(shown).toMatch(/3 of 6 succeeded, the path collapsed at “signer”/);
  const scores = (await studioMust(['compositions', 'scores', ...where])).stdout;
  expect(scores).toMatch(/direct scripted +1 +1 +0\.0 +– +0\.0 +50\.0 +28\.6 +1$/m);
  expect((await studioMust(['compositions', 'show', composition.id, '--table', '3', ...where])).stdout).toMatch(
    /Dr\. Weiss/,
  );
});

/** Three tasks of the shipped day, with what joins them and what happens meanwhile. */
function shortened(): Composition {
  const day = shipped('mara-monday');
  const members = day.members.filter(({ id }) => ['wish', 'order', 'budget'].includes(id));
  const has = (id: string): boolean => members.some((member) => member.id === id);
  const tasks = (day.tasks ?? []).filter(({ id }) => members.some(({ task }) => task === id));
  const events = (day.events ?? []).flatMap((event) => {
    if (event.id === 'labels') return [event];
    // Between two of the tasks, at a minute that the seed draws.
    return event.id === 'envelopes' ? [{ ...event, at: { day: 1, from: '10:02', to: '10:18' } }] : [];
  });
  const edges = day.edges.filter(({ from, to }) => has(from) && has(to));
  return { ...day, id: 'short-day', members, edges, events, tasks };
}

it('a shortened day: who asks nothing at L2 fails and blocks what hangs on it, who asks reaches all, on the same day', async () => {
  const composition = shortened();
  await importInto(workspace.path, composition);
  const ways = waysOfTasks(composition, MARA_TASKS);
  const passive = await done(composition, { ways, level: 'L2' });
  expect(came(passive)).toEqual(['wish passed', 'order failed', 'budget blocked']);
  const active = await done(composition, { ways, level: 'L2', asks: true });
  expect(came(active)).toEqual(['wish passed', 'order passed', 'budget passed']);
  const asked = active.results.flatMap((result) => result.asked ?? []);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.filter(({ kind }) => kind !== 'valid')).toEqual([]);
  // The day is the same for both: its clock at the beginning of each task, and what happened, with when.
  const begun = active.results.map(({ clock }) => clock?.from.slice(0, 16));
  expect(begun).toEqual(['2026-03-02T09:45', '2026-03-02T10:00', '2026-03-02T10:20']);
  const ran = ({ events = [] }: CompositionRun) =>
    events.map(({ id, at, before, failed }) => [id, at?.slice(0, 16), before, failed]);
  const drawn = drawnEvents(composition, DAY_SEED).find(({ id }) => id === 'envelopes')?.at ?? 0;
  const labels = ['labels', '2026-03-02T09:45', 'wish', null];
  // The second would have come before a task that was not begun.
  expect(ran(passive)).toEqual([labels]);
  expect(ran(active)).toEqual([labels, ['envelopes', timeText(drawn).slice(0, 16), 'budget', null]]);
  const scores = (await studioMust(['compositions', 'scores', '--of', composition.id, ...where])).stdout;
  expect(scores).toMatch(/^direct scripted +L2 +1 +3 +33\.3 .* 1$/m);
  // One task without a question, one with one, one with two: (1 + 2/3 + 1/2) / 3 (M25).
  expect(scores).toMatch(/^direct scripted \+ questions +L2 +1 +3 +100\.0 +4\.00 +0\.722 +12 +0$/m);
});

it('a model plays the user who is asked: what goes to it is said before, and it is asked with the exact instruction alone', async () => {
  const composition = compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 1,
    id: 'asking',
    kind: 'scenario',
    title: 'Asking',
    context: { given: [{ name: 'room', value: 'Lab 305' }] },
    members: [
      {
        id: 'say',
        task: 'ASK_1',
        instructions: { base: 'Say the room.', L0: 'Say the room {{given.room}}.', L2: 'Say it.' },
        outputs: [{ name: 'room', value: 'Lab 305' }],
      },
    ],
    tasks: [
      {
        id: 'ASK_1',
        software: 'Words',
        goal: 'Say it',
        answer: 'Lab 305',
        recipe: recipeOf({ programs: [] }),
        checks: null,
      },
    ],
  });
  await importInto(workspace.path, composition);
  const knows = await startModelServer(() => ({ kind: 'answer', text: 'Lab 305, as ever.' }), SCREEN);
  const agent = await startModelServer(
    ({ texts }) => ({ kind: 'answer', text: /as ever/.test(texts.join()) ? 'DONE: Lab 305' : 'ASK: In which room?' }),
    SCREEN,
  );
  try {
    const model = ['--agent', 'direct', '--endpoint', agent.url, '--model', 'scripted', '--level', 'L2', '--ask', '2'];
    const user = ['--user', 'model', '--user-endpoint', knows.url, '--user-model', 'player'];
    const { json, stderr } = await studio([
      'run',
      '--composition',
      'asking',
      ...model,
      ...user,
      '--yes',
      '--json',
      ...where,
    ]);
    expect(stderr).toMatch(/\(player\), which plays the user, go: each task's exact instruction .* no pictures/);
    const run = compositionRunSchema.parse(json);
    expect(came(run)).toEqual(['say passed']);
    expect(run.results[0]?.asked).toEqual([{ question: 'In which room?', answer: 'Lab 305, as ever.', kind: 'valid' }]);
    expect(run).toMatchObject({ version: 2, ask: { user: 'model', played: { model: 'player' } } });
    expect(knows.asked).toHaveLength(1);
    expect(knows.asked[0]?.texts.join('\n')).toMatch(/clear instruction: Say the room Lab 305\.[\s\S]*In which room\?/);
    expect(knows.asked[0]?.pictures).toEqual([]);
    const scores = (await studioMust(['compositions', 'scores', '--of', 'asking', ...where])).stdout;
    expect(scores).toMatch(/^direct scripted \+ questions to player +L2 +1 +1 +100\.0/m);
  } finally {
    await knows.close();
    await agent.close();
  }
});
