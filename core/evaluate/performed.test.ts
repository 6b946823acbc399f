import { describe, expect, test } from 'vitest';
import { DEFAULT_OPTIONS, type ScoredCase } from '../../schemas/evaluate.ts';
import { caseOf } from './case-for-tests.ts';
import type { Act } from './keys/acts.ts';
import { actsOfKeys } from './keys/presses.ts';
import { keyActs } from './keys/score.ts';
import { performedCounts, withPerformed } from './performed.ts';
import { scoreCase } from './score-case.ts';

const shown = (acts: readonly Act[] | null): string | null =>
  acts?.map((act) => (act.do === 'key' ? `${act.down ? '+' : '-'}${act.key}` : act.do)).join(' ') ?? null;
const actsOf = (answer: string | string[]): string | null => shown(keyActs(answer, DEFAULT_OPTIONS));

describe('an answer as it is performed (M32)', () => {
  const CASES: [what: string, answer: string | string[], acts: string | null][] = [
    ['a shortcut', "pyautogui.hotkey('ctrl', 'z')", '+ctrl +z -z -ctrl'],
    ['a text', "pyautogui.write('Hi')", '+H -H +i -i'],
    ['a key that the program never lets go of', "pyautogui.keyDown('ctrl')\npyautogui.press('x')", '+ctrl +x -x -ctrl'],
    ['a key that was not down', "pyautogui.keyUp('a')\npyautogui.press('b')", '+b -b'],
    ['keys that the library ignores', "pyautogui.press('ctrl+f')\npyautogui.press('b')", '+b -b'],
    ['names in a list: modifiers are held', ['ctrl', 'c', 'ctrl', 'v'], '+ctrl +c -c -ctrl +ctrl +v -v -ctrl'],
    ['two modifiers', 'Ctrl+Shift+T', '+ctrl +shift +t -t -shift -ctrl'],
    ['a modifier alone', 'Win', '+win -win'],
    ['what does something else', "import os\nos.system('id')\npyautogui.press('a')", null],
    ['nothing', "print('done')", null],
  ];
  test.each(CASES)('%s', (_, answer, acts) => expect(actsOf(answer)).toBe(acts));

  test('lets go of everything', () => {
    const acts = actsOfKeys(['shift', 'ctrl', 'alt', 'a', 'win']);
    const balance = new Map<string, number>();
    for (const act of acts)
      if (act.do === 'key') balance.set(act.key, (balance.get(act.key) ?? 0) + (act.down ? 1 : -1));
    expect([...balance.values()]).toEqual(acts.flatMap((act) => (act.do === 'key' && act.down ? [0] : [])));
  });
});

describe('performing beside reading (M32)', () => {
  const truth = ['ctrl', 'z'];
  const scored = (prediction: string): ScoredCase =>
    scoreCase(caseOf({ kind: 'keys', keys: truth }, { id: 'a' }), prediction, DEFAULT_OPTIONS, 'pixels');
  const read = scored("pyautogui.hotkey('ctrl', 'z')");

  test('where both give the same keys, the case says so and its scores stay', () => {
    const both = withPerformed(read, truth, { keys: ['Control', 'z'] }, DEFAULT_OPTIONS);
    expect(both).toMatchObject({
      notes: [],
      scores: { recall: 1 },
      performed: { same: true, scores: { recall: 1, precision: 1 } },
    });
  });

  test('where they differ, both are shown, and the scores of the reading stay', () => {
    const differ = withPerformed(read, truth, { keys: ['ctrl'] }, DEFAULT_OPTIONS);
    expect(differ.scores).toEqual(read.scores);
    expect(differ.performed).toMatchObject({ same: false, keys: ['ctrl'], scores: { recall: 0, precision: 0 } });
    expect(differ.notes).toContain('performed-otherwise');
    expect(differ.why).toContain('Read, it presses ctrl z; performed on a stage, the recorder saw ctrl.');
  });

  test('what was not performed says why and counts in no mean', () => {
    const not = withPerformed(read, truth, { why: 'the display went away' }, DEFAULT_OPTIONS);
    expect(not).toMatchObject({ notes: ['not-performed'], performed: { keys: null, same: null } });
    const counts = performedCounts();
    for (const one of [read, not, withPerformed(read, truth, { keys: ['ctrl'] }, DEFAULT_OPTIONS)]) counts.add(one);
    counts.add(withPerformed(read, truth, { keys: truth }, DEFAULT_OPTIONS));
    expect(counts.result()).toEqual({ same: 1, otherwise: 1, not: 1, recall: 0.5, precision: 0.5 });
  });
});
