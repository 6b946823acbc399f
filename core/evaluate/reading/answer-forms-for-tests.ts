import {
  ANTHROPIC_COMPUTER,
  ANTHROPIC_TOOLSET,
  type FormExamples,
  GEMINI_2_5,
  GEMINI_COMPUTER_USE,
  OPENAI_COMPUTER,
  OPENAI_PREVIEW,
  OPENAI_TOOL_CALLS,
} from './closed-models-for-tests.ts';

/** Further forms, and all of them by title. */

const UI_TARS: FormExamples = {
  form: 'UI-TARS',
  scale: null,
  examples: [
    ["Action: click(point='<point>79 115</point>')", 'click 79,115'],
    ["click(start_box='<|box_start|>(79,115)<|box_end|>')", 'click 79,115'],
    ["click(start_box='(79,115)')", 'click 79,115'],
    ["click(start_box='[79, 115, 81, 117]')", 'click 79,115,81,117'],
    ["left_double(point='<point>79 115</point>')", 'click x2 79,115'],
    ["right_single(point='<point>79 115</point>')", 'right click 79,115'],
    ["drag(start_point='<point>79 115</point>', end_point='<point>300 200</point>')", 'drag 79,115 > 300,200'],
    ["drag(start_box='(79,115)', end_box='(300,200)')", 'drag 79,115 > 300,200'],
    ["hotkey(key='ctrl s')", 'keys ctrl+s'],
    ["hotkey(key='ctrl shift t')", 'keys ctrl+shift+t'],
    ["hotkey(key='enter')", 'keys enter'],
    ["type(content='Hi')", 'type "Hi"'],
    ["type(content='Hi\\n')", 'type "Hi\\n"'],
    ["type(content='It\\'s, (really)')", 'type "It\'s, (really)"'],
    ["scroll(point='<point>79 115</point>', direction='down')", 'scroll 79,115 by 0,5'],
    ["scroll(start_box='(79,115)', direction='left')", 'scroll 79,115 by -5,0'],
    ['wait()\nclick(point="<point>79 115</point>")', 'wait 1000; click 79,115'],
    ["Thought: It is at (5, 5).\nAction: click(point='<point>79 115</point>')", 'click 79,115'],
    ["click(point='<point>79 115</point>')\n\ntype(content='x')", 'click 79,115; type "x"'],
    ["hotkey(key='ctrl a')\nfinished(content='done')", 'keys ctrl+a'],
  ],
};

const seed = (name: string, args: Record<string, string>): string =>
  `<seed:tool_call><function=${name}>${Object.entries(args)
    .map(([key, value]) => `<parameter=${key}>${value}</parameter>`)
    .join('')}</function></seed:tool_call>`;
const UI_TARS_2: FormExamples = {
  form: 'UI-TARS 2',
  scale: null,
  examples: [
    [seed('click', { point: '<point>79 115</point>' }), 'click 79,115'],
    [seed('left_double', { point: '<point>79 115</point>' }), 'click x2 79,115'],
    [seed('right_single', { point: '<point>79 115</point>' }), 'right click 79,115'],
    [seed('middle_click', { point: '<point>79 115</point>' }), 'middle click 79,115'],
    [seed('move_to', { point: '<point>79 115</point>' }), 'move 79,115'],
    [seed('mouse_down', { point: '<point>79 115</point>', button: 'left' }), 'down left 79,115'],
    [seed('mouse_up', { point: '<point>300 200</point>', button: 'left' }), 'up left 300,200'],
    [
      seed('mouse_down', { point: '<point>79 115</point>' }) + seed('mouse_up', { point: '<point>300 200</point>' }),
      'down left 79,115; up left 300,200',
    ],
    [
      seed('drag', { start_point: '<point>79 115</point>', end_point: '<point>300 200</point>' }),
      'drag 79,115 > 300,200',
    ],
    [seed('scroll', { point: '<point>79 115</point>', direction: 'down' }), 'scroll 79,115 by 0,5'],
    [seed('scroll', { point: '<point>79 115</point>', direction: 'up' }), 'scroll 79,115 by 0,-5'],
    [seed('hotkey', { key: 'ctrl s' }), 'keys ctrl+s'],
    [seed('hotkey', { key: 'alt f4' }), 'keys alt+f4'],
    [seed('press', { key: 'shift' }), '+shift'],
    [seed('release', { key: 'shift' }), '-shift'],
    [
      seed('press', { key: 'ctrl' }) +
        seed('click', { point: '<point>79 115</point>' }) +
        seed('release', { key: 'ctrl' }),
      '+ctrl; click 79,115; -ctrl',
    ],
    [seed('type', { content: 'Hi' }), 'type "Hi"'],
    [seed('type', { content: '2026' }), 'type "2026"'],
    [seed('wait', { time: '2' }), 'wait 2000'],
    [`<think>maybe <point>5 5</point></think>\n${seed('click', { point: '<point>79 115</point>' })}`, 'click 79,115'],
  ],
};

const qwen = (args: object): string =>
  `<tool_call>\n${JSON.stringify({ name: 'computer_use', arguments: args })}\n</tool_call>`;
const QWEN3_VL: FormExamples = {
  form: 'tool call',
  scale: null,
  examples: [
    [qwen({ action: 'left_click', coordinate: [79, 115] }), 'click 79,115'],
    [qwen({ action: 'right_click', coordinate: [79, 115] }), 'right click 79,115'],
    [qwen({ action: 'middle_click', coordinate: [79, 115] }), 'middle click 79,115'],
    [qwen({ action: 'double_click', coordinate: [79, 115] }), 'click x2 79,115'],
    [qwen({ action: 'triple_click', coordinate: [79, 115] }), 'click x3 79,115'],
    [qwen({ action: 'mouse_move', coordinate: [79, 115] }), 'move 79,115'],
    [qwen({ action: 'left_click_drag', coordinate: [300, 200] }), 'drag here > 300,200'],
    [qwen({ action: 'left_click_drag', start_coordinate: [79, 115], coordinate: [300, 200] }), 'drag 79,115 > 300,200'],
    [
      qwen({ action: 'mouse_move', coordinate: [79, 115] }) +
        qwen({ action: 'left_click_drag', coordinate: [300, 200] }),
      'move 79,115; drag here > 300,200',
    ],
    [qwen({ action: 'key', keys: ['ctrl', 's'] }), 'keys ctrl+s'],
    [qwen({ action: 'key', keys: ['enter'] }), 'keys enter'],
    [qwen({ action: 'type', text: 'Hi' }), 'type "Hi"'],
    [qwen({ action: 'type', text: 'a\nb' }), 'type "a\\nb"'],
    [qwen({ action: 'scroll', pixels: -400 }), 'scroll here by 0,10'],
    [qwen({ action: 'scroll', pixels: 120, coordinate: [79, 115] }), 'scroll 79,115 by 0,-3'],
    [qwen({ action: 'hscroll', pixels: 80 }), 'scroll here by 2,0'],
    [qwen({ action: 'wait', time: 2 }), 'wait 2000'],
    [`<thinking>[5, 5]</thinking>${qwen({ action: 'left_click', coordinate: [79, 115] })}`, 'click 79,115'],
    [`Action: Click it.\n${qwen({ action: 'left_click', coordinate: [79, 115] })}`, 'click 79,115'],
    ['{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [79, 115]}}', 'click 79,115'],
  ],
};

const xml = (args: Record<string, string>): string =>
  `<tool_call>\n<function=computer>\n${Object.entries(args)
    .map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
    .join('')}</function>\n</tool_call>`;
const QWEN3_5: FormExamples = {
  form: 'Qwen3.5',
  scale: null,
  examples: [
    [xml({ action: 'left_click', coordinate: '[79, 115]' }), 'click 79,115'],
    [xml({ action: 'right_click', coordinate: '[79, 115]' }), 'right click 79,115'],
    [xml({ action: 'middle_click', coordinate: '[79, 115]' }), 'middle click 79,115'],
    [xml({ action: 'double_click', coordinate: '[79, 115]' }), 'click x2 79,115'],
    [xml({ action: 'triple_click', coordinate: '[79, 115]' }), 'click x3 79,115'],
    [xml({ action: 'mouse_move', coordinate: '[79, 115]' }), 'move 79,115'],
    [xml({ action: 'left_click_drag', coordinate: '[300, 200]' }), 'drag here > 300,200'],
    [
      xml({ action: 'left_click_drag', start_coordinate: '[79, 115]', coordinate: '[300, 200]' }),
      'drag 79,115 > 300,200',
    ],
    [xml({ action: 'key', keys: '["ctrl", "s"]' }), 'keys ctrl+s'],
    [xml({ action: 'key', keys: '["enter"]' }), 'keys enter'],
    [xml({ action: 'type', text: 'Hi there' }), 'type "Hi there"'],
    [xml({ action: 'scroll', pixels: '-200' }), 'scroll here by 0,5'],
    [xml({ action: 'scroll', pixels: '200', coordinate: '[79, 115]' }), 'scroll 79,115 by 0,-5'],
    [xml({ action: 'hscroll', pixels: '-40' }), 'scroll here by -1,0'],
    [xml({ action: 'wait', time: '2' }), 'wait 2000'],
    [`I see it.\n\n${xml({ action: 'left_click', coordinate: '[79, 115]' })}`, 'click 79,115'],
    [`<think>[5, 5]</think>\n${xml({ action: 'left_click', coordinate: '[79, 115]' })}`, 'click 79,115'],
    [
      xml({ action: 'left_click', coordinate: '[79, 115]' }) + xml({ action: 'type', text: 'x' }),
      'click 79,115; type "x"',
    ],
    [xml({ action: 'left_click', coordinate: '[79.5, 115.25]' }), 'click 79.5,115.25'],
    [
      xml({ action: 'left_click', coordinate: '[79, 115]' }) + xml({ action: 'terminate', status: 'success' }),
      'click 79,115',
    ],
  ],
};

const HOLO: FormExamples = {
  form: 'record',
  scale: null,
  examples: [
    ['{"action": "click_absolute", "x": 79, "y": 115}', 'click 79,115'],
    ['{"action": "click_absolute", "x": 0, "y": 0}', 'click 0,0'],
    ['{"action": "click_absolute", "x": 79, "y": 115, "element": "File"}', 'click 79,115'],
    ['```json\n{"action": "click_absolute", "x": 79, "y": 115}\n```', 'click 79,115'],
    ["{'action': 'click_absolute', 'x': 79, 'y': 115}", 'click 79,115'],
    ['<think>5, 5</think>{"action": "click_absolute", "x": 79, "y": 115}', 'click 79,115'],
    ['{"action": "write_absolute", "content": "Hi", "x": 79, "y": 115}', 'click 79,115; type "Hi"'],
    ['{"action": "scroll_absolute", "direction": "down", "x": 79, "y": 115}', 'scroll 79,115 by 0,5'],
    ['{"action": "scroll", "direction": "up"}', 'scroll here by 0,-5'],
    ['{"action": "wait", "seconds": 2}', 'wait 2000'],
    ['{"action": "left_click", "coordinate": [79, 115]}', 'click 79,115'],
    ['{"action": "left_click_drag", "start_coordinate": [79, 115], "coordinate": [300, 200]}', 'drag 79,115 > 300,200'],
    ['{"action": "key", "text": "ctrl+s"}', 'keys ctrl+s'],
    ['{"action": "type", "text": "Hi"}', 'type "Hi"'],
    ['{"action": {"action": "click_absolute", "x": 79, "y": 115}}', 'click 79,115'],
    ['{"thought": "at 5, 5", "action": {"action": "click_absolute", "x": 79, "y": 115}}', 'click 79,115'],
    ['{"action_type": "click", "x": 79, "y": 115}', 'click 79,115'],
    ['{"action": "CLICK", "position": [79, 115]}', 'click 79,115'],
    ['{"type": "click", "x": 79, "y": 115}', 'click 79,115'],
    ['{"action": "click_absolute", "x": "79", "y": "115"}', 'click 79,115'],
  ],
};

const COMMANDS: FormExamples = {
  form: 'xdotool',
  scale: 'pixels',
  examples: [
    ['xdotool mousemove 79 115 click 1', 'move 79,115; click here'],
    ['xdotool mousemove --sync 79 115 click 3', 'move 79,115; right click here'],
    ['xdotool mousemove 79 115 click --repeat 2 1', 'move 79,115; click x2 here'],
    ['xdotool mousemove 79 115 click --repeat 2 --delay 50 1', 'move 79,115; click x2 here'],
    ['xdotool click 2', 'middle click here'],
    [
      'xdotool mousemove 79 115 mousedown 1 mousemove 300 200 mouseup 1',
      'move 79,115; down left here; move 300,200; up left here',
    ],
    ['xdotool mousemove 79 115', 'move 79,115'],
    ['xdotool click 4', 'scroll here by 0,-1'],
    ['xdotool click --repeat 3 5', 'scroll here by 0,3'],
    ['xdotool click 7', 'scroll here by 1,0'],
    ['xdotool key ctrl+s', 'keys ctrl+s'],
    ['xdotool key Return', 'keys enter'],
    ['xdotool key --clearmodifiers ctrl+shift+t', 'keys ctrl+shift+t'],
    ['xdotool key Down Down Return', 'keys down; keys down; keys enter'],
    ['xdotool type "Hi there"', 'type "Hi there"'],
    ["xdotool type --delay 20 'it is'", 'type "it is"'],
    ['xdotool keydown shift; xdotool key a; xdotool keyup shift', '+shift; keys a; -shift'],
    ['xdotool mousemove 79 115 && sleep 0.5 && xdotool click 1', 'move 79,115; wait 500; click here'],
    ['```bash\nxdotool mousemove 79 115 click 1\n```', 'move 79,115; click here'],
    ['DISPLAY=:1 xdotool mousemove 79 115 click 1\nxdotool key ctrl+a', 'move 79,115; click here; keys ctrl+a'],
  ],
};

const ADB: FormExamples = {
  form: 'adb',
  scale: 'pixels',
  examples: [
    ['adb shell input tap 79 115', 'click 79,115'],
    ['input tap 79 115', 'click 79,115'],
    ['adb -s emulator-5554 shell input tap 79 115', 'click 79,115'],
    ['```\nadb shell input tap 79 115\n```', 'click 79,115'],
    ['`adb shell input tap 79 115`', 'click 79,115'],
    ['adb shell input tap 79.5 115', 'click 79.5,115'],
    ['adb shell input swipe 79 115 300 200', 'drag 79,115 > 300,200'],
    ['adb shell input swipe 79 115 300 200 500', 'drag 79,115 > 300,200'],
    ['adb shell input draganddrop 79 115 300 200', 'drag 79,115 > 300,200'],
    ['adb shell input text "Hi"', 'type "Hi"'],
    ['adb shell input text Hi%sthere', 'type "Hi there"'],
    ["adb shell input text 'a b'", 'type "a b"'],
    ['adb shell input keyevent 66', 'keys enter'],
    ['adb shell input keyevent KEYCODE_ENTER', 'keys enter'],
    ['adb shell input keyevent KEYCODE_DEL', 'keys backspace'],
    ['adb shell input keyevent KEYCODE_DPAD_DOWN', 'keys down'],
    ['adb shell input keyevent KEYCODE_A', 'keys a'],
    ['adb shell input keyevent KEYCODE_TAB KEYCODE_ENTER', 'keys tab; keys enter'],
    ['adb shell input tap 79 115 && adb shell input text x', 'click 79,115; type "x"'],
    ['adb shell input tap 79 115\nsleep 1\nadb shell input keyevent 66', 'click 79,115; wait 1000; keys enter'],
  ],
};

const NOVA: FormExamples = {
  form: 'Nova',
  scale: '0-1000',
  examples: [
    ['agentClick("<box>115,79,117,81</box>")', 'click 79,115,81,117'],
    ["agentClick('<box>115,79,117,81</box>')", 'click 79,115,81,117'],
    ['agentClick("<box>0,0,10,20</box>")', 'click 0,0,20,10'],
    ['agentClick("<box>990,980,999,999</box>")', 'click 980,990,999,999'],
    ['think("It is the menu.");\nagentClick("<box>115,79,117,81</box>");', 'click 79,115,81,117'],
    ['agentClick("<box> 115, 79, 117, 81 </box>")', 'click 79,115,81,117'],
    ['agentHover("<box>115,79,117,81</box>")', 'move 79,115,81,117'],
    ['agentType("Hi", "<box>115,79,117,81</box>")', 'click 79,115,81,117; type "Hi"'],
    ['agentType("Hi there", "<box>115,79,117,81</box>")', 'click 79,115,81,117; type "Hi there"'],
    ['agentType("a, b (c)", "<box>115,79,117,81</box>")', 'click 79,115,81,117; type "a, b (c)"'],
    ['agentScroll("down", "<box>115,79,117,81</box>")', 'scroll 79,115,81,117 by 0,5'],
    ['agentScroll("up", "<box>115,79,117,81</box>")', 'scroll 79,115,81,117 by 0,-5'],
    ['agentScroll("left", "<box>115,79,117,81</box>")', 'scroll 79,115,81,117 by -5,0'],
    ['agentScroll("right", "<box>115,79,117,81</box>")', 'scroll 79,115,81,117 by 5,0'],
    ['agentScroll("down")', 'scroll here by 0,5'],
    [
      'agentClick("<box>115,79,117,81</box>");\nagentType("x", "<box>215,79,217,81</box>");',
      'click 79,115,81,117; click 79,215,81,217; type "x"',
    ],
    ['<think>maybe <box>1,2,3,4</box></think>agentClick("<box>115,79,117,81</box>")', 'click 79,115,81,117'],
    ['```\nagentClick("<box>115,79,117,81</box>")\n```', 'click 79,115,81,117'],
    ['agentClick("<box>115,79,117,81</box>", {clickType: "left"})', 'click 79,115,81,117'],
    ['wait(2);\nagentClick("<box>115,79,117,81</box>")', 'wait 2000; click 79,115,81,117'],
  ],
};

export const FORM_EXAMPLES: readonly (FormExamples & { title: string })[] = [
  { title: 'Anthropic computer_toolset_20260801', ...ANTHROPIC_TOOLSET },
  { title: 'Anthropic computer', ...ANTHROPIC_COMPUTER },
  { title: 'OpenAI computer', ...OPENAI_COMPUTER },
  { title: 'OpenAI computer_use_preview', ...OPENAI_PREVIEW },
  { title: 'OpenAI tool_calls', ...OPENAI_TOOL_CALLS },
  { title: 'Gemini computer_use', ...GEMINI_COMPUTER_USE },
  { title: 'Gemini 2.5', ...GEMINI_2_5 },
  { title: 'Nova', ...NOVA },
  { title: 'UI-TARS 1.5', ...UI_TARS },
  { title: 'UI-TARS 2', ...UI_TARS_2 },
  { title: 'Qwen3-VL', ...QWEN3_VL },
  { title: 'Qwen3.5, GUI-Owl', ...QWEN3_5 },
  { title: 'Holo 1.5 and bare records', ...HOLO },
  { title: 'xdotool', ...COMMANDS },
  { title: 'adb', ...ADB },
];
