import type { RawEvent } from '../../schemas/events.ts';
import type { CodexElement, CodexEvent } from '../../schemas/import.ts';
import { append } from '../lists.ts';
import { inputOfActs } from './act-input.ts';

/**
 * A recording of Codex Record & Replay as steps: it tells elements and texts, and neither places nor pictures. What was typed is
 * input; a click, a drag or a choice is a step whose input nobody recorded (A16), with its words.
 */
export type CodexStep = {
  /** In words; null for typed text and keys, whose own say it. */
  words: string | null;
  element: string | null;
  /** Indices of its events. */
  from: number;
  to: number;
};

export type CodexRecording = {
  events: RawEvent[];
  steps: CodexStep[];
  windows: { t: number; title: string; app: string }[];
  /** Events that became nothing, by kind. */
  others: Map<string, number>;
  /** Trees of accessibility that came along. */
  trees: number;
  end: number;
};

/** A step takes so long, and so long lies between two, µs. */
const [TAKES, BETWEEN] = [0.5e6, 0.1e6];
const NOTHING = new Set(['session.started', 'recorder.started', 'recorder.stopped', 'session.ended']);
/** Lists whose selection a person changes by pressing an entry, which the recorder does not tell as a click. */
const LISTS = new Set(['AXList', 'AXTable', 'AXOutline', 'AXGrid', 'AXBrowser']);

/** `offset`: lines before the first event. */
export function codexSteps(lines: readonly CodexEvent[], offset: number): CodexRecording {
  const made: CodexRecording = { events: [], steps: [], windows: [], others: new Map(), trees: 0, end: 0 };
  const zero = Date.parse(lines[0]?.timestamp ?? '');
  let free = 0;
  const add = (events: readonly RawEvent[], end: number, words: string | null, element: string | null): void => {
    const from = offset + made.events.length;
    append(made.events, events);
    made.steps.push({ words, element, from, to: offset + made.events.length - 1 });
    free = end + BETWEEN;
  };
  for (const line of lines) {
    const t = Math.max(free, Math.round((Date.parse(line.timestamp) - zero) * 1000));
    if (line.ax !== undefined && line.ax !== null) made.trees++;
    const { app, window } = line;
    const shown = { t, title: window?.title ?? '', app: app?.name ?? '' };
    const before = made.windows.at(-1);
    if (app && (before?.title !== shown.title || before.app !== shown.app)) made.windows.push(shown);
    const step = stepOf(line);
    if (step === null) {
      if (!NOTHING.has(line.kind) && line.kind !== 'window.changed')
        made.others.set(line.kind, (made.others.get(line.kind) ?? 0) + 1);
      continue;
    }
    const input = step.input === null ? null : inputOfActs(step.input, () => null, t);
    if (input && 'events' in input) add(input.events, input.end, null, step.element);
    else add([{ type: 'step', t, until: t + TAKES }], t + TAKES, step.words, step.element);
  }
  made.end = free;
  return made;
}

type Step = { words: string; element: string | null; input: Parameters<typeof inputOfActs>[0] | null };

function stepOf({ kind, mouse, keyboard, selection }: CodexEvent): Step | null {
  switch (kind) {
    case 'mouse.click': {
      const act = mouse?.button === 'right' ? 'Right-click' : (mouse?.clickCount ?? 1) > 1 ? 'Double-click' : 'Click';
      return { words: `${act} ${saidOf(mouse?.target)}`, element: nameOf(mouse?.target), input: null };
    }
    case 'mouse.drag': {
      const [from, to] = [mouse?.origin?.element, mouse?.destination?.element];
      return { words: `Drag from ${saidOf(from)} to ${saidOf(to)}`, element: nameOf(from), input: null };
    }
    case 'keyboard.text_input': {
      const text = keyboard?.text ?? '';
      if (text === '') return null;
      return { words: `Type "${text}"`, element: nameOf(keyboard?.target), input: [{ do: 'type', text }] };
    }
    case 'keyboard.submit':
    case 'keyboard.shortcut': {
      const combination = keyboard?.keyEquivalent ?? '';
      if (combination === '') return null;
      const keys = combination === '+' ? ['+'] : combination.split('+').filter((key) => key !== '');
      const input: Step['input'] = [{ do: 'chord', keys, ms: null }];
      return { words: `Press ${combination}`, element: nameOf(keyboard?.target), input };
    }
    case 'selection.changed': {
      const items = selection?.selectedItems ?? [];
      if (items.length === 0 || !LISTS.has(selection?.target?.role ?? '')) return null;
      const names = items.map(saidOf).slice(0, 10).join(', ');
      const more = items.length > 10 ? ` and ${items.length - 10} more` : '';
      return {
        words: `Select ${names}${more} in ${saidOf(selection?.target)}`,
        element: nameOf(items[0]),
        input: null,
      };
    }
    default:
      return null;
  }
}

/** What a person reads on it. */
function nameOf(element: CodexElement | undefined): string | null {
  const { title, description, placeholder, identifier } = element ?? {};
  return [title, description, placeholder, identifier].find((name) => name?.trim())?.trim() ?? null;
}

function saidOf(element: CodexElement | undefined): string {
  const name = nameOf(element);
  // AXComboBox is a combo box.
  const role = (element?.role ?? '')
    .replace(/^AX/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  if (name === null) return role === '' ? 'something' : `a ${role}`;
  return role === '' ? `“${name}”` : `“${name}” (${role})`;
}
