import { field, isRecord, type JsonRecord, looseJson, recordsIn } from './records.ts';
import type { CoordinateScale } from './scale.ts';

/** Calls of tools in an answer, in their order, whatever wraps them (M34): messages, lists of actions, tags, calls as text. */

export type ToolCall = {
  name: string;
  args: JsonRecord;
  form: string;
  /** The unit that the form gives its numbers; null: it gives none. */
  scale: CoordinateScale | null;
};

const MOST_CALLS = 1000;
const MOST_LEVELS = 8;
const LONGEST_VALUE = 20_000;

export const GEMINI = 'Gemini';
/** Gemini 2.5's own names: no other form has them. */
const GEMINI_NAMES = new Set('click_at hover_at type_text_at scroll_at scroll_document key_combination'.split(' '));
/** Fields that stand beside a call and are none. */
const SPOKEN = new Set(['text', 'thinking', 'redacted_thinking', 'reasoning', 'output_text', 'tool_result', 'image']);

/** Calls of a record or a list that is no text. */
export function callsOfValue(value: unknown): ToolCall[] {
  const found: ToolCall[] = [];
  collect(value, found, 0);
  return found;
}

/** Calls in a text: records, `<function=…>` of Qwen3.5 and Seed, else calls such as `click(point='…')` of UI-TARS. */
export function callsOfText(text: string): ToolCall[] {
  const bare = text.trim();
  const list = bare.startsWith('[') && bare.length < 100_000 ? looseJson(bare) : undefined;
  if (Array.isArray(list)) return callsOfValue(list);
  const tagged = taggedCalls(text);
  if (tagged.length > 0) return tagged;
  const records = recordsIn(text).flatMap(({ value }) => callsOfValue(value));
  return records.length > 0 ? records.slice(0, MOST_CALLS) : writtenCalls(text);
}

function collect(value: unknown, found: ToolCall[], level: number): void {
  if (level > MOST_LEVELS || found.length >= MOST_CALLS) return;
  if (Array.isArray(value)) {
    for (const one of value.slice(0, MOST_CALLS)) collect(one, found, level + 1);
    return;
  }
  if (!isRecord(value)) return;
  const one = (name: string): unknown => field(value, name);
  const type = one('type');
  if (typeof type === 'string' && SPOKEN.has(type)) return;
  if (type === 'computer_call' || Array.isArray(one('actions'))) {
    const openAi = type === 'computer_call';
    const list = one('actions') ?? [one('action')];
    for (const action of Array.isArray(list) ? list : [])
      if (isRecord(action))
        actionOf(action, found, openAi ? 'OpenAI' : 'actions', openAi || isTyped(action) ? 'pixels' : null);
    return;
  }
  const gemini = one('functionCall');
  if (isRecord(gemini)) {
    named(gemini, found, GEMINI, '0-1000');
    return;
  }
  if (type === 'tool_use') {
    named(value, found, 'Anthropic', 'pixels');
    return;
  }
  for (const inner of ['function', 'function_call', 'tool_call'] as const) {
    const wrapped = one(inner);
    if (isRecord(wrapped)) {
      collect(wrapped, found, level + 1);
      return;
    }
  }
  if (typeof one('name') === 'string' && argumentsOf(value) !== null) {
    const isGemini = GEMINI_NAMES.has(String(one('name')));
    named(value, found, isGemini ? GEMINI : 'tool call', isGemini ? '0-1000' : null);
    return;
  }
  for (const inner of [
    'choices',
    'message',
    'candidates',
    'content',
    'parts',
    'output',
    'steps',
    'tool_calls',
  ] as const) {
    const wrapped = one(inner);
    if (wrapped !== undefined && typeof wrapped === 'object') collect(wrapped, found, level + 1);
  }
  if (found.length > 0 && level === 0) return;
  if (isRecord(one('action'))) collect(one('action'), found, level + 1);
  else if (typeof (one('action') ?? one('action_type')) === 'string' || isTyped(value))
    actionOf(value, found, 'record', null);
}

/** OpenAI's actions are named by their `type`; its words beside them are a `message`, which is none. */
const isTyped = (record: JsonRecord): boolean => {
  const type = field(record, 'type');
  return typeof type === 'string' && type !== 'message' && field(record, 'action') === undefined;
};

/** `{"action": "left_click", …}`, `{"type": "click", …}`: the name stands among the arguments. */
function actionOf(record: JsonRecord, found: ToolCall[], form: string, scale: CoordinateScale | null): void {
  const name = field(record, 'action') ?? field(record, 'action_type') ?? field(record, 'type');
  if (typeof name === 'string' && name.length < 60) found.push({ name, args: record, form, scale });
}

function argumentsOf(record: JsonRecord): JsonRecord | null {
  for (const name of ['arguments', 'args', 'input', 'parameters', 'params']) {
    const value = field(record, name);
    if (isRecord(value)) return value;
    const parsed = typeof value === 'string' && value.length < LONGEST_VALUE ? looseJson(value) : undefined;
    if (isRecord(parsed)) return parsed;
  }
  return null;
}

/** A call by name; one tool for everything (`computer`, `computer_use`) says in `action` what it does. */
function named(record: JsonRecord, found: ToolCall[], form: string, scale: CoordinateScale | null): void {
  const args = argumentsOf(record) ?? {};
  const name = field(record, 'name');
  const action = field(args, 'action') ?? field(args, 'type');
  if (typeof name !== 'string' || name.length > 60) return;
  const whole = /^(?:computer|computer_use|mobile_use|browser)$/i.test(name) || /^computer_\d{8}$/.test(name);
  if (whole && typeof action === 'string') found.push({ name: action, args, form, scale });
  else if (whole && isRecord(action)) actionOf(action, found, form, scale);
  else found.push({ name, args, form, scale });
}

const FUNCTION = /<function=["']?([\w.]{1,60})["']?>([\s\S]{0,8000}?)<\/function>/g;
const PARAMETER = /<parameter=["']?(\w{1,60})["']?>([\s\S]{0,4000}?)<\/parameter>/g;

function taggedCalls(text: string): ToolCall[] {
  const found: ToolCall[] = [];
  if (!text.includes('<function=')) return found;
  const form = text.includes('<seed:tool_call>') ? 'UI-TARS 2' : 'Qwen3.5';
  for (const [, name = '', inside = ''] of text.matchAll(FUNCTION)) {
    const args = Object.fromEntries(
      [...inside.matchAll(PARAMETER)].map(([, key = '', value = '']) => [
        key,
        // A text stays one, whatever it looks like.
        /^(?:text|content)$/.test(key) ? lineOf(value) : readValue(lineOf(value)),
      ]),
    );
    named({ name, arguments: args }, found, form, null);
    if (found.length >= MOST_CALLS) break;
  }
  return found;
}

const lineOf = (value: string): string => value.replace(/^\n|\n$/g, '');

/** A value that is written as JSON, else the words as they are. */
function readValue(text: string): unknown {
  if (!/^\s{0,9}[[{\d-]/.test(text)) return text;
  const value = looseJson(text.trim());
  return value === undefined ? text : value;
}

const WRITTEN =
  /\b(click|left_single|left_double|right_single|double_click|right_click|drag|hotkey|press|release|type|scroll|wait|finished|mouse_down|mouse_up|mouse_move|move_to|long_press|call_user|agentClick|agentType|agentScroll|agentHover)\(/g;
const ARGUMENT =
  /(?:(\w{1,40})\s{0,9}=\s{0,9})?('(?:[^'\\]|\\.){0,4000}'|"(?:[^"\\]|\\.){0,4000}"|\[[^\]]{0,200}\]|\([^)]{0,200}\)|[^\s,()'"]{1,60})\s{0,9}(,|\)|$)/gy;

/** `click(point='<point>79 115</point>')`, one after the other. */
function writtenCalls(text: string): ToolCall[] {
  const found: ToolCall[] = [];
  // A program of PyAutoGUI is read as one.
  if (/\bpyautogui\b/.test(text)) return found;
  const isNova = /\bagent(?:Click|Type|Scroll|Hover)\(/.test(text);
  for (const { 0: head, 1: name = '', index } of text.matchAll(WRITTEN)) {
    const args: Record<string, unknown> = {};
    let place = 0;
    ARGUMENT.lastIndex = index + head.length;
    while (text[ARGUMENT.lastIndex] !== ')') {
      while (/[\s,]/.test(text[ARGUMENT.lastIndex] ?? '')) ARGUMENT.lastIndex++;
      const from = ARGUMENT.lastIndex;
      const match = ARGUMENT.exec(text);
      if (!match || place > 20) break;
      const [whole, key, value = '', end] = match;
      args[key ?? `argument${place++}`] = quoted(value) ?? readValue(value);
      if (end !== ',') break;
      ARGUMENT.lastIndex = from + whole.length;
    }
    const form = isNova ? 'Nova' : 'UI-TARS';
    found.push({ name, args, form, scale: isNova ? '0-1000' : null });
    if (found.length >= MOST_CALLS) break;
  }
  return found;
}

function quoted(value: string): string | null {
  if (!/^["']/.test(value)) return null;
  return value
    .slice(1, -1)
    .replace(/\\(n|t|.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign === 't' ? '\t' : sign));
}
