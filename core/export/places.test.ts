import { expect, test } from 'vitest';
import { taskFacts } from './atif/trajectory.ts';
import { FORMATS, type FormatName } from './formats.ts';
import { unplaced } from './places.ts';
import { taskWith } from './tasks-for-tests.ts';

test('N11: every format counts the narrations that say pixels, but for a part without any', () => {
  const [said, unsaid] = [taskWith([[{}]]), taskWith([[{}, {}]])];
  for (const action of unsaid.subtasks[0]!.actions) action.pixels = true;
  const told = (task: typeof said, format: FormatName, parts: string[] = []) =>
    unplaced(task, format, parts).filter(({ from }) => from.endsWith('/pixels'));
  for (const { name: format } of FORMATS) {
    expect(told(said, format, ['messages', 'parquet'])).toEqual([]);
    expect(told(unsaid, format, ['messages', 'parquet'])).toMatchObject([
      { from: `${format}/pixels`, reason: expect.stringMatching(/^2 narrations say pixels/) },
    ]);
  }
  expect(told(unsaid, 'ms-swift', ['grounding'])).toEqual([]);
});

test('ms-swift says what the chosen parts have no place for: an answer and observations stand in the trajectory alone', () => {
  const task = taskWith([[{ thought: 'Why', observation: 'Seen' }]], { answer: '42' });
  const lacks = (...parts: string[]) => unplaced(task, 'ms-swift', parts).map(({ from }) => from.split('/')[1]);
  expect(lacks('messages', 'trajectory', 'grounding')).toEqual([]);
  expect(lacks('messages')).toEqual(['answer', 'observation']);
  expect(lacks('grounding')).toEqual(['answer', 'thought', 'observation']);
});

test('a format without boxes says how many it leaves out', () => {
  const task = taskWith([[{ element: { name: 'Save', box: { x: 1, y: 1, width: 5, height: 5 } } }, {}]]);
  const says = (format: FormatName, ...parts: string[]) =>
    unplaced(task, format, parts).flatMap(({ from, reason }) => (from.endsWith('/box') ? [`${from}: ${reason}`] : []));
  const lost = (from: string) => [`${from}/box: no place for the box of an element (1 of them)`];
  expect(says('agentnet')).toEqual(lost('agentnet'));
  expect(says('llamafactory')).toEqual(lost('llamafactory'));
  expect(says('ms-swift', 'messages')).toEqual(lost('ms-swift'));
  for (const name of ['lerobot', 'videocua'] as const) expect(says(name)).toEqual(lost(name));
  for (const { name } of FORMATS) {
    if (['agentnet', 'llamafactory', 'videogui', 'lerobot', 'videocua'].includes(name)) continue;
    expect(says(name, 'messages', 'grounding')).toEqual([]);
  }
});

const HOLDS_MARKS: readonly string[] = ['atif', 'osworld', 'cua-verifier-bench'];

test('marks stand in runs of ATIF and OSWorld and in trajectories of CUAVerifierBench; every other format says how many it leaves out', () => {
  const marks = [
    { recording: 'r', t: 5, kind: 'moment' as const, words: 'a good place' },
    { recording: 'r', t: 9, kind: 'moment' as const, words: '' },
  ];
  const task = taskWith([[{}]], { marks });
  expect(taskFacts(task).marks).toEqual([
    { recording: 'r', t_us: 5, kind: 'moment', words: 'a good place' },
    { recording: 'r', t_us: 9, kind: 'moment' },
  ]);
  expect(taskFacts(taskWith([[{}]]))).not.toHaveProperty('marks');
  for (const { name } of FORMATS)
    for (const part of ['parquet', 'messages', 'jsonl']) {
      const told = unplaced(task, name, [part]).filter(({ from }) => from === `${name}/marks`);
      const lost = {
        item: task.id,
        from: `${name}/marks`,
        reason: 'no place for 2 marks that were made while recording',
      };
      expect(told, `${name} ${part}`).toEqual(HOLDS_MARKS.includes(name) ? [] : [lost]);
      expect(unplaced(taskWith([[{}]]), name, [part]).filter(({ from }) => from.endsWith('/marks'))).toEqual([]);
    }
});
