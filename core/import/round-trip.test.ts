import fc from 'fast-check';
import { expect, test } from 'vitest';
import { naturalgaiaSchema } from '../../schemas/import.ts';
import { swiftTrajectoryLine } from '../export/chat/swift.ts';
import { taskWith } from '../export/tasks-for-tests.ts';
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
