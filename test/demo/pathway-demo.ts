import path from 'node:path';
import { runWords } from '../../core/compositions/scores.ts';
import { studioMust } from '../support/cli.ts';
import { knowingModel, type Way, waysOf } from './day/model.ts';
import { importInto, needPrograms, runOfModel, runOnce, showAll } from './day/run-day.ts';
import { SPARE_PART, SPARE_PART_TASKS } from './day/spare-part.ts';
import { indent, say } from './say.ts';

/** The member that a model answers wrongly, and what it says. */
const WRONG = { member: 'signer', answer: 'Mara' };

/**
 * The pathway that ships: shown once by a scripted person, performed by the player, done by a scripted model that knows the way, and
 * by one that answers one question wrongly, where the path collapses.
 */
export async function demoOfPathway(out: string): Promise<void> {
  needPrograms(SPARE_PART);
  const workspace = path.join(out, 'workspace');
  const where = ['--workspace', workspace];
  const { id } = SPARE_PART;
  say(`1. ${SPARE_PART.title}: ${SPARE_PART.members.length} questions on one stage, each needs the answer before it.`);
  await importInto(workspace, SPARE_PART);
  say(indent((await studioMust(['compositions', 'show', id, '--table', '3', ...where])).stdout));
  say('\n2. A scripted person shows each task, and is recorded:');
  const shown = await showAll(workspace, id, SPARE_PART_TASKS, (text) => say(`   ${text}`));
  if (shown.ended?.how !== 'done' || shown.results.some(({ outcome }) => outcome !== 'passed'))
    throw new Error(`not all could be shown: ${runWords(shown)}`);
  say('\n3. The player performs the demonstrations, on a stage of its own:');
  const played = await runOnce(id, workspace, []);
  say(`\n4. A scripted model that knows the way; then one that says “${WRONG.answer}” of “${WRONG.member}”:`);
  const ways = await waysOf(shown, workspace);
  const wrong = ways.map((way): Way => (way.member.id === WRONG.member ? { ...way, answer: WRONG.answer } : way));
  const knows = await runOfModel(id, workspace, {
    model: 'knows',
    answer: knowingModel(SPARE_PART, ways, 'base', false),
  });
  const errs = await runOfModel(id, workspace, {
    model: 'errs',
    answer: knowingModel(SPARE_PART, wrong, 'base', false),
  });
  say('\n5. Table 1:');
  say(indent((await studioMust(['compositions', 'scores', ...where])).stdout));
  say(`\nWhere to look: ${out}`);
  say('   workspace/recordings/         the demonstrations, and each task of each run');
  say('   workspace/composition-runs/   the runs, with what each task gave');
  const outcomes = errs.results.map(({ outcome }) => outcome).join(' ');
  const isWhole = [played, knows].every(({ results }) => results.every(({ outcome }) => outcome === 'passed'));
  if (!isWhole || outcomes !== 'passed passed passed failed collapsed collapsed') process.exitCode = 1;
}
