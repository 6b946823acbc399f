import path from 'node:path';
import { actorName, runWords } from '../../core/compositions/scores.ts';
import { type CompositionRun, compositionRunSchema } from '../../schemas/composition-run.ts';
import type { InstructionLevel } from '../../schemas/instruction-levels.ts';
import { startModelServer } from '../../studio/models/model-server-for-tests.ts';
import { clockUnable } from '../../studio/stage/clock.ts';
import { studio, studioMust } from '../support/cli.ts';
import { MARA, MARA_TASKS } from './day/mara.ts';
import { knowingModel, waysOf } from './day/model.ts';
import { SCREEN } from './day/parts.ts';
import { DAY_SEED, importInto, missingFor, showAll } from './day/run-day.ts';
import { indent, say } from './say.ts';

/** The day that ships: shown once by a scripted person, performed by the player, and then by a scripted model that asks or does not. */
export async function demoOfScenario(out: string): Promise<void> {
  const missing = missingFor(MARA);
  const unable = clockUnable();
  if (missing.length > 0)
    throw new Error(
      `${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} not installed here, and the day needs it. Install on Debian: "apt install ${missing.join(' ')}".`,
    );
  if (unable) throw unable;
  const workspace = path.join(out, 'workspace');
  const where = ['--workspace', workspace];
  const { id } = MARA;
  say(`1. ${MARA.title}: ${MARA.members.length} tasks on one stage, with its own clock, services and events.`);
  await importInto(workspace, MARA);
  say(indent((await studioMust(['compositions', 'show', id, ...where])).stdout));
  say('\n2. A scripted person shows each task, and is recorded:');
  const shown = await showAll(workspace, id, MARA_TASKS, (text) => say(`   ${text}`));
  if (shown.ended?.how !== 'done' || shown.results.some(({ outcome }) => outcome !== 'passed'))
    throw new Error(`not all could be shown: ${runWords(shown)}`);

  async function run(words: readonly string[]): Promise<CompositionRun> {
    // It ends with a status of its own where a task failed.
    const done = await studio(
      ['run', '--composition', id, '--seed', `${DAY_SEED}`, '--yes', '--json', ...words, ...where],
      {
        timeoutMs: 3_600_000,
      },
    );
    if (done.json === null) throw new Error(done.stderr);
    const made = compositionRunSchema.parse(done.json);
    say(`   ${actorName(made)}, ${made.level}: ${runWords(made)}`);
    for (const { member, outcome, why } of made.results)
      if (outcome !== 'passed') say(`      ${member}: ${outcome} (${why.slice(0, 160)})`);
    return made;
  }
  say('\n3. The player performs the demonstrations, on a stage of its own:');
  const played = await run([]);

  say(
    '\n4. A scripted model that knows the way, and of the values what it is told; then one that asks for the others:',
  );
  const ways = await waysOf(shown, workspace);
  const asked: [InstructionLevel, boolean][] = [
    ['L0', false],
    ['L1', false],
    ['L1', true],
    ['L2', false],
    ['L2', true],
  ];
  const made: CompositionRun[] = [];
  for (const [level, asks] of asked) {
    const server = await startModelServer(knowingModel(MARA, ways, level, asks), SCREEN);
    try {
      const model = ['--agent', 'direct', '--endpoint', server.url, '--model', 'scripted', '--rounds', '60'];
      made.push(await run([...model, '--level', level, ...(asks ? ['--ask', '3'] : [])]));
    } finally {
      await server.close();
    }
  }
  say('\n5. Tables 6, 7 and 8:');
  say(indent((await studioMust(['compositions', 'scores', ...where])).stdout));
  say(`\nWhere to look: ${out}`);
  say('   workspace/recordings/         the demonstrations, and each task of each run');
  say('   workspace/composition-runs/   the runs, with their clock and events');
  const exact = made.every(({ level, ask, results }) => {
    const right = results.every(({ outcome }) => outcome === 'passed');
    return right || !(level === 'L0' || ask);
  });
  if (!exact || played.results.some(({ outcome }) => outcome !== 'passed')) process.exitCode = 1;
}
