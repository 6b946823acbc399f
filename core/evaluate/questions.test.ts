import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../schemas/actions.ts';
import type { ExportAction, ExportTask } from '../export/model.ts';
import { ask, at, divided, exported, prompts, still, task } from './question-for-tests.ts';
import { makeQuestions } from './questions.ts';

const CLICK = exported(1, { kind: 'click', start: at(12, 34), end: at(12, 34) });
const SCROLL = exported(2, {
  kind: 'scroll',
  start: at(5, 5),
  end: at(5, 5),
  scroll: { dx: 0, dy: 3, unit: 'notch', natural: false },
});

describe('questions about actions', () => {
  test('a click asks for its element; its truth is the pixel of the picture', () => {
    const [made] = ask('action', task([CLICK])).questions;
    expect(made!.question).toMatchObject({
      id: 'PPT_1/1/1',
      kind: 'click',
      software: 'PowerPoint',
      task: 'PPT_1',
      actions: 1,
      query: null,
      truth: { kind: 'click', point: [12, 34], width: 800, height: 600, box: null },
    });
    expect(made!.question.prompt).toContain('Insert tab');
    expect(made!.question.prompt).toContain('800x600');
    expect(made!.pictures).toEqual([CLICK.beforeImage]);
  });

  test('a scroll is asked twice, with both of its pictures: before it the direction is right, after it none (K7, M8)', () => {
    const { questions } = ask('action', task([SCROLL]));
    expect(
      questions.map(({ question: { id, truth }, pictures }) => [
        id,
        truth.kind === 'scroll' && truth.answer,
        pictures[0]!.path,
      ]),
    ).toEqual([
      ['PPT_1/1/2/before', 'down', '/b2.png'],
      ['PPT_1/1/2/after', 'none', '/a2.png'],
    ]);
    for (const { question } of questions) {
      const order = question.truth.kind === 'scroll' ? question.truth.order : [];
      const words = { none: 'No need to scroll.', down: 'Scroll down.', up: 'Scroll up.' };
      for (const [i, option] of order.entries()) expect(question.prompt).toContain(`[${'ABC'[i]}] ${words[option]}`);
    }
  });

  test('the order of options depends on the question and the seed alone', () => {
    const orders = (seed: number, ...actions: ExportAction[]) =>
      makeQuestions([task(actions)], 'action', { prompts, scrollOrder: 'shuffled', seed })
        .questions.filter(({ question }) => question.kind === 'scroll')
        .map(({ question }) => question.truth);
    expect(orders(1, SCROLL)).toEqual(orders(1, CLICK, SCROLL));
    const fixed = makeQuestions([task([SCROLL])], 'action', { prompts, scrollOrder: 'table27', seed: 1 });
    expect(fixed.questions[0]!.question.truth).toMatchObject({ order: ['none', 'down', 'up'] });
  });

  test('typed text and chords are keys in the order in which they go down, repeated as often as pressed', () => {
    const { questions } = ask(
      'action',
      task([
        exported(1, { kind: 'type', text: 'Hi\n' }),
        exported(2, { kind: 'press', keys: ['ctrl', 'c'] }),
        exported(3, { kind: 'press', keys: ['ArrowDown'], count: 2 }),
      ]),
    );
    expect(questions.map(({ question }) => question.truth)).toEqual([
      { kind: 'keys', keys: ['H', 'i', 'enter'] },
      { kind: 'keys', keys: ['ctrl', 'c'] },
      { kind: 'keys', keys: ['down', 'down'] },
    ]);
    expect(questions.every(({ pictures }) => pictures.length === 0)).toBe(true);
  });

  test('what cannot be asked is left out with its reason', () => {
    const drag: Partial<Action> = { kind: 'drag', start: at(1, 2), end: at(30, 40) };
    const { questions, leftOut } = ask(
      'action',
      task([
        { ...CLICK, element: null },
        exported(2, drag, 'x', 'Drag at (1, 2) to (30, 40)'),
        exported(3, drag, 'clip', 'Drag the clip to the timeline'),
        exported(4, { kind: 'wait' }),
        exported(5, { kind: 'scroll', scroll: { dx: 4, dy: 0, unit: 'notch', natural: false } }),
        { ...CLICK, rank: 6, beforeImage: null, positions: null },
        exported(7, { kind: 'click', start: at(-5, 3), end: at(-5, 3) }),
      ]),
    );
    expect(questions.map(({ question }) => question.id)).toEqual(['PPT_1/1/3']);
    expect(leftOut.map(({ item, reason }) => `${item} ${reason}`)).toEqual([
      'PPT_1/1/1 its element has no name',
      'PPT_1/1/2 its narration gives a position away: name the element, and where it is dragged',
      'PPT_1/1/4 the benchmark has no action "wait"',
      'PPT_1/1/5 the question knows up and down only, this scroll goes right',
      'PPT_1/1/6 there is no picture of the screen before it',
      'PPT_1/1/7 its position (-5, 3) lies outside of the picture',
    ]);
  });
});

describe('questions about plans', () => {
  test('mid-level: from both pictures, from the query, from the first picture and the query', () => {
    const { questions } = ask('mid', task([CLICK, exported(3, { kind: 'wait' })]));
    expect(
      questions.map(({ question, pictures }) => [question.id, question.prompt.split(':')[0], pictures.length]),
    ).toEqual([
      ['PPT_1/1/vision', 'mid-vision', 2],
      ['PPT_1/1/text', 'mid-text', 0],
      ['PPT_1/1/vision+text', 'mid-vision+text', 1],
    ]);
    expect(questions[0]!.question).toMatchObject({ actions: 2, truth: { kind: 'mid', steps: ['Do Insert tab'] } });
    expect(questions[0]!.question.prompt).not.toContain('Insert it');
    expect(questions[2]!.question.prompt).toContain('Insert it');
  });

  test('a subtask without a title is asked by its pictures alone, and its task no high-level plan (P5)', () => {
    const untitled = task([CLICK]);
    untitled.subtasks[0]!.query = ' ';
    const mid = ask('mid', untitled);
    expect(mid.questions.map(({ question }) => question.id)).toEqual(['PPT_1/1/vision']);
    expect(mid.leftOut.map(({ reason }) => reason)).toEqual([
      'text: it has no description',
      'vision+text: it has no description',
    ]);
    const high = ask('high', { ...untitled, subtasks: [...untitled.subtasks, ...divided([]).subtasks.slice(1)] });
    expect(high.questions).toEqual([]);
    expect(high.leftOut.map(({ reason }) => reason)).toEqual(['nobody gave a title to its subtasks 1']);
  });

  test('high-level: the prompt knows whether a picture of the beginning is there; a video is not shown as a picture', () => {
    const names = (visualQuery: ExportTask['visualQuery']) =>
      ask('high', divided([CLICK], { visualQuery })).questions.map(({ question }) => question.prompt.split(':')[0]);
    expect(names({ start: null, end: still('/e.png') })).toEqual(['high-vision', 'high-text', 'high-vision+text']);
    expect(names({ start: still('/s.jpg'), end: still('/e.png') })).toEqual([
      'high-vision-start',
      'high-text',
      'high-vision+text-start',
    ]);
    expect(names({ start: null, end: { path: '/effect.mp4' } })).toEqual(['high-text']);
  });
});

const WORDS = /[\p{L}\p{N}]+/gu;

describe('no prompt holds its own answer (M9)', () => {
  test('a recording that nobody divided has no high-level plan, whatever its one part is called', () => {
    for (const query of ['Make a slide', 'Insert it', '']) {
      const one = task([CLICK]);
      one.subtasks[0]!.query = query;
      expect(ask('high', one)).toMatchObject({
        questions: [],
        leftOut: [{ reason: 'it was not divided: with one subtask it has no high-level plan' }],
      });
    }
  });

  test('a description that says each step in its own words is not asked; the pictures are', () => {
    const goal = 'First insert it, then SAVE it!';
    const { questions, leftOut } = ask('high', divided([CLICK], { goal }));
    expect(questions.map(({ question }) => question.query)).toEqual(['vision']);
    expect(leftOut.map(({ reason }) => reason)).toEqual([
      'text: its description is its answer',
      'vision+text: its description is its answer',
    ]);
    const mid = task([exported(1, {}, 'x', 'Insert it.')]);
    expect(ask('mid', mid).questions.map(({ question }) => question.query)).toEqual(['vision']);
  });

  test('whatever tasks are called: who repeats the prompt of a plan has not said the plan', () => {
    const words = fc.array(fc.constantFrom('open', 'save', 'it', 'File', '保存', 'a.b', '-'), { maxLength: 3 });
    const text = words.map((list) => list.join(' '));
    fc.assert(
      fc.property(text, fc.array(fc.tuple(text, fc.array(text, { maxLength: 2 })), { maxLength: 3 }), (goal, parts) => {
        const subtasks = parts.map(([query, steps], at) => {
          const actions = steps.map((step, rank) => exported(rank + 1, { kind: 'type', text: 'x' }, 'x', step));
          return { id: at + 1, query, startImage: still('/s.png'), endImage: still('/e.png'), actions };
        });
        const one = { ...task([], { goal }), subtasks };
        for (const level of ['high', 'mid'] as const) {
          for (const { question } of ask(level, one).questions) {
            if (question.query === 'vision' || !('steps' in question.truth)) continue;
            const asked = level === 'high' ? goal : subtasks.find(({ id }) => question.id.includes(`/${id}/`))!.query;
            const plan = question.truth.steps.join(' ').toLowerCase().match(WORDS) ?? [];
            if (plan.length > 0) expect(plan.join(' ')).not.toBe((asked.toLowerCase().match(WORDS) ?? []).join(' '));
          }
        }
      }),
    );
  });
});

test('a wheel that is turned with Ctrl held zooms: it is no scroll and not asked (P8)', () => {
  const place = { x: 1005, y: 5, display: 1, t: 0 };
  const wheel = { dx: 0, dy: 3, unit: 'notch' as const, natural: false };
  const turned = (modifiers: ('ctrl' | 'shift')[]) =>
    ask('action', task([exported(1, { kind: 'scroll', start: place, end: place, scroll: wheel, modifiers })]));
  expect(turned([]).questions).toHaveLength(2);
  expect(turned(['ctrl']).questions).toEqual([]);
  expect(turned(['ctrl']).leftOut[0]?.reason).toContain('with ctrl held');
});

test('a beginning that is a video is not passed over: the ways that would show it are left out, with the reason', () => {
  const given = { path: '/files/1-begin', given: { ending: '.mp4' } };
  const one = divided([exported(1, {})]);
  const asked = (kind: 'full' | 'simple') =>
    makeQuestions([{ ...one, kind, visualQuery: { ...one.visualQuery, start: given } }], 'high', {
      prompts,
      scrollOrder: 'shuffled',
      seed: 1,
    });
  expect(asked('full').questions.map(({ question }) => question.query)).toEqual(['text']);
  expect(asked('full').leftOut.map(({ reason }) => reason.slice(0, 12))).toEqual(['vision: a pi', 'vision+text:']);
  expect(asked('simple')).toMatchObject({ questions: [], leftOut: [{ item: one.id }] });
});
