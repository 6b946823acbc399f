/**
 * Answers as the documentation of each form has them (M34), written by hand, with what is read of them in words:
 * tool-acts.test.ts says how. Twenty of a form.
 */
export type FormExamples = {
  form: string;
  scale: 'pixels' | '0-1000' | null;
  examples: readonly (readonly [answer: string, acts: string])[];
};

const tool = (name: string, input: object): string => JSON.stringify({ type: 'tool_use', id: 'toolu_01', name, input });
const message = (...content: object[]): string =>
  JSON.stringify({ role: 'assistant', content, stop_reason: 'tool_use' });
const use = (name: string, input: object): object => ({ type: 'tool_use', id: 'toolu_02', name, input });
const text = (words: string): object => ({ type: 'text', text: words });
const thinking = (words: string): object => ({ type: 'thinking', thinking: words, signature: 'x' });

/** The members are tools of their own (computer_toolset_20260801). */
export const ANTHROPIC_TOOLSET: FormExamples = {
  form: 'Anthropic',
  scale: 'pixels',
  examples: [
    [tool('left_click', { coordinate: [79, 115] }), 'click 79,115'],
    [tool('right_click', { coordinate: [79, 115] }), 'right click 79,115'],
    [tool('middle_click', { coordinate: [79, 115] }), 'middle click 79,115'],
    [tool('double_click', { coordinate: [79, 115] }), 'click x2 79,115'],
    [tool('triple_click', { coordinate: [79, 115] }), 'click x3 79,115'],
    [tool('left_click', { coordinate: [79, 115], text: 'ctrl' }), 'ctrl+click 79,115'],
    [tool('left_click', { coordinate: [79, 115], text: 'ctrl+shift' }), 'ctrl+shift+click 79,115'],
    [tool('left_click', {}), 'click here'],
    [tool('mouse_move', { coordinate: [79, 115] }), 'move 79,115'],
    [tool('left_click_drag', { start_coordinate: [79, 115], coordinate: [300, 200] }), 'drag 79,115 > 300,200'],
    [tool('left_mouse_down', {}), 'down left here'],
    [tool('left_mouse_up', {}), 'up left here'],
    [tool('scroll', { coordinate: [79, 115], scroll_direction: 'down', scroll_amount: 3 }), 'scroll 79,115 by 0,3'],
    [
      tool('scroll', { coordinate: [79, 115], scroll_direction: 'left', scroll_amount: 2, text: 'shift' }),
      'shift+scroll 79,115 by -2,0',
    ],
    [tool('type', { text: 'Hi there' }), 'type "Hi there"'],
    [tool('key', { text: 'ctrl+s' }), 'keys ctrl+s'],
    [tool('key', { text: 'Return' }), 'keys enter'],
    [tool('hold_key', { text: 'shift', duration: 2 }), 'keys shift for 2000'],
    [
      message(
        thinking('maybe [500, 500]'),
        text('I click it at (1, 1).'),
        use('screenshot', {}),
        use('left_click', { coordinate: [79, 115] }),
        use('key', { text: 'ctrl+a' }),
        use('type', { text: 'x' }),
      ),
      'click 79,115; keys ctrl+a; type "x"',
    ],
    [
      message(
        text('Wait.'),
        use('mouse_move', { coordinate: [79, 115] }),
        use('left_mouse_down', {}),
        use('mouse_move', { coordinate: [300, 200] }),
        use('left_mouse_up', {}),
        use('wait', { duration: 1 }),
      ),
      'move 79,115; down left here; move 300,200; up left here; wait 1000',
    ],
  ],
};

const computer = (input: object): string => tool('computer', input);
/** One tool for all (computer_20241022, _20250124, _20251124). */
export const ANTHROPIC_COMPUTER: FormExamples = {
  form: 'Anthropic',
  scale: 'pixels',
  examples: [
    [computer({ action: 'left_click', coordinate: [79, 115] }), 'click 79,115'],
    [computer({ action: 'right_click', coordinate: [79, 115] }), 'right click 79,115'],
    [computer({ action: 'middle_click', coordinate: [79, 115] }), 'middle click 79,115'],
    [computer({ action: 'double_click', coordinate: [79, 115] }), 'click x2 79,115'],
    [computer({ action: 'triple_click', coordinate: [79, 115] }), 'click x3 79,115'],
    [computer({ action: 'left_click' }), 'click here'],
    [computer({ action: 'left_click', coordinate: [79, 115], text: 'alt' }), 'alt+click 79,115'],
    [computer({ action: 'mouse_move', coordinate: [79, 115] }), 'move 79,115'],
    [computer({ action: 'left_click_drag', coordinate: [300, 200] }), 'drag here > 300,200'],
    [
      computer({ action: 'left_click_drag', start_coordinate: [79, 115], coordinate: [300, 200] }),
      'drag 79,115 > 300,200',
    ],
    [computer({ action: 'left_mouse_down', coordinate: [79, 115] }), 'down left 79,115'],
    [computer({ action: 'left_mouse_up', coordinate: [300, 200] }), 'up left 300,200'],
    [
      computer({ action: 'scroll', coordinate: [79, 115], scroll_direction: 'up', scroll_amount: 5 }),
      'scroll 79,115 by 0,-5',
    ],
    [computer({ action: 'type', text: 'Hi\n' }), 'type "Hi\\n"'],
    [computer({ action: 'key', text: 'ctrl+Page_Up' }), 'keys ctrl+pageup'],
    [computer({ action: 'key', text: 'Down Down' }), 'keys down; keys down'],
    [computer({ action: 'hold_key', text: 'space', duration: 0.5 }), 'keys   for 500'],
    [computer({ action: 'wait', duration: 3 }), 'wait 3000'],
    [
      message(
        text('Two at once.'),
        use('computer', { action: 'left_click', coordinate: [79, 115] }),
        use('computer', { action: 'screenshot' }),
      ),
      'click 79,115',
    ],
    [
      message(
        use('computer', { action: 'zoom', region: [0, 0, 10, 10] }),
        use('computer', { action: 'key', text: 'Escape' }),
      ),
      'keys escape',
    ],
  ],
};

const call = (...actions: object[]): string =>
  JSON.stringify({ type: 'computer_call', call_id: 'call_1', status: 'completed', actions });
export const OPENAI_COMPUTER: FormExamples = {
  form: 'OpenAI',
  scale: 'pixels',
  examples: [
    [call({ type: 'click', button: 'left', x: 79, y: 115 }), 'click 79,115'],
    [call({ type: 'click', button: 'right', x: 79, y: 115 }), 'right click 79,115'],
    [call({ type: 'click', button: 'wheel', x: 79, y: 115 }), 'middle click 79,115'],
    [call({ type: 'click', button: 'left', x: 79, y: 115, keys: ['CTRL'] }), 'ctrl+click 79,115'],
    [call({ type: 'click', button: 'left', x: 79, y: 115, keys: ['CTRL', 'SHIFT'] }), 'ctrl+shift+click 79,115'],
    [call({ type: 'double_click', x: 79, y: 115 }), 'click x2 79,115'],
    [call({ type: 'double_click', x: 79, y: 115, keys: null }), 'click x2 79,115'],
    [
      call({
        type: 'drag',
        path: [
          { x: 79, y: 115 },
          { x: 300, y: 200 },
        ],
      }),
      'drag 79,115 > 300,200',
    ],
    [
      call({
        type: 'drag',
        path: [
          { x: 79, y: 115 },
          { x: 100, y: 120 },
          { x: 300, y: 200 },
        ],
      }),
      'drag 79,115 > 100,120 > 300,200',
    ],
    [
      call({
        type: 'drag',
        path: [
          [79, 115],
          [300, 200],
        ],
        keys: ['SHIFT'],
      }),
      'shift+drag 79,115 > 300,200',
    ],
    [call({ type: 'keypress', keys: ['CTRL', 'S'] }), 'keys ctrl+s'],
    [call({ type: 'keypress', keys: ['ENTER'] }), 'keys enter'],
    [call({ type: 'move', x: 79, y: 115 }), 'move 79,115'],
    [call({ type: 'screenshot' }, { type: 'move', x: 79, y: 115 }), 'move 79,115'],
    [call({ type: 'scroll', x: 79, y: 115, scroll_x: 0, scroll_y: 400 }), 'scroll 79,115 by 0,10'],
    [call({ type: 'scroll', x: 79, y: 115, scroll_x: -80, scroll_y: 0 }), 'scroll 79,115 by -2,0'],
    [call({ type: 'type', text: 'Hi there' }), 'type "Hi there"'],
    [call({ type: 'wait' }), 'wait 1000'],
    [
      call(
        { type: 'click', button: 'left', x: 79, y: 115 },
        { type: 'type', text: 'x' },
        { type: 'keypress', keys: ['ENTER'] },
      ),
      'click 79,115; type "x"; keys enter',
    ],
    [
      JSON.stringify({
        id: 'resp_1',
        output: [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: '[5, 5]' }] },
          JSON.parse(call({ type: 'click', button: 'left', x: 79, y: 115 })),
        ],
      }),
      'click 79,115',
    ],
  ],
};

const preview = (action: object): string =>
  JSON.stringify({ type: 'computer_call', call_id: 'call_1', pending_safety_checks: [], action });
export const OPENAI_PREVIEW: FormExamples = {
  form: 'OpenAI',
  scale: 'pixels',
  examples: [
    [preview({ type: 'click', button: 'left', x: 79, y: 115 }), 'click 79,115'],
    [preview({ type: 'click', button: 'right', x: 79, y: 115 }), 'right click 79,115'],
    [preview({ type: 'click', button: 'wheel', x: 79, y: 115 }), 'middle click 79,115'],
    [preview({ type: 'click', x: 79, y: 115 }), 'click 79,115'],
    [preview({ type: 'double_click', x: 79, y: 115 }), 'click x2 79,115'],
    [
      preview({
        type: 'drag',
        path: [
          { x: 79, y: 115 },
          { x: 300, y: 200 },
        ],
      }),
      'drag 79,115 > 300,200',
    ],
    [preview({ type: 'move', x: 79, y: 115 }), 'move 79,115'],
    [preview({ type: 'move', x: 0, y: 0 }), 'move 0,0'],
    [preview({ type: 'keypress', keys: ['CTRL', 'SHIFT', 'T'] }), 'keys ctrl+shift+t'],
    [preview({ type: 'keypress', keys: ['ARROWDOWN'] }), 'keys down'],
    [preview({ type: 'keypress', keys: ['ALT', 'F4'] }), 'keys alt+f4'],
    [preview({ type: 'keypress', keys: ['a'] }), 'keys a'],
    [preview({ type: 'scroll', x: 79, y: 115, scroll_x: 0, scroll_y: -200 }), 'scroll 79,115 by 0,-5'],
    [preview({ type: 'scroll', x: 79, y: 115, scroll_x: 40, scroll_y: 0 }), 'scroll 79,115 by 1,0'],
    [preview({ type: 'scroll', x: 79, y: 115, scroll_x: 40, scroll_y: 10 }), 'scroll 79,115 by 1,1'],
    [preview({ type: 'type', text: '' + 'Größe' }), 'type "Größe"'],
    [preview({ type: 'type', text: '{"x": 1}' }), 'type "{\\"x\\": 1}"'],
    [preview({ type: 'wait' }), 'wait 1000'],
    [`[${preview({ type: 'click', button: 'left', x: 79, y: 115 })}]`, 'click 79,115'],
    [`I click.\n${preview({ type: 'click', button: 'left', x: 79, y: 115 })}`, 'click 79,115'],
  ],
};

const toolCalls = (...list: (readonly [string, object])[]): string =>
  JSON.stringify({
    role: 'assistant',
    content: null,
    tool_calls: list.map(([name, args]) => ({
      id: 'c',
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    })),
  });
export const OPENAI_TOOL_CALLS: FormExamples = {
  form: 'tool call',
  scale: null,
  examples: [
    [toolCalls(['click', { x: 79, y: 115 }]), 'click 79,115'],
    [toolCalls(['left_click', { coordinate: [79, 115] }]), 'click 79,115'],
    [toolCalls(['right_click', { x: 79, y: 115 }]), 'right click 79,115'],
    [toolCalls(['double_click', { x: 79, y: 115 }]), 'click x2 79,115'],
    [toolCalls(['click', { x: 79, y: 115, button: 'right' }]), 'right click 79,115'],
    [toolCalls(['click', { point: [79, 115] }]), 'click 79,115'],
    [toolCalls(['click', { point: { x: 79, y: 115 } }]), 'click 79,115'],
    [toolCalls(['drag', { start_x: 79, start_y: 115, end_x: 300, end_y: 200 }]), 'drag 79,115 > 300,200'],
    [
      toolCalls([
        'drag',
        {
          path: [
            [79, 115],
            [300, 200],
          ],
        },
      ]),
      'drag 79,115 > 300,200',
    ],
    [toolCalls(['drag', { start: [79, 115], end: [300, 200] }]), 'drag 79,115 > 300,200'],
    [toolCalls(['move', { x: 79, y: 115 }]), 'move 79,115'],
    [toolCalls(['type', { text: 'Hi' }]), 'type "Hi"'],
    [toolCalls(['keypress', { keys: ['ctrl', 's'] }]), 'keys ctrl+s'],
    [toolCalls(['hotkey', { keys: 'ctrl+s' }]), 'keys ctrl+s'],
    [toolCalls(['scroll', { x: 79, y: 115, direction: 'down', amount: 3 }]), 'scroll 79,115 by 0,3'],
    [toolCalls(['scroll', { x: 79, y: 115, scroll_x: 0, scroll_y: 120 }]), 'scroll 79,115 by 0,3'],
    [toolCalls(['wait', { seconds: 2 }]), 'wait 2000'],
    [toolCalls(['click', { x: 79, y: 115 }], ['type', { text: 'x' }]), 'click 79,115; type "x"'],
    [JSON.stringify({ choices: [{ message: JSON.parse(toolCalls(['click', { x: 79, y: 115 }])) }] }), 'click 79,115'],
    [
      '{"function_call": {"name": "computer", "arguments": "{\\"action\\": \\"click\\", \\"x\\": 79, \\"y\\": 115}"}}',
      'click 79,115',
    ],
  ],
};

const gemini = (...list: (readonly [string, object])[]): string =>
  JSON.stringify({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: 'I have evaluated step 1, 2.' },
            ...list.map(([name, args]) => ({ functionCall: { name, args } })),
          ],
        },
      },
    ],
  });
/** Its computer_use of 2026: environment desktop, browser, mobile. */
export const GEMINI_COMPUTER_USE: FormExamples = {
  form: 'Gemini',
  scale: '0-1000',
  examples: [
    [gemini(['click', { x: 79, y: 115, intent: 'Open the menu' }]), 'click 79,115'],
    [gemini(['double_click', { x: 79, y: 115 }]), 'click x2 79,115'],
    [gemini(['triple_click', { x: 79, y: 115 }]), 'click x3 79,115'],
    [gemini(['middle_click', { x: 79, y: 115 }]), 'middle click 79,115'],
    [gemini(['right_click', { x: 79, y: 115 }]), 'right click 79,115'],
    [gemini(['mouse_down', { x: 79, y: 115 }]), 'down left 79,115'],
    [gemini(['mouse_up', { x: 300, y: 200 }]), 'up left 300,200'],
    [gemini(['move', { x: 79, y: 115 }]), 'move 79,115'],
    [gemini(['type', { text: 'Hi', press_enter: true }]), 'type "Hi"; keys enter'],
    [gemini(['type', { text: 'Hi', press_enter: false }]), 'type "Hi"'],
    [gemini(['type', { text: 'Hi' }]), 'type "Hi"'],
    [gemini(['drag_and_drop', { start_x: 79, start_y: 115, end_x: 300, end_y: 200 }]), 'drag 79,115 > 300,200'],
    [gemini(['press_key', { key: 'Enter' }]), 'keys enter'],
    [
      gemini(['key_down', { key: 'shift' }], ['click', { x: 79, y: 115 }], ['key_up', { key: 'shift' }]),
      '+shift; click 79,115; -shift',
    ],
    [gemini(['hotkey', { keys: ['control', 's'] }]), 'keys ctrl+s'],
    [gemini(['hotkey', { keys: ['control', 'shift', 't'] }]), 'keys ctrl+shift+t'],
    [gemini(['scroll', { x: 500, y: 500, direction: 'down', magnitude: 300 }]), 'scroll 500,500 by 0,3'],
    [gemini(['scroll', { x: 500, y: 500, direction: 'left', magnitude: 800 }]), 'scroll 500,500 by -8,0'],
    [
      gemini(['click', { x: 79, y: 115, safety_decision: { decision: 'regular' } }], ['type', { text: 'x' }]),
      'click 79,115; type "x"',
    ],
    ['{"functionCall": {"name": "click", "args": {"x": 999, "y": 0}}}', 'click 999,0'],
  ],
};

export const GEMINI_2_5: FormExamples = {
  form: 'Gemini',
  scale: '0-1000',
  examples: [
    [gemini(['click_at', { x: 79, y: 115 }]), 'click 79,115'],
    ['{"name": "click_at", "args": {"x": 79, "y": 115}}', 'click 79,115'],
    ['{"functionCall": {"name": "click_at", "args": {"x": 79, "y": 115}}}', 'click 79,115'],
    [gemini(['hover_at', { x: 79, y: 115 }]), 'move 79,115'],
    [
      gemini(['type_text_at', { x: 79, y: 115, text: 'Hi', press_enter: false, clear_before_typing: false }]),
      'click 79,115; type "Hi"',
    ],
    [
      gemini(['type_text_at', { x: 79, y: 115, text: 'Hi' }]),
      'click 79,115; keys ctrl+a; keys backspace; type "Hi"; keys enter',
    ],
    [
      gemini(['type_text_at', { x: 79, y: 115, text: 'Hi', press_enter: true, clear_before_typing: false }]),
      'click 79,115; type "Hi"; keys enter',
    ],
    [
      gemini(['type_text_at', { x: 79, y: 115, text: 'Hi', press_enter: false }]),
      'click 79,115; keys ctrl+a; keys backspace; type "Hi"',
    ],
    [gemini(['scroll_at', { x: 79, y: 115, direction: 'down', magnitude: 400 }]), 'scroll 79,115 by 0,4'],
    [gemini(['scroll_at', { x: 79, y: 115, direction: 'up' }]), 'scroll 79,115 by 0,-5'],
    [gemini(['scroll_document', { direction: 'down' }]), 'scroll here by 0,5'],
    [gemini(['scroll_document', { direction: 'right' }]), 'scroll here by 5,0'],
    [gemini(['key_combination', { keys: 'Control+S' }]), 'keys ctrl+s'],
    [gemini(['key_combination', { keys: 'Enter' }]), 'keys enter'],
    [gemini(['key_combination', { keys: 'control+shift+t' }]), 'keys ctrl+shift+t'],
    [gemini(['drag_and_drop', { x: 79, y: 115, destination_x: 300, destination_y: 200 }]), 'drag 79,115 > 300,200'],
    [gemini(['wait_5_seconds', {}], ['click_at', { x: 79, y: 115 }]), 'wait 5000; click 79,115'],
    [gemini(['click_at', { x: 0, y: 999 }]), 'click 0,999'],
    [gemini(['click_at', { x: 79, y: 115 }], ['key_combination', { keys: 'Control+A' }]), 'click 79,115; keys ctrl+a'],
    ['```json\n{"name": "key_combination", "args": {"keys": "Alt+F4"}}\n```', 'keys alt+f4'],
  ],
};
