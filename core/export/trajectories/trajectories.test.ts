import { describe, expect, test } from 'vitest';
import { taskWith } from '../tasks-for-tests.ts';
import { agentnetLine } from './agentnet.ts';
import { agentnetBenchOf } from './agentnetbench.ts';
import { opencuaLine } from './opencua.ts';

const BOX = { x: 5, y: 10, width: 20, height: 20 };
const ELEMENT = { name: 'Insert tab', box: BOX };

describe('AgentNet', () => {
  test('a task is a line: steps over all subtasks, and one that terminates on the last screen', () => {
    const task = taskWith([[{ element: ELEMENT }], [{ kind: 'press', keys: ['Enter'] }]]);
    const { line } = agentnetLine(task);
    expect(line).toMatchObject({ task_id: 'PPT_1', instruction: 'Make a slide', task_completed: true });
    expect(line!.traj.map(({ index, image, value }) => [index, image, value.code])).toEqual([
      [0, 'PPT_1_1_1_before.png', 'pyautogui.click(x=0.1, y=0.4)'],
      [1, 'PPT_1_2_1_before.png', "pyautogui.press(keys=['enter'])"],
      [2, 'PPT_1_2_end.png', "computer.terminate(status='success')"],
    ]);
  });

  test('what nobody wrote is null, what somebody wrote stands in its place', () => {
    const said = {
      thought: 'The picture is missing.',
      actionThought: 'The tab opens it.',
      observation: 'It is there.',
    };
    const { line } = agentnetLine(taskWith([[said, {}]], { state: 'recorded' }));
    expect(line!.traj.map(({ value }) => [value.thought, value.observation, value.reflection])).toEqual([
      ['The picture is missing.\n\nThe tab opens it.', null, 'It is there.'],
      [null, null, null],
      [null, null, null],
    ]);
    expect([line!.task_completed, line!.alignment_score, line!.reason]).toEqual([null, null, null]);
  });

  test('steps without a picture are left out with the reason; a held press says what is lost', () => {
    const task = taskWith([[{ beforeImage: null }, { holdMs: 1200 }, { at: [100, 0] }]]);
    const { line, trajectory } = agentnetLine(task);
    expect(line!.traj).toHaveLength(2);
    expect(trajectory.leftOut).toEqual([
      { item: 'PPT_1/1/1', from: 'agentnet', reason: 'there is no picture of the screen before it' },
      { item: 'PPT_1/1/2', from: 'agentnet/hold', reason: 'that it was held for 1200 ms' },
      {
        item: 'PPT_1/1/3',
        from: 'agentnet',
        reason: 'its start (100, 0) lies outside of the picture of 100 x 50',
      },
    ]);
  });

  test('an imported step without input is left out: no code is made up for it', () => {
    const { line, trajectory } = agentnetLine(taskWith([[{ kind: 'wait', id: 'r1:3s' }, {}]]));
    expect(line!.traj.map(({ image }) => image)).toEqual(['PPT_1_1_2_before.png', 'PPT_1_1_end.png']);
    expect(trajectory.leftOut).toEqual([
      { item: 'PPT_1/1/1', from: 'agentnet', reason: 'what was done is not known: no input was recorded' },
    ]);
  });

  test('without a picture of the end nothing terminates, and it is said', () => {
    const { line, trajectory } = agentnetLine(taskWith([[{ afterImage: null }]]));
    expect(line!.traj).toHaveLength(1);
    expect(trajectory.leftOut).toMatchObject([{ item: 'PPT_1', from: 'agentnet/terminate' }]);
  });

  test('a task without any step, or without a goal, has no line', () => {
    expect(agentnetLine(taskWith([[{ beforeImage: null }]])).line).toBeNull();
    const { line, trajectory } = agentnetLine(taskWith([[{}]], { goal: ' ' }));
    expect([line, trajectory.leftOut[0]!.reason]).toEqual([null, 'it has no goal, so there is no instruction']);
  });
});

describe('OpenCUA', () => {
  test('screen, instruction, action; then screen and action in turn; the element with both its boxes', () => {
    const { line } = opencuaLine(taskWith([[{ element: ELEMENT }, { kind: 'type', text: 'a' }]]));
    // The format's own converter begins with a text about the form of the answers.
    expect(line!.content[0]).toMatchObject({ class_: 'text_observation', source: 'system' });
    expect(line!.content.map(({ class_ }) => class_)).toEqual([
      'text_observation',
      'image_observation',
      'text_observation',
      'gui_action',
      'image_observation',
      'gui_action',
      'image_observation',
      'gui_action',
    ]);
    expect(line!.content[3]).toMatchObject({
      instruction: 'Step 1',
      guiactions: [
        {
          action_type: 'click',
          args: { x: 0.1, y: 0.4 },
          target: {
            bbox: [0.05, 0.2, 0.25, 0.6],
            pixel_bbox: [5, 10, 25, 30],
            image_size: [100, 50],
            text: 'Insert tab',
          },
        },
      ],
    });
    expect(line).toMatchObject({ task_id: 'PPT_1', example_id: 'r1', type: 'end2end' });
  });

  test('its reader refuses unknown names: a click with a held key is left out, and says why', () => {
    const { line, trajectory } = opencuaLine(taskWith([[{ modifiers: ['ctrl'] }, {}]]));
    expect(line!.content.filter(({ class_ }) => class_ === 'gui_action')).toHaveLength(2);
    expect(trajectory.leftOut).toEqual([
      { item: 'PPT_1/1/1', from: 'opencua', reason: 'the format cannot say that ctrl was held' },
    ]);
  });
});

const DRAG = {
  kind: 'drag' as const,
  element: ELEMENT,
  drag: {
    startName: 'the toolbar',
    endName: 'the canvas',
    purpose: 'place it',
    kind: 'movement' as const,
    endBox: { x: 50, y: 10, width: 40, height: 20 },
  },
};

test('a drag has the box where it ends, where a format has a place for it', () => {
  const task = taskWith([[DRAG]]);
  const bench = agentnetBenchOf(task).file!.steps[0]!.ground_truth_actions;
  expect(bench.map(({ type, metadata }) => [type, metadata.bboxes?.map(({ abs_bbox }) => abs_bbox)])).toEqual([
    ['moveTo', [[5, 10, 20, 20]]],
    ['dragTo', [[50, 10, 40, 20]]],
  ]);
  const action = opencuaLine(task).line!.content.find(({ class_ }) => class_ === 'gui_action');
  expect(action).toMatchObject({
    guiactions: [
      { action_type: 'moveTo', target: { text: 'Insert tab' } },
      { action_type: 'dragTo', target: { text: 'the canvas', pixel_bbox: [50, 10, 90, 30] } },
    ],
  });
});

describe('AgentNetBench', () => {
  test('a monologue that nobody wrote is empty: its prompts would print a null as None', () => {
    const { file } = agentnetBenchOf(taskWith([[{}]]));
    const monologues = file!.steps.map(({ inner_monologue: { observation, thought } }) => [observation, thought]);
    expect(monologues).toEqual([
      ['', ''],
      ['', ''],
    ]);
  });

  test('the ground truth repeats the code, with the boxes that count as right', () => {
    const { file } = agentnetBenchOf(taskWith([[{ element: ELEMENT }, { kind: 'press', keys: ['Tab'], count: 2 }]]));
    expect(file!.steps.map(({ action, ground_truth_actions }) => [action, ground_truth_actions])).toEqual([
      [
        'pyautogui.click(x=0.1, y=0.4)',
        [
          {
            type: 'click',
            params: { position: { x: 0.1, y: 0.4 } },
            metadata: {
              bboxes: [{ category_id: 1, rel_bbox: [0.05, 0.2, 0.2, 0.4], abs_bbox: [5, 10, 20, 20], area: 400 }],
            },
          },
        ],
      ],
      ["pyautogui.press(keys=['tab'], presses=2)", [{ type: 'press', params: { keys: ['tab', 'tab'] }, metadata: {} }]],
      ["computer.terminate(status='success')", [{ type: 'terminate', params: { status: 'success' }, metadata: {} }]],
    ]);
  });

  test('a shortcut is written with its argument named, as the authors have it', () => {
    const { file } = agentnetBenchOf(taskWith([[{ kind: 'press', keys: ['ctrl', 'c'] }]]));
    expect(file!.steps[0]).toMatchObject({
      action: "pyautogui.hotkey(keys=['ctrl', 'c'])",
      ground_truth_actions: [{ type: 'hotkey', params: { keys: ['ctrl', 'c'] } }],
    });
  });

  test('the last step of a subtask is a milestone; what the evaluator cannot score is left out', () => {
    const { file, trajectory } = agentnetBenchOf(
      taskWith([
        [{}, {}],
        [{ button: 'middle' }, {}],
      ]),
    );
    expect(file!.steps.map(({ milestone }) => milestone)).toEqual([false, true, true, false]);
    expect(trajectory.leftOut.map(({ reason }) => reason)).toEqual(['the format has no action "middleClick"']);
  });

  test('more clicks than it has a name for are left out: its click has no number, and would be a single one', () => {
    const many = taskWith([[{}, { count: 4 }, { count: 2, button: 'right' }, { count: 2 }, { count: 3 }]]);
    const { file, trajectory } = agentnetBenchOf(many);
    expect(file?.steps.map((step) => step.ground_truth_actions.map(({ type }) => type))).toEqual([
      ['click'],
      ['doubleClick'],
      ['tripleClick'],
      ['terminate'],
    ]);
    expect(trajectory.leftOut.map(({ reason }) => reason)).toEqual([
      'the format has no action "click" of 4 clicks',
      'the format has no action "click" of 2 clicks',
    ]);
  });

  test('the box of a scroll counts only where the pointer was in it: its element may come into view later', () => {
    const scroll = { dx: 0, dy: 1, unit: 'notch' as const, natural: false };
    const step = (at: [number, number]) => ({ kind: 'scroll' as const, scroll, element: ELEMENT, at });
    const { file } = agentnetBenchOf(taskWith([[step([10, 20]), step([90, 20])]]));
    const boxes = file!.steps.slice(0, 2).map((each) => each.ground_truth_actions[0]!.metadata.bboxes!.length);
    expect(boxes).toEqual([1, 0]);
    expect(file!.steps[0]!.ground_truth_actions[1]).toEqual({
      type: 'scroll',
      params: { position: { x: 0.1, y: 0.4 }, amount: -1 },
      metadata: { bboxes: [] },
    });
  });

  test('entropy and frequency are of the action types', () => {
    const { file } = agentnetBenchOf(taskWith([[{}, {}, {}]]));
    expect(file!.meta_info).toMatchObject({
      action_frequency: { click: 3, terminate: 1 },
      action_entropy: 0.8113,
      system: 'Linux',
    });
  });
});
