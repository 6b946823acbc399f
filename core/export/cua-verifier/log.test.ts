import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifierActionSchema } from '../../../schemas/export-cua-verifier.ts';
import { taskWith } from '../tasks-for-tests.ts';
import { actionLog } from './log.ts';

const step = fc.record({
  kind: fc.constantFrom('click', 'drag', 'scroll', 'type', 'press', 'hover', 'wait'),
  at: fc.tuple(fc.integer({ min: -5, max: 105 }), fc.integer({ min: -5, max: 55 })),
  count: fc.integer({ min: 1, max: 5 }),
  button: fc.constantFrom('left', 'right', 'middle', 'back'),
  modifiers: fc.constantFrom<'ctrl'[]>([], ['ctrl']),
  text: fc.constantFrom('', 'Hi'),
  keys: fc.constantFrom<string[]>([], ['ctrl', 'c']),
  isPictured: fc.boolean(),
  isShownAfter: fc.boolean(),
});
const tasks = fc
  .tuple(
    fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('done', 'gave-up', 'rounds', null),
  )
  .map(([subtasks, how]) =>
    taskWith(
      subtasks.map((steps) =>
        steps.map(({ isPictured, isShownAfter, ...one }) => ({
          ...one,
          ...(!isPictured && { beforeImage: null }),
          ...(!isShownAfter && { afterImage: null }),
        })),
      ),
      how === null ? {} : { run: { agent: 'a', model: 'm', how, success: false, score: 0, helped: 0 } },
    ),
  );

test('law: line n stands on picture n, each line is of the schema, and no step is lost without a word', () => {
  fc.assert(
    fc.property(tasks, (task) => {
      const { lines, pictures, leftOut } = actionLog(task);
      const steps = task.subtasks.flatMap(({ actions }) => actions);
      const gone = leftOut.filter(({ from }) => from === 'cua-verifier-bench');
      const ends = lines.filter(({ action }) => action === 'terminate');
      const acts = lines.length - ends.length;
      expect(acts + gone.length).toBe(steps.length);
      if (acts === 0) {
        expect(pictures).toEqual([]);
        return;
      }
      const isEndShown = !leftOut.some(({ from }) => from === 'cua-verifier-bench/last');
      expect(pictures).toHaveLength(acts + (isEndShown ? 1 : 0));
      expect(pictures.map(({ name }) => name)).toEqual(pictures.map((_, at) => `screenshot${at}.png`));
      expect(ends).toHaveLength(task.run?.how === 'rounds' ? 0 : 1);
      for (const line of lines) expect(verifierActionSchema.parse(JSON.parse(JSON.stringify(line)))).toEqual(line);
      const others = lines.filter(({ action }) => action === 'other').length;
      expect(leftOut.filter(({ from }) => from === 'cua-verifier-bench/action')).toHaveLength(others);
      // A place is one in the picture that it stands on.
      for (const line of lines) {
        for (const [x, y] of [line.arguments.coordinate, line.arguments.start_coordinate].flatMap((one) =>
          one ? [one] : [],
        ))
          expect(x >= 0 && x < 100 && y >= 0 && y < 50).toBe(true);
      }
    }),
  );
});

test('a run that gave up ends as failed, a demonstration as done', () => {
  const ended = (how?: string): unknown =>
    actionLog(
      taskWith([[{}]], how ? { run: { agent: 'a', model: 'm', how, success: false, score: 0, helped: 0 } } : {}),
    ).lines.at(-1)?.arguments;
  expect(ended()).toMatchObject({ action: 'terminate', status: 'success' });
  expect(ended('gave-up')).toMatchObject({ action: 'terminate', status: 'failure' });
  expect(ended('stopped')).toMatchObject({ action: 'left_click' });
});

test('a task without a goal asks for nothing that could be judged', () => {
  const { lines, leftOut } = actionLog(taskWith([[{}]], { goal: ' ' }));
  expect(lines).toEqual([]);
  expect(leftOut[0]?.reason).toBe('it has no goal, so there is no instruction');
});
