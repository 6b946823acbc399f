import { describe, expect, test } from 'vitest';
import { DEFAULT_OPTIONS } from '../../../schemas/evaluate.ts';
import { readKeys } from '../keys/score.ts';
import { FORM_EXAMPLES } from './answer-forms-for-tests.ts';
import { answerPart } from './answer-part.ts';
import { clickPlace, dragPlaces, whyNoPlace } from './places.ts';
import { type AnswerAct, readActs } from './tool-acts.ts';

/** One act in the words of the examples. */
function words(act: AnswerAct): string {
  const place = (at: readonly number[] | null): string => (at ? at.join(',') : 'here');
  const held = 'held' in act ? act.held.map((key) => `${key}+`).join('') : '';
  switch (act.do) {
    case 'click':
      return `${act.button === 'left' ? '' : `${act.button} `}${held}click${act.count > 1 ? ` x${act.count}` : ''} ${place(act.at)}`;
    case 'move':
      return `move ${place(act.at)}`;
    case 'button':
      return `${act.down ? 'down' : 'up'} ${act.button} ${place(act.at)}`;
    case 'drag':
      return `${held}drag ${act.path.map(place).join(' > ')}`;
    case 'scroll':
      return `${held}scroll ${place(act.at)} by ${act.dx},${act.dy}`;
    case 'chord':
      return `keys ${act.keys.join('+')}${act.ms === null ? '' : ` for ${act.ms}`}`;
    case 'key':
      return `${act.down ? '+' : '-'}${act.key}`;
    case 'type':
      return `type ${JSON.stringify(act.text)}`;
    case 'wait':
      return `wait ${act.ms}`;
  }
}
const readingOf = (answer: string) => readActs(answerPart(answer));

describe.each(FORM_EXAMPLES)('$title (M34)', ({ form, scale, examples }) => {
  test('has twenty examples', () => {
    expect(examples.length).toBe(20);
    expect(new Set(examples.map(([answer]) => answer)).size).toBe(20);
  });
  test.each(examples)('%s', (answer, acts) => {
    const read = readingOf(answer);
    expect(read?.acts.map(words).join('; ')).toBe(acts);
    expect([read?.form, read?.scale]).toEqual([form, scale]);
  });
});

test('evaluate reads the same acts: the place of a click, the ends of a drag, the keys that go down', () => {
  const size = { width: 1280, height: 720 };
  for (const { examples, scale } of FORM_EXAMPLES) {
    for (const [answer, acts] of examples) {
      const click = /^(?:\w+ )?(?:\w+\+)*click(?: x\d)? ([\d.,]+)$/.exec(acts);
      if (click)
        expect([answer, clickPlace(answer, size)]).toEqual([
          answer,
          { numbers: click[1]!.split(',').map(Number), scale },
        ]);
      const drag = /^(?:\w+\+)*drag ([\d,]+)(?: > [\d,]+)* > ([\d,]+)$/.exec(acts);
      if (drag) {
        const ends = drag.slice(1).map((one) => one.split(',').map(Number));
        expect([answer, dragPlaces(answer, size)?.map(({ numbers }) => numbers)]).toEqual([answer, ends]);
      }
      const keys = /^keys (\S+)$/.exec(acts);
      if (keys)
        expect([answer, readKeys(answer, DEFAULT_OPTIONS)]).toMatchObject([
          answer,
          { kind: 'keys', keys: keys[1]!.split('+') },
        ]);
    }
  }
  const drag = JSON.stringify([
    { type: 'tool_use', name: 'left_mouse_down', input: { coordinate: [1, 2] } },
    { type: 'tool_use', name: 'mouse_move', input: { coordinate: [30, 40] } },
    { type: 'tool_use', name: 'left_mouse_up', input: {} },
  ]);
  expect(dragPlaces(drag, size)).toEqual([
    { numbers: [1, 2], scale: 'pixels' },
    { numbers: [30, 40], scale: 'pixels' },
  ]);
  const moved = '{"actions": [{"type": "move", "x": 5, "y": 6}, {"type": "keypress", "keys": ["CTRL"]}]}';
  expect(clickPlace(moved, size)?.numbers).toEqual([5, 6]);
});

test('records that are no text are read as their text is', () => {
  for (const { examples } of FORM_EXAMPLES) {
    for (const [answer] of examples) {
      if (!/^[[{]/.test(answer) || answer.startsWith("{'")) continue;
      expect(readActs(JSON.parse(answer))).toEqual(readActs(answer));
    }
  }
});

describe('places in words (M7)', () => {
  const size = { width: 1920, height: 1080 };
  test.each([
    ['Best guess: [79, 115]. Alternatives: [300, 200], [5, 5]', [79, 115]],
    ['Best guess [79, 115]. Alternatives [300, 200]', [79, 115]],
    ['[79, 115]; otherwise [300, 200]', [79, 115]],
    ['[79, 115], not [300, 200]', [79, 115]],
    ['Click [79, 115] rather than [300, 200].', [79, 115]],
    ['Click [79, 115] instead of the icon at [300, 200].', [79, 115]],
    ['Not [300, 200] but [79, 115]', [79, 115]],
    ['As of [2026, 11] it is at [79, 115]', [79, 115]],
    ['It is at [79, 115] as of [2026, 11].', [79, 115]],
    ['(1,888, 1,040)', [1888, 1040]],
    ['[1,888, 540]', [1888, 540]],
    ['[79, 1,040]', [79, 1040]],
    ['- **X:** 79\n- **Y:** 115', [79, 115]],
    ['- x: 79\n- y: 115', [79, 115]],
    ['* **x**: 79\n* **y**: 115', [79, 115]],
    ['| x | y |\n|---|---|\n| 79 | 115 |', [79, 115]],
    ['| Element | X | Y |\n| :--- | ---: | ---: |\n| File | 79 | 115 |', [79, 115]],
    ['横坐标：79，纵坐标：115', [79, 115]],
    ['横坐标为79，纵坐标为115。', [79, 115]],
    ['[79px, 115px]', [79, 115]],
    ['(79 px, 115 px)', [79, 115]],
    ['x = 79 pixels, y = 115 pixels', [79, 115]],
    ['{"x": "79px", "y": "115px"}', [79, 115]],
  ])('%s', (answer, place) => {
    expect(clickPlace(answer, size)?.numbers).toEqual(place);
  });

  test.each([
    ['[25%, 40%]', [25, 40], '0-100'],
    ['x: 25%, y: 40%', [25, 40], '0-100'],
    ['(12.5 %, 40 %)', [12.5, 40], '0-100'],
    ['{"x": "25%", "y": "40%"}', [25, 40], '0-100'],
    ['[{"point": [115, 79], "label": "File"}]', [79, 115], '0-1000'],
    ['```json\n[{"point": [115, 79], "label": "File"}]\n```', [79, 115], '0-1000'],
    ['<box>115,79,117,81</box>', [79, 115, 81, 117], '0-1000'],
  ] as const)('%s says its scale', (answer, numbers, scale) => {
    expect(clickPlace(answer, size)).toEqual({ numbers, scale });
  });

  test.each([
    ['[0, 0, 1920, 1080]', 'whole picture'],
    ['[0, 0, 1000, 1000]', 'whole picture'],
    ['{"bbox": [0, 0, 1919, 1079]}', 'whole picture'],
    ['<box>0,0,1000,1000</box>', 'whole picture'],
    ['As of [2026, 11]', 'date'],
    ['{"point": [115, 79]}', '[y, x]'],
    ['[{"point": [115, 79]}]', '[y, x]'],
  ])('%s is no answer, and the reason is said', (answer, why) => {
    expect(clickPlace(answer, size)).toBeNull();
    expect(whyNoPlace(answer, size)).toContain(why);
  });
});

test('a drag over the whole picture is one, where nothing else is written', () => {
  const read = (text: string) => dragPlaces(text, { width: 1920, height: 1080 })?.map(({ numbers }) => numbers) ?? null;
  const corners = [
    [0, 0],
    [1919, 1079],
  ];
  for (const text of ['[[0, 0], [1919, 1079]]', '[0, 0, 1919, 1079]', '0 0 1919 1079'])
    expect(read(text)).toEqual(corners);
  expect(read('The screen is [0, 0, 1920, 1080]. Drag from [3, 4] to [5, 6].')).toEqual([
    [3, 4],
    [5, 6],
  ]);
});

test('a box without an extent is a point, on the smallest picture too', () => {
  expect(clickPlace('[1, 1, 1, 1]', { width: 2, height: 2 })?.numbers).toEqual([1, 1, 1, 1]);
});
