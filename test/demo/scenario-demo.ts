import path from 'node:path';
import { runWords } from '../../core/compositions/scores.ts';
import type { CompositionRun } from '../../schemas/composition-run.ts';
import type { InstructionLevel } from '../../schemas/instruction-levels.ts';
import { clockUnable } from '../../studio/play/stage/clock.ts';
import { studioMust } from '../support/cli.ts';
import { MARA, MARA_TASKS } from './day/mara.ts';
import { knowingModel, waysOf } from './day/model.ts';
import { importInto, needPrograms, runOfModel, runOnce, showAll } from './day/run-day.ts';
import { indent, say } from './say.ts';

/** The day that ships: shown once by a scripted person, performed by the player, and then by a scripted model that asks or does not. */
export async function demoOfScenario(out: string): Promise<void> {
  needPrograms(MARA);
  const unable = clockUnable();
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

  say('\n3. The player performs the demonstrations, on a stage of its own:');
  const played = await runOnce(id, workspace, []);

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
    const words = ['--level', level, ...(asks ? ['--ask', '3'] : [])];
    made.push(await runOfModel(id, workspace, { answer: knowingModel(MARA, ways, level, asks), words }));
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
