import { isUnseen } from '../../actions/unseen.ts';
import type { ExportAction, PicturePoint } from '../model.ts';
import { NO_PICTURE, placeOutside, UNSEEN, WITHHELD } from '../pyautogui/calls.ts';
import { jsonWithoutMarks, withoutMarks } from './marks.ts';

/**
 * A step's action, as models of today write it in their answers: the other choice beside PyAutoGUI code. Each way has its own names,
 * places and keys; what it has no word for is no step of it, with the reason.
 */

export const ANSWER_WAYS = ['code', 'anthropic', 'openai', 'ui-tars', 'ui-tars-2', 'qwen', 'tools'] as const;
export type AnswerWay = (typeof ANSWER_WAYS)[number];
type CallWay = Exclude<AnswerWay, 'code'>;

/** Lines of the answer that do the step, or why there are none. */
type Words = { words: string } | { reason: string };

/** The act before it is put into words: the same for every way. */
type Act =
  | { do: 'click'; at: PicturePoint; button: Button; count: number; held: readonly string[] }
  | { do: 'drag'; from: PicturePoint; to: PicturePoint; held: readonly string[] }
  | { do: 'scroll'; at: PicturePoint; dx: number; dy: number; held: readonly string[] }
  | { do: 'move'; at: PicturePoint }
  | { do: 'keys'; keys: readonly string[]; count: number }
  | { do: 'type'; text: string }
  | { do: 'wait'; seconds: number }
  | { do: 'end' };
type Button = 'left' | 'right' | 'middle';
type Size = { width: number; height: number };

/** A step in the words of a model. `reasons` stand in the call itself, which `tools` alone has a place for. */
export function answerWords(exported: ExportAction, way: CallWay, reasons: Reasons = {}): Words {
  const made = actOf(exported);
  if ('reason' in made) return made;
  // Only what points needs the picture's size.
  const written = WAYS[way](made.act, exported.beforeImage ?? { width: 1, height: 1 }, reasons);
  if ('reason' in written || made.act.do !== 'type') return written;
  // UI-TARS has no escapes that every reader knows; elsewhere JSON's keep such a text whole.
  const { text } = made.act;
  const breaks = withoutMarks(text) !== text || text.includes('</parameter') || text.includes('</function');
  return way.startsWith('ui-tars') && breaks ? { reason: 'its text holds marks that loaders would replace' } : written;
}

/** The arguments of the calls of Qwen's `computer_use` that do a step; places are px of the picture before it. */
export function pixelCalls(exported: ExportAction): { calls: QwenCall[] } | { reason: string } {
  const made = actOf(exported);
  return 'reason' in made ? made : qwenCalls(made.act, ([x, y]) => [x, y]);
}

/** The end of a demonstration. */
export function overWords(way: CallWay): string {
  const end = WAYS[way]({ do: 'end' }, { width: 1, height: 1 }, {});
  return 'words' in end ? end.words : '';
}

function actOf(exported: ExportAction): { act: Act } | { reason: string } {
  const { action, beforeImage, positions } = exported;
  if (isUnseen(action)) return { reason: UNSEEN };
  switch (action.kind) {
    case 'type':
      if (action.text) return { act: { do: 'type', text: action.text } };
      return { reason: action.withheld ? WITHHELD : 'no text was typed' };
    case 'press':
      if (!action.keys?.length) return { reason: 'no key is known of it' };
      return { act: { do: 'keys', keys: action.keys, count: action.count } };
    case 'wait':
      return { act: { do: 'wait', seconds: Math.max(0.1, Math.round((action.end.t - action.start.t) / 1e5) / 10) } };
    default:
      break;
  }
  if (!beforeImage || !positions) return { reason: NO_PICTURE };
  const outside = placeOutside(action.kind, positions, beforeImage);
  if (outside) return { reason: outside };
  const { start: at, end: to } = positions;
  const held = action.modifiers;
  if (action.kind === 'hover') return { act: { do: 'move', at } };
  if (action.kind === 'scroll') {
    const turn = (by = 0): number => Math.sign(by) * Math.max(Math.round(Math.abs(by)), by === 0 ? 0 : 1) || 0;
    const [dx, dy] = [turn(action.scroll?.dx), turn(action.scroll?.dy)];
    return dx === 0 && dy === 0 ? { reason: 'the scroll goes nowhere' } : { act: { do: 'scroll', at, dx, dy, held } };
  }
  const { button } = action;
  if (button !== 'left' && button !== 'right' && button !== 'middle')
    return { reason: `there is no word for the button "${button}"` };
  if (action.kind === 'drag') {
    if (button !== 'left') return { reason: `there is no word for a drag with the ${button} button` };
    return { act: { do: 'drag', from: at, to, held } };
  }
  return { act: { do: 'click', at, button, count: action.count, held } };
}

const WAYS: Readonly<Record<CallWay, (act: Act, size: Size, reasons: Reasons) => Words>> = {
  anthropic: (act) => anthropicWords(act),
  openai: (act) => openAiWords(act),
  'ui-tars': (act) => tarsWords(act, (name, fields) => callLine(name, fields)),
  'ui-tars-2': (act) => tarsWords(act, (name, fields) => taggedCall(name, fields)),
  qwen: (act, size) => qwenWords(act, size),
  tools: (act, _size, reasons) => toolWords(act, reasons),
};

const none = (what: string): { reason: string } => ({ reason: `these words have none for ${what}` });
const heldWords = (held: readonly string[]): string => `holding ${held.join(' and ')}`;
const said = (...lines: string[]): Words => ({ words: lines.join('\n') });
const again = (line: string, count: number): Words => said(...Array.from({ length: count }, () => line));

/** X11's names, which Anthropic's tool takes. */
const X11_KEYS: Readonly<Record<string, string>> = {
  meta: 'super',
  Enter: 'Return',
  Backspace: 'BackSpace',
  PageUp: 'Page_Up',
  PageDown: 'Page_Down',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Space: 'space',
  ' ': 'space',
};
const x11 = (key: string): string => X11_KEYS[key] ?? key;

/** `computer_toolset_20260801`: each tool by its own name, places px of the picture. */
function anthropicWords(act: Act): Words {
  const call = (name: string, input: object): string => jsonWithoutMarks({ type: 'tool_use', name, input });
  const held = 'held' in act && act.held.length > 0 ? { text: act.held.map(x11).join('+') } : {};
  switch (act.do) {
    case 'click': {
      const one = { left: 'left_click', right: 'right_click', middle: 'middle_click' }[act.button];
      const name = act.button === 'left' ? ({ 2: 'double_click', 3: 'triple_click' }[act.count] ?? one) : one;
      return again(call(name, { coordinate: act.at, ...held }), name === one ? act.count : 1);
    }
    case 'drag':
      if (act.held.length > 0) return none(`a drag ${heldWords(act.held)}`);
      return said(call('left_click_drag', { start_coordinate: act.from, coordinate: act.to }));
    case 'scroll':
      return said(
        ...scrollWays(act).map(([scroll_direction, scroll_amount]) =>
          call('scroll', { coordinate: act.at, scroll_direction, scroll_amount, ...held }),
        ),
      );
    case 'move':
      return said(call('mouse_move', { coordinate: act.at }));
    case 'keys':
      return again(call('key', { text: act.keys.map(x11).join('+') }), act.count);
    case 'type':
      return said(call('type', { text: act.text }));
    case 'wait':
      return said(call('wait', { duration: act.seconds }));
    case 'end':
      // Without a call the turn is over.
      return said('The task is done.');
  }
}

function scrollWays({ dx, dy }: { dx: number; dy: number }): [string, number][] {
  return [
    ...(dy === 0 ? [] : [[dy > 0 ? 'down' : 'up', Math.abs(dy)] as [string, number]]),
    ...(dx === 0 ? [] : [[dx > 0 ? 'right' : 'left', Math.abs(dx)] as [string, number]]),
  ];
}

/** The px that a notch of the wheel is where a tool turns by px; as the reader of answers has it (M34). */
const NOTCH_PX = 40;
const OPENAI_KEYS: Readonly<Record<string, string>> = { meta: 'SUPER', Escape: 'ESC' };
const openAiKey = (key: string): string => OPENAI_KEYS[key] ?? ([...key].length > 1 ? key.toUpperCase() : key);

/** A `computer_call` with its `actions[]`, places px of the picture. */
function openAiWords(act: Act): Words {
  const actions = openAiActions(act);
  return actions === null ? said('The task is done.') : said(jsonWithoutMarks({ type: 'computer_call', actions }));
}

/** Null: the task is over. */
function openAiActions(act: Act): object[] | null {
  const keys = 'held' in act && act.held.length > 0 ? { keys: act.held.map(openAiKey) } : {};
  const point = ([x, y]: PicturePoint) => ({ x, y });
  switch (act.do) {
    case 'click': {
      const button = { left: 'left', right: 'right', middle: 'wheel' }[act.button];
      if (act.button === 'left' && act.count === 2) return [{ type: 'double_click', ...point(act.at), ...keys }];
      const one = { type: 'click', button, ...point(act.at), ...keys };
      return Array.from({ length: act.count }, () => one);
    }
    case 'drag':
      return [{ type: 'drag', path: [point(act.from), point(act.to)], ...keys }];
    case 'scroll':
      return [
        {
          type: 'scroll',
          ...point(act.at),
          scroll_x: act.dx * NOTCH_PX,
          scroll_y: act.dy * NOTCH_PX,
          ...keys,
        },
      ];
    case 'move':
      return [{ type: 'move', ...point(act.at) }];
    case 'keys':
      return Array.from({ length: act.count }, () => ({ type: 'keypress', keys: act.keys.map(openAiKey) }));
    case 'type':
      return [{ type: 'type', text: act.text }];
    case 'wait':
      return [{ type: 'wait' }];
    case 'end':
      return null;
  }
}

/** The tool that trainers' turns of calls are of: OpenAI's actions, and why, since no words stand beside a call there. */
export const COMPUTER_TOOL = 'computer';

/** The tools of a conversation, as a text of JSON. `size`: of its pictures, px. */
export const toolsText = ({ width, height }: Size): string =>
  JSON.stringify([
    {
      type: 'function',
      function: {
        name: COMPUTER_TOOL,
        description: `Mouse and keyboard of a screen of ${width} x ${height} px. Places are px of the picture that was shown last.`,
        parameters: {
          type: 'object',
          properties: {
            thought: { type: 'string', description: 'The plan behind it' },
            intent: { type: 'string', description: 'The step in words' },
            actions: { type: 'array', items: { type: 'object' }, description: 'What is done, one after the other' },
          },
          required: ['actions'],
        },
      },
    },
  ]);

/** The text before the actions of a call. */
type Reasons = { thought?: string; intent?: string };

function toolWords(act: Act, reasons: Reasons): Words {
  const actions = openAiActions(act);
  if (actions === null) return said('The task is done.');
  return said(jsonWithoutMarks({ name: COMPUTER_TOOL, arguments: { ...reasons, actions } }));
}

type Fields = Readonly<Record<string, string>>;
/** UI-TARS quotes as Python does. */
const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\t', '\\t')}'`;
const callLine = (name: string, fields: Fields): string =>
  `${name}(${Object.entries(fields)
    .map(([field, value]) => `${field}=${quoted(value)}`)
    .join(', ')})`;
/** Readers take one line end away at each side. */
const padded = (value: string): string => (/^\n|\n$/.test(value) ? `\n${value}\n` : value);
const taggedCall = (name: string, fields: Fields): string =>
  [
    `<seed:tool_call><function=${name}>`,
    ...Object.entries(fields).map(([field, value]) => `<parameter=${field}>${padded(value)}</parameter>`),
    '</function></seed:tool_call>',
  ].join('');
const TARS_KEYS: Readonly<Record<string, string>> = {
  meta: 'win',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ' ': 'space',
};
const tarsKey = (key: string): string => TARS_KEYS[key] ?? key.toLowerCase();
const place = ([x, y]: PicturePoint): string => `<point>${x} ${y}</point>`;

/** UI-TARS 1.5 and 2: one call a line, places px of the picture. */
function tarsWords(act: Act, call: (name: string, fields: Fields) => string): Words {
  if ('held' in act && act.held.length > 0) return none(`keys that are held (${act.held.join(', ')})`);
  switch (act.do) {
    case 'click': {
      if (act.button === 'middle') return none('the middle button');
      const one = act.button === 'right' ? 'right_single' : 'click';
      const isDouble = act.button === 'left' && act.count === 2;
      return again(call(isDouble ? 'left_double' : one, { point: place(act.at) }), isDouble ? 1 : act.count);
    }
    case 'drag':
      return said(call('drag', { start_point: place(act.from), end_point: place(act.to) }));
    case 'scroll':
      // It turns the wheel by the program's own step: each notch is a call.
      return said(
        ...scrollWays(act).flatMap(([direction, amount]) =>
          Array.from({ length: Math.min(amount, 50) }, () => call('scroll', { point: place(act.at), direction })),
        ),
      );
    case 'move':
      return none('a pointer that only rests');
    case 'keys':
      return again(call('hotkey', { key: act.keys.map(tarsKey).join(' ') }), act.count);
    case 'type':
      return said(call('type', { content: act.text }));
    case 'wait':
      return said(call('wait', {}));
    case 'end':
      return said(call('finished', { content: 'done' }));
  }
}

/** Shares of the picture that Qwen counts in. */
const QWEN_SCALE = 1000;

/** Qwen3-VL and 3.5: `<tool_call>` with `computer_use`, places 0 to 1000. */
function qwenWords(act: Act, { width, height }: Size): Words {
  const made = qwenCalls(act, ([x, y]) => [
    Math.round((x / width) * QWEN_SCALE),
    Math.round((y / height) * QWEN_SCALE),
  ]);
  if ('reason' in made) return made;
  const line = (args: QwenCall): string =>
    `<tool_call>\n${jsonWithoutMarks({ name: 'computer_use', arguments: args })}\n</tool_call>`;
  return said(...made.calls.map(line));
}

/** The arguments of a call of `computer_use`. */
export type QwenCall = {
  action: string;
  coordinate?: number[];
  pixels?: number;
  keys?: string[];
  text?: string;
  time?: number;
  status?: string;
};

/** `at`: how a place is counted. */
function qwenCalls(act: Act, at: (point: PicturePoint) => number[]): { calls: QwenCall[] } | { reason: string } {
  const calls = (...made: QwenCall[]): { calls: QwenCall[] } => ({ calls: made });
  const times = (call: QwenCall, count: number) => calls(...Array.from({ length: count }, () => call));
  if ('held' in act && act.held.length > 0) return none(`keys that are held (${act.held.join(', ')})`);
  switch (act.do) {
    case 'click': {
      const one = { left: 'left_click', right: 'right_click', middle: 'middle_click' }[act.button];
      const name = act.button === 'left' ? ({ 2: 'double_click', 3: 'triple_click' }[act.count] ?? one) : one;
      return times({ action: name, coordinate: at(act.at) }, name === one ? act.count : 1);
    }
    case 'drag':
      return calls(
        { action: 'mouse_move', coordinate: at(act.from) },
        { action: 'left_click_drag', coordinate: at(act.to) },
      );
    case 'scroll':
      return calls(
        { action: 'mouse_move', coordinate: at(act.at) },
        ...(act.dy === 0 ? [] : [{ action: 'scroll', pixels: -act.dy * NOTCH_PX }]),
        ...(act.dx === 0 ? [] : [{ action: 'hscroll', pixels: act.dx * NOTCH_PX }]),
      );
    case 'move':
      return calls({ action: 'mouse_move', coordinate: at(act.at) });
    case 'keys':
      return times({ action: 'key', keys: act.keys.map(tarsKey) }, act.count);
    case 'type':
      return calls({ action: 'type', text: act.text });
    case 'wait':
      return calls({ action: 'wait', time: act.seconds });
    case 'end':
      return calls({ action: 'terminate', status: 'success' });
  }
}
