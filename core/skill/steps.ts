import { isUnseen } from '../actions/unseen.ts';
import type { ExportAction, ExportTask } from '../export/model.ts';
import { actedOn, type SkillInput } from './inputs.ts';

/** The steps of a skill: what is meant, not how the hand moved. */

export type SkillStep = {
  exported: ExportAction;
  subtask: { id: number; title: string };
  /** What to do, with the inputs' names where their values were. */
  words: string;
  /** What it acts on; `name` null: nobody named it. Null for what goes to the field or window in front. */
  target: { name: string | null; window: string | null } | null;
  /** `{amount}`, `{SECRET:password}`, a constant; null where nothing is put in. */
  value: string | null;
};
export type LeftOutSteps = { steps: string[]; why: string };

export type SkillPlan = { steps: SkillStep[]; leftOut: LeftOutSteps[] };

/** `same`: whether two stills, by their files, show the same. */
export function skillPlanOf(
  task: ExportTask,
  inputs: readonly SkillInput[],
  same: (a: string, b: string) => boolean,
): SkillPlan {
  const all = task.subtasks
    .toSorted((a, b) => a.id - b.id)
    .flatMap((subtask) =>
      subtask.actions.toSorted((a, b) => a.rank - b.rank).map((exported) => ({ subtask, exported })),
    );
  const { gone, leftOut } = withoutEffect(
    all.map(({ exported }) => exported),
    same,
  );
  const hide = hiding(inputs);
  const fields = new Map(
    actedOn(
      all.map(({ exported }) => exported),
      hide,
    ).map(({ exported, label }) => [exported.id, label]),
  );
  const steps = all.flatMap(({ subtask, exported }, at): SkillStep[] => {
    if (gone.has(at)) return [];
    const { action, element, pixels } = exported;
    const input = inputs.find(({ actions }) => actions.includes(exported.id));
    const placeholder = input && (input.kind === 'secret' ? `{SECRET:${input.name}}` : `{${input.name}}`);
    const isTyped = action.kind === 'type';
    const value = isTyped || input?.kind === 'choice' ? (placeholder ?? hide(action.text ?? '')) : null;
    const window = action.window?.title ? hide(action.window.title) : null;
    const name = input?.kind === 'choice' ? (placeholder ?? null) : element?.name ? hide(element.name) : null;
    const field = fields.get(exported.id);
    const target =
      isTyped || action.kind === 'press' || action.kind === 'wait'
        ? isTyped && field
          ? { name: field, window }
          : null
        : { name, window };
    const said = pixels || isTyped ? madeWords(exported, target?.name ?? null, value) : hide(exported.narration);
    return [{ exported, subtask: { id: subtask.id, title: hide(subtask.query) }, words: said, target, value }];
  });
  return { steps, leftOut: leftOut.map((one) => ({ ...one, steps: one.steps.map(hide) })) };
}

/**
 * Replaces the inputs' values by their names where they stand alone, and secrets wherever they stand; the longest first. A secret
 * of a letter or two is replaced where it stands alone.
 */
export function hiding(inputs: readonly SkillInput[]): (text: string) => string {
  const values = inputs
    .flatMap(({ name, kind, examples, hidden }) => [
      ...hidden.map((value) => ({ value, by: `{SECRET:${name}}`, alone: value.length < SHORT_SECRET })),
      ...(kind === 'secret' ? [] : [{ value: examples[0]?.trim() ?? '', by: `{${name}}`, alone: true }]),
    ])
    .filter(({ value }) => value !== '')
    .sort((a, b) => b.value.length - a.value.length);
  return (text) => values.reduce((now, one) => replaced(now, one), text);
}

const SHORT_SECRET = 3;
const LETTER = /[\p{L}\p{N}]/u;

function replaced(text: string, { value, by, alone }: { value: string; by: string; alone: boolean }): string {
  let out = '';
  let from = 0;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, from)) {
    const end = at + value.length;
    const isWord = LETTER.test(text[at - 1] ?? '') || LETTER.test(text[end] ?? '');
    out += text.slice(from, at) + (alone && isWord ? value : by);
    from = end;
  }
  return out + text.slice(from);
}

function madeWords({ action, narration }: ExportAction, name: string | null, value: string | null): string {
  const on = name === null ? 'a place that nobody named (see its picture)' : `"${name}"`;
  if (action.kind === 'type') return name === null ? `Type ${value}` : `Type ${value} into ${on}`;
  if (isUnseen(action)) return narration;
  const verb = {
    click: 'Click',
    drag: 'Drag',
    scroll: 'Scroll at',
    hover: 'Point at',
    press: 'Press',
    wait: 'Wait at',
  };
  return `${action.count === 2 ? 'Double-click' : verb[action.kind]} ${on}`;
}

/** Names of what gives up. */
const GIVES_UP = /^(?:cancel|close|discard|abort|abbrechen|schließen|verwerfen|取消|关闭)\b/i;
/** A longer way back is a part of the work. */
const MOST_STEPS = 8;

/**
 * Steps that came to nothing, by their outcome: the screen after them is the screen before them, something was seen between, and
 * the last of them takes back (Escape, undo, Cancel, the same thing pressed again). A way that ends otherwise may have saved or
 * sent something that no screen shows, and stays.
 */
function withoutEffect(
  actions: readonly ExportAction[],
  same: (a: string, b: string) => boolean,
): { gone: Set<number>; leftOut: LeftOutSteps[] } {
  const gone = new Set<number>();
  const leftOut: LeftOutSteps[] = [];
  for (let from = 0; from < actions.length; from++) {
    const before = actions[from]!.beforeImage;
    if (gone.has(from) || !before) continue;
    for (let to = Math.min(actions.length - 1, from + MOST_STEPS); to > from; to--) {
      const after = actions[to]!.afterImage;
      const between = actions[from]!.afterImage;
      const span = actions.slice(from, to + 1);
      if (!after || !between || !same(before.path, after.path) || same(before.path, between.path)) continue;
      const how = takesBack(actions[to]!, actions[from]!);
      // A key with Ctrl inside may have written a file.
      if (how === null || span.slice(0, -1).some(({ action }) => action.kind === 'press' && action.keys!.length > 1))
        continue;
      for (let at = from; at <= to; at++) gone.add(at);
      const why = `the screen after them is the one before them: ${how}`;
      leftOut.push({ steps: span.map(({ narration }) => narration), why });
      break;
    }
  }
  return { gone, leftOut };
}

function takesBack({ action, element }: ExportAction, first: ExportAction): string | null {
  if (action.kind === 'press') {
    const keys = action.keys?.join('+').toLowerCase();
    if (keys === 'escape') return 'given up with Escape';
    return keys === 'ctrl+z' ? 'undone' : null;
  }
  if (action.kind !== 'click' || !element?.name) return null;
  if (GIVES_UP.test(element.name.trim())) return `given up with "${element.name}"`;
  return first.action.kind === 'click' && first.element?.name === element.name ? 'set, and set back' : null;
}
