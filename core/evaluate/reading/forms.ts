import type { CoordinateScale } from './scale.ts';

/** Ways in which models write positions (M7). The examples are read in the tests, with these numbers and with others. */

export type PlaceForm = {
  name: string;
  /** Where it is documented or comes from. */
  source: string;
  /** A click at (79, 115), and a drag from there to (300, 200); null: the form has none. */
  click: string | null;
  drag: string | null;
  /** Where the form itself counts in something else than the model's other answers. */
  scale?: CoordinateScale;
};

const form = (
  name: string,
  source: string,
  click: string | null,
  drag: string | null,
  scale?: CoordinateScale,
): PlaceForm => ({
  name,
  source,
  click,
  drag,
  ...(scale ? { scale } : {}),
});

export const PLACE_FORMS: readonly PlaceForm[] = [
  form('square brackets', 'videogui.txt, tables 20 to 25', '[79, 115]', '[79, 115] -> [300, 200]'),
  form('square brackets in a sentence', 'the same', 'It is at [79,115].', 'Drag from [79,115] to [300,200].'),
  form('nested brackets', 'videogui.txt, table 22', null, '[[79, 115], [300, 200]]'),
  form('round brackets', 'free text', '(79, 115)', '(79, 115) → (300, 200)'),
  form('round brackets in a sentence', 'free text', 'Click (79, 115).', 'Drag from (79, 115) to (300, 200).'),
  form('wide signs', 'Qwen in Chinese', '［79，115］', '(79，115) → (300，200)'),
  form('the end of a turn', 'servers of open models', '79, 115<|im_end|>', '[79, 115] -> [300, 200]</s>'),
  form('equations', 'free text', 'x=79, y=115', 'x=79, y=115 -> x=300, y=200'),
  form('labels', 'free text', 'X: 79\nY: 115', 'Start: X: 79, Y: 115\nEnd: X: 300, Y: 200'),
  form('bare numbers', 'ScreenSpot-Pro', '79, 115', '79, 115 -> 300, 200'),
  form('bare numbers in a row', 'free text', '79 115', '79 115 300 200'),
  form('a record', 'free text', '{"x": 79, "y": 115}', '{"start": {"x": 79, "y": 115}, "end": {"x": 300, "y": 200}}'),
  form(
    'records in a row',
    'free text',
    '```json\n{"x": 79, "y": 115}\n```',
    '[{"x": 79, "y": 115}, {"x": 300, "y": 200}]',
  ),
  form('a record as Python prints it', 'free text', "{'x': 79, 'y': 115}", "{'from': [79, 115], 'to': [300, 200]}"),
  form('a box by its edges', 'free text', '{"left": 79, "top": 115, "right": 79, "bottom": 115}', null),
  form('a box with its size', 'Azure, free text', '{"bbox": {"x": 79, "y": 115, "width": 0, "height": 0}}', null),
  form('a record of both ends', 'free text', null, '{"x1": 79, "y1": 115, "x2": 300, "y2": 200}'),
  form(
    'OpenAI computer_call',
    'OpenAI, computer use',
    '{"type": "computer_call", "action": {"type": "click", "x": 79, "y": 115, "button": "left"}}',
    '{"type": "computer_call", "action": {"type": "drag", "path": [{"x": 79, "y": 115}, {"x": 300, "y": 200}]}}',
    'pixels',
  ),
  form(
    'OpenAI function call',
    'OpenAI, function calling',
    '{"function": {"name": "click", "arguments": "{\\"x\\": 79, \\"y\\": 115}"}}',
    '{"function": {"name": "drag", "arguments": "{\\"path\\": [[79, 115], [300, 200]]}"}}',
  ),
  form(
    'Anthropic computer use',
    'Anthropic, computer use tool',
    '{"type": "tool_use", "name": "computer", "input": {"action": "left_click", "coordinate": [79, 115]}}',
    '{"action": "left_click_drag", "start_coordinate": [79, 115], "coordinate": [300, 200]}',
    'pixels',
  ),
  form(
    'Qwen computer use',
    'Qwen2.5-VL, Qwen3-VL',
    '<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [79, 115]}}\n</tool_call>',
    '<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click_drag", "start_coordinate": [79, 115], "coordinate": [300, 200]}}\n</tool_call>',
  ),
  form(
    'Qwen grounding',
    'Qwen2.5-VL',
    '[{"point_2d": [79, 115], "label": "File"}]',
    '[{"point_2d": [79, 115]}, {"point_2d": [300, 200]}]',
  ),
  form(
    'Qwen-VL boxes',
    'Qwen-VL',
    '<ref>File</ref><box>(79,115),(79,115)</box>',
    '<box>(79,115),(79,115)</box> -> <box>(300,200),(300,200)</box>',
    '0-1000',
  ),
  form(
    'Qwen2-VL boxes',
    'Qwen2-VL',
    '<|box_start|>(79,115)<|box_end|>',
    '<|box_start|>(79,115)<|box_end|> -> <|box_start|>(300,200)<|box_end|>',
  ),
  form(
    'UI-TARS',
    'UI-TARS',
    "Thought: I look at (5, 5).\nAction: click(start_box='(79,115)')",
    "Action: drag(start_box='(79,115)', end_box='(300,200)')",
  ),
  form(
    'UI-TARS with box tokens',
    'UI-TARS',
    "click(start_box='<|box_start|>(79,115)<|box_end|>')",
    "drag(start_box='<|box_start|>(79,115)<|box_end|>', end_box='<|box_start|>(300,200)<|box_end|>')",
  ),
  form(
    'UI-TARS with points',
    'UI-TARS 1.5, Seed',
    "click(point='<point>79 115</point>')",
    "drag(start_point='<point>79 115</point>', end_point='<point>300 200</point>')",
  ),
  form(
    'point tags',
    'OS-Atlas, Seed',
    'CLICK <point>[[79, 115]]</point>',
    '<point>79 115</point> <point>300 200</point>',
  ),
  form(
    'Molmo',
    'Molmo',
    '<point x="79" y="115" alt="File">File</point>',
    '<points x1="79" y1="115" x2="300" y2="200" alt="ends">ends</points>',
    '0-100',
  ),
  form(
    'PyAutoGUI',
    'PyAutoGUI 0.9.54',
    'pyautogui.click(79, 115)',
    'pyautogui.moveTo(79, 115)\npyautogui.dragTo(300, 200, duration=0.5)',
  ),
  form(
    'PyAutoGUI with names',
    'PyAutoGUI 0.9.54',
    "pyautogui.click(x=79, y=115, button='left')",
    'pyautogui.mouseDown(x=79, y=115)\npyautogui.mouseUp(x=300, y=200)',
  ),
  form(
    'PyAutoGUI in a block',
    'OpenCUA, AgentNet',
    '```python\nimport pyautogui\nx, y = 79, 115\npyautogui.moveTo(x, y)\npyautogui.click()\n```',
    '```python\nimport pyautogui\npyautogui.moveTo(79, 115)\npyautogui.dragTo(x=300, y=200)\n```',
  ),
  form('other calls', 'agents of many kinds', 'left_click(coordinate=[79, 115])', 'swipe(79, 115, 300, 200)'),
];
