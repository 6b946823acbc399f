import fc from 'fast-check';
import { expect, test } from 'vitest';
import { naturalgaiaSchema } from '../../schemas/import.ts';
import { atifOf } from '../export/atif/trajectory.ts';
import { swiftTrajectoryLine } from '../export/chat/swift.ts';
import { taskWith } from '../export/tasks-for-tests.ts';
import { screenRun } from './atif.ts';
import { readTrajectory } from './naturalgaia.ts';

/**
 * Texts as people write them, with what an export must not let a loader see; no heading of the form itself on a line of its
 * own.
 */
const words = fc
  .array(
    fc.constantFrom(
      'Open',
      'the menu',
      '<image>',
      '<think>',
      '</answer>',
      '&amp;',
      '**',
      '*bold*',
      '== x ==',
      '\n',
      'Ä 中 😀',
      '[664, 1023]',
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(' ').trim())
  .filter((text) => text !== '');
const said = fc.option(words, { nil: null });

test('a trajectory that was exported for training comes back with the same words and pictures (law)', () => {
  const step = fc.record({ narration: words, thought: said, actionThought: said, observation: said });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), said, (steps, answer) => {
      const task = taskWith([steps], { answer });
      const { line } = swiftTrajectoryLine(task);
      if (line === null) throw new Error('nothing was exported');
      const {
        goal,
        solution,
        steps: back,
        problems,
      } = readTrajectory(naturalgaiaSchema.parse(JSON.parse(JSON.stringify(line))));
      expect([goal, solution, problems]).toEqual([task.goal, answer, []]);
      expect(
        back.map(({ thought, actionThought, action, observation }) => ({
          narration: action,
          thought,
          actionThought,
          observation,
        })),
      ).toEqual(
        steps.map(({ narration, thought, actionThought, observation }) => ({
          narration,
          thought,
          actionThought,
          observation,
        })),
      );
      const shown = back.flatMap(({ before, after }) => [before, after]).filter((at) => at !== null);
      expect(shown).toEqual(line.images.map((_, at) => at));
    }),
  );
});

test('a reader of ATIF has a screen before every step, the first one included, by the standard fields alone', () => {
  const { file, pictures } = atifOf(taskWith([[{}, {}], [{}]]));
  if (file === null) throw new Error('nothing was exported');
  const run = screenRun(file);
  expect(run.steps).toHaveLength(3);
  for (const [at, { before }] of run.steps.entries()) expect(before, `step ${at + 1}`).not.toBeNull();
  const [first] = run.steps;
  expect(run.pictures[first?.before ?? -1]).toBe('images/PPT_1_1_1_before.png');
  expect(pictures.map(({ name }) => name)).toContain('PPT_1_1_1_before.png');
});
