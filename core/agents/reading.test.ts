import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelReply } from '../../schemas/model-requests.ts';
import { forbiddenCall, forbiddenKeys } from './forbidden.ts';
import { listIn } from './prompts.ts';
import { type ReadOptions, wantedOf } from './reading.ts';

const options: ReadOptions = { screen: { width: 1000, height: 700 }, coordinates: null, held: [] };
const text = (said: string): ModelReply => ({ text: said, calls: [], raw: said, usage: null });
const calls = (raw: ModelReply['raw']): ModelReply => ({
  text: '',
  calls: [{ id: '1', name: 'computer', kind: 'computer' }],
  raw,
  usage: null,
});

describe('the end of a run', () => {
  test.each([
    ['DONE', 'done', ''],
    ['It is saved.\nDONE: the file is saved', 'done', 'the file is saved'],
    ['```\nDONE\n```', 'done', ''],
    ['**FAIL**: there is no such menu', 'gave-up', 'there is no such menu'],
    ['INFEASIBLE', 'gave-up', ''],
    ["finished(content='all of it')", 'done', 'all of it'],
    ['{"action": "terminate", "status": "failure"}', 'gave-up', 'terminate failure'],
  ])('%j', (said, how, why) => {
    expect(wantedOf(text(said), options)).toEqual({ kind: 'end', ending: { how, why } });
  });

  test('acts with DONE are done first; a word in a sentence ends nothing', () => {
    const both = wantedOf(text('```python\npyautogui.click(1, 2)\n```\nDONE'), options);
    expect(both).toMatchObject({ kind: 'acts', ending: { how: 'done' } });
    expect(wantedOf(text('When it is DONE I will say so.'), options)).toMatchObject({ kind: 'unclear' });
  });
});

describe('what is not clear is said and not guessed', () => {
  test.each([
    ['', 'the answer is empty'],
    ['I would click the button.', 'no action'],
    ["click(point='<point>500 300</point>')", 'pixels or parts of the screen'],
    ['pyautogui.click(0.5, 0.25)', 'parts of the screen or pixels'],
    ['pyautogui.click(x=.5, y=.25)', 'parts of the screen or pixels'],
    ['pyautogui.press("nosuchkey")', 'no key called nosuchkey'],
    ['pyautogui.click(', 'line 1'],
    ['{"type": "computer_call", "action": {"type": "click", "x": 1000, "y": 5}}', 'not on the screen'],
  ])('%j', (said, why) => {
    expect(wantedOf(text(said), options)).toMatchObject({ kind: 'unclear', why: expect.stringContaining(why) });
  });

  test('a unit that was named reads the same form; waiting for half a second is no place', () => {
    const named = wantedOf(text("click(point='<point>500 300</point>')"), { ...options, coordinates: '0-1000' });
    expect(named).toMatchObject({ kind: 'acts', steps: [{ acts: [{ do: 'click', at: [500, 210] }] }] });
    expect(wantedOf(text('import pyautogui\npyautogui.sleep(0.5)'), options).kind).toBe('acts');
  });
});

test('a unit that was named is that of places in code, too', () => {
  const acts = (code: string, coordinates: ReadOptions['coordinates']) => {
    const wanted = wantedOf(text(code), { ...options, coordinates });
    return wanted.kind === 'acts' ? wanted.steps.flatMap((step) => step.acts) : wanted;
  };
  const click = (x: number, y: number) => ({ do: 'click', at: [x, y], button: 'left', count: 1 });
  expect(acts('pyautogui.click(500, 500)', '0-1000')).toEqual([click(500, 350)]);
  expect(acts('pyautogui.click(0.5, 0.5)', '0-1')).toEqual([click(500, 350)]);
  expect(acts('pyautogui.click(1000, 1000)', '0-1000')).toEqual([click(999, 699)]);
  expect(acts('pyautogui.click(500, 500)', 'pixels')).toEqual([click(500, 500)]);
  expect(acts('pyautogui.moveTo(100, 100)\npyautogui.dragTo(200, 500)', '0-1000')).toEqual([
    { do: 'move', at: [100, 70] },
    { do: 'drag', from: [100, 70], to: [200, 350], button: 'left' },
  ]);
  expect(acts('pyautogui.click(1200, 10)', '0-1000')).toMatchObject({
    kind: 'unclear',
    why: expect.stringMatching(/not on the screen/),
  });
  expect(acts('pyautogui.click(0.5, 0.5)', null)).toMatchObject({ kind: 'unclear' });
});

test('words of Responses beside a call are no call', () => {
  const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I click.' }] };
  const call = { type: 'computer_call', call_id: '1', actions: [{ type: 'click', x: 5, y: 6, button: 'left' }] };
  expect(wantedOf(calls([message, call]), options)).toMatchObject({ kind: 'acts', steps: [{ what: 'click 5, 6' }] });
});

test('doubts that only a person may set aside are refused', () => {
  const openai = {
    type: 'computer_call',
    call_id: '1',
    action: { type: 'wait' },
    pending_safety_checks: [{ id: 'x' }],
  };
  const gemini = {
    parts: [
      { functionCall: { name: 'click', args: { x: 1, y: 1, safety_decision: { decision: 'require_confirmation' } } } },
    ],
  };
  for (const raw of [openai, gemini]) expect(wantedOf(calls(raw), options)).toMatchObject({ kind: 'refused' });
});

describe('what is forbidden', () => {
  test('keys that leave the stage, also when they go down in one answer after the other', () => {
    const first = wantedOf(text('pyautogui.keyDown("ctrl")\npyautogui.keyDown("alt")'), options);
    expect(first).toMatchObject({ kind: 'acts', held: ['ctrl', 'alt'] });
    const held = first.kind === 'acts' ? first.held : [];
    expect(wantedOf(text('pyautogui.press("f2")'), { ...options, held })).toMatchObject({ kind: 'refused' });
    expect(wantedOf(text('pyautogui.press("a")'), { ...options, held }).kind).toBe('acts');
    expect(wantedOf(text('pyautogui.hotkey("alt", "f4")'), options).kind).toBe('acts');
  });

  test('in whatever order they go down', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(['ctrl', 'alt', 'f7'], { minLength: 3 }),
        fc.array(fc.constantFrom('shift', 'a', 'enter'), { maxLength: 3 }),
        (chord, others) => {
          const acts = [...others, ...chord].map((key) => ({ do: 'key' as const, key, down: true }));
          expect(forbiddenKeys(acts, []).why).toContain('ctrl+alt+f7');
          expect(forbiddenKeys(acts, []).held).toEqual([]);
        },
      ),
    );
  });

  test('tools of other agents by their names; none of the computer tools is among them', () => {
    for (const name of ['bash', 'run_python', 'str_replace_based_edit_tool', 'open_url', 'web_search', 'launch_app'])
      expect(forbiddenCall(name)).toContain('not allowed');
    const own =
      'click left_click double_click type key hold_key scroll wait zoom cursor_position screenshot mouse_move drag_and_drop press_key key_down hotkey type_text_at key_combination terminate finished keypress move';
    for (const name of own.split(' ')) expect(forbiddenCall(name)).toBeNull();
  });
});

test('lists: numbered, dotted, or lines', () => {
  expect(listIn('Here is it:\n1. One\n2) Two\nStep 3: Three')).toEqual(['One', 'Two', 'Three']);
  expect(listIn('- a\n* b')).toEqual(['a', 'b']);
  expect(listIn('a\n\nb')).toEqual(['a', 'b']);
  expect(listIn('```\n```')).toEqual([]);
});

test('any text whatever is read without an error', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (said) => {
      expect(['acts', 'end', 'unclear', 'refused']).toContain(wantedOf(text(said), options).kind);
    }),
    { numRuns: 300 },
  );
});
