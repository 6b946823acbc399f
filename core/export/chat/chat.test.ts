import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTrajectory } from '../../import/naturalgaia.ts';
import { taskWith } from '../tasks-for-tests.ts';
import { codeWithoutMarks, withoutBlocks, withoutMarks } from './marks.ts';
import { chatLines } from './messages.ts';
import { swiftGroundingLines, swiftTrajectoryLine } from './swift.ts';

const marksIn = (messages: { content: string }[], mark = '<image>') =>
  messages.reduce((sum, { content }) => sum + content.split(mark).length - 1, 0);

/** Texts as a person might write them to break a loader. */
const nasty = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('<image>', '</image>', '<bbox> <video>', 'Code:\nrm', '=== Step9 ===', '</think>', '<answer>', ' '),
);

describe('conversations', () => {
  test('users and assistants alternate, the count is even, there are as many marks as pictures, whatever people wrote', () => {
    const steps = fc.array(fc.record({ narration: nasty, thought: fc.option(nasty), text: nasty }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(steps, nasty, fc.constantFrom('task' as const, 'step' as const), (specs, goal, samples) => {
        const subtask = specs.map(({ text, ...said }) => ({ ...said, kind: 'type' as const, text: `x${text}` }));
        for (const { messages, images } of chatLines(taskWith([subtask], { goal }), 'llamafactory', samples).lines) {
          expect(messages.map(({ role }) => role)).toEqual(messages.map((_, at) => (at % 2 ? 'assistant' : 'user')));
          expect(messages.length % 2).toBe(0);
          expect(marksIn(messages)).toBe(images.length);
          expect(marksIn(messages, '<video>') + marksIn(messages, '<bbox>')).toBe(0);
        }
      }),
    );
  });

  test('a task is one conversation; an answer says what was written of the step, and its code last', () => {
    const task = taskWith([[{ thought: 'Why', actionThought: 'How' }, {}]]);
    expect(chatLines(task, 'llamafactory', 'task').lines).toEqual([
      {
        messages: [
          { role: 'user', content: '<image>Make a slide' },
          {
            role: 'assistant',
            content: 'Thought: Why\nAction Thought: How\nAction: Step 1\nCode:\npyautogui.click(x=0.1, y=0.4)',
          },
          { role: 'user', content: '<image>' },
          { role: 'assistant', content: 'Action: Step 2\nCode:\npyautogui.click(x=0.1, y=0.4)' },
          { role: 'user', content: '<image>' },
          { role: 'assistant', content: "Code:\ncomputer.terminate(status='success')" },
        ],
        images: ['images/PPT_1_1_1_before.png', 'images/PPT_1_1_2_before.png', 'images/PPT_1_1_end.png'],
      },
    ]);
  });

  test('or one a step, with the steps so far in words', () => {
    const { lines } = chatLines(taskWith([[{}, {}]]), 'llamafactory', 'step');
    expect(lines.map(({ messages, images }) => [messages[0]!.content, images])).toEqual([
      ['<image>Make a slide', ['images/PPT_1_1_1_before.png']],
      ['<image>Make a slide\n\nSteps so far:\n1. Step 1', ['images/PPT_1_1_2_before.png']],
      ['<image>Make a slide\n\nSteps so far:\n1. Step 1\n2. Step 2', ['images/PPT_1_1_end.png']],
    ]);
    const broken = chatLines(taskWith([[{ narration: 'Type\n2. more' }, {}]]), 'llamafactory', 'step').lines[1]!;
    expect(broken.messages[0]!.content).toBe('<image>Make a slide\n\nSteps so far:\n1. Type 2. more');
  });
});

test('a drag that ends at the pixel which its begin is in thousandths keeps both places apart', () => {
  const drag = { start: { x: -99, y: 1, t: 0, display: 2 }, end: { x: -90, y: 20, t: 9, display: 2 } };
  const narration = 'Drag from (1, 1) to (10, 20)';
  const task = taskWith([[{ kind: 'drag', ...drag, narration, pixels: true }]]);
  const [line] = chatLines(task, 'x', 'task', 'qwen').lines;
  expect(line!.messages[1]!.content).toContain('Drag from (10, 20) to (100, 400)');
});

describe('the trajectory form of NaturalGAIA', () => {
  test('has a think block and an Observation block a step, each heading only where somebody wrote', () => {
    const said = { thought: 'Why', actionThought: 'How', observation: 'Seen' };
    const { line } = swiftTrajectoryLine(taskWith([[said, { afterImage: null }]], { answer: 'Jay' }));
    expect(line).toEqual({
      messages: [
        { role: 'user', content: 'Make a slide' },
        {
          role: 'assistant',
          content: [
            '=== Step1 ===\n\n<think>\n\n<image>\n\n**Thought**\nWhy\n\n**Action Thought**\nHow\n\n**Action**\nStep 1\n\n</think>',
            '<Observation>\n\n<image>\n\n**Observation**\nSeen\n\n</Observation>',
            '=== Step2 ===\n\n<think>\n\n<image>\n\n**Action**\nStep 2\n\n</think>',
          ].join('\n\n'),
        },
      ],
      images: ['images/PPT_1_1_1_before.png', 'images/PPT_1_1_1_after.png', 'images/PPT_1_1_2_before.png'],
      solution: '<answer>Jay</answer>',
    });
  });

  test('a still that is shown twice is listed twice', () => {
    const shared = { path: 'shared.png', width: 100, height: 50, origin: { x: -100, y: 0 } };
    const { line } = swiftTrajectoryLine(taskWith([[{ afterImage: shared }, { beforeImage: shared }]]));
    expect(line!.images.slice(0, 3)).toEqual([
      'images/PPT_1_1_1_before.png',
      'images/PPT_1_1_1_after.png',
      'images/PPT_1_1_1_after.png',
    ]);
  });

  test('it comes back through the importer of NaturalGAIA: pictures and every text', () => {
    const said = { thought: 'Why\nreally', actionThought: 'How', observation: 'Seen' };
    const { line } = swiftTrajectoryLine(taskWith([[said, {}]], { answer: 'Jay' }));
    expect(readTrajectory(line!)).toMatchObject({
      goal: 'Make a slide',
      solution: 'Jay',
      problems: [],
      steps: [
        { number: 1, before: 0, after: 1, ...said, action: 'Step 1' },
        { number: 2, before: 2, after: 3, thought: null, actionThought: null, observation: null, action: 'Step 2' },
      ],
    });
  });

  test('shows no code, so steps without input and with keys that have no name stand in it', () => {
    const steps = [
      { kind: 'wait' as const, id: 'r1:3s' },
      { kind: 'press' as const, keys: ['Hyper'], holdMs: null },
    ];
    const { line, trajectory } = swiftTrajectoryLine(taskWith([steps]));
    expect(line!.images).toHaveLength(4);
    expect(trajectory.leftOut).toEqual([]);
  });

  test('nobody answered: there is no solution', () => {
    expect(swiftTrajectoryLine(taskWith([[{}]])).line!.solution).toBeNull();
  });

  test('no text parts the form or adds a mark', () => {
    fc.assert(
      fc.property(fc.array(nasty, { minLength: 1, maxLength: 4 }), nasty, (texts, goal) => {
        const steps = texts.map((text) => ({ narration: text, thought: text, observation: text }));
        const { line } = swiftTrajectoryLine(taskWith([steps], { goal }));
        if (!line) return;
        const [, { content } = { content: '' }] = line.messages;
        expect(marksIn(line.messages)).toBe(line.images.length);
        expect([...content.matchAll(/^=== Step(\d+) ===$/gm)].map(([, number]) => Number(number))).toEqual(
          texts.map((_, at) => at + 1),
        );
        expect(content.split('</think>')).toHaveLength(texts.length + 1);
      }),
    );
  });
});

test('grounding asks for each named element that was pointed at; the box is left, top, right, bottom', () => {
  const element = { name: 'Insert tab', box: { x: 5, y: 10, width: 20, height: 30 } };
  const task = taskWith([
    [{ element }, { element: { ...element, name: '' } }, { kind: 'press', keys: ['a'], element }, {}],
  ]);
  const { lines, elements } = swiftGroundingLines(task);
  expect(lines).toEqual([
    {
      messages: [
        { role: 'user', content: '<image>Find the <ref-object> in the image' },
        { role: 'assistant', content: '<bbox>' },
      ],
      images: ['images/PPT_1_1_1_before.png'],
      objects: { ref: ['Insert tab'], bbox: [[5, 10, 25, 40]], bbox_type: 'real' },
    },
  ]);
  expect(elements.leftOut.map(({ reason }) => reason)).toEqual([
    'its element has no name',
    'a press points at no element',
    'nobody drew its element’s box',
  ]);
});

test('marks are taken out of texts, of blocks too, and out of code without changing what it means', () => {
  expect(withoutMarks('a <image> b </ref-object> <b>')).toBe('a &lt;image&gt; b &lt;/ref-object&gt; <b>');
  expect(withoutBlocks('</think>\n=== Step2 ===')).toBe('&lt;/think&gt;\n== Step2 ==');
  expect(codeWithoutMarks("pyautogui.write(message='<image>')")).toBe("pyautogui.write(message='\\x3cimage>')");
  // Those that end a model's reasoning, or its turn, are none in a text either.
  expect(withoutMarks('Click </think> then <|im_end|>')).toBe('Click &lt;/think&gt; then &lt;|im_end|>');
  expect(codeWithoutMarks("pyautogui.write(message='</think><|im_end|>')")).toBe(
    "pyautogui.write(message='\\x3c/think>\\x3c|im_end|>')",
  );
});

test('a made narration says its place in the unit of the code beside it; a trace without code keeps pixels', () => {
  const step = { narration: 'Click at (10, 20)', pixels: true as const };
  const task = taskWith([[step]]);
  const [made] = chatLines(task, 'llamafactory', 'task').lines;
  expect(made!.messages[1]!.content).toBe('Action: Click at (0.1, 0.4)\nCode:\npyautogui.click(x=0.1, y=0.4)');
  expect(swiftTrajectoryLine(task).line!.messages[1]!.content).toContain('Click at (10, 20)');
  // A text that a person wrote stays as it is.
  const own = taskWith([[{ narration: 'Click at (10, 20)' }]]);
  expect(chatLines(own, 'llamafactory', 'task').lines[0]!.messages[1]!.content).toContain('(10, 20)');
});
