import { isUnseen } from '../actions/unseen.ts';
import type { ExportAction, ExportTask } from '../export/model.ts';
import { piecesReplaced, type Replacement, replaced, type TextPiece } from '../replaced.ts';
import { actedOn, hidingOf, type SkillInput } from './inputs.ts';

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
  /**
   * The same, letter for letter, as a text of JSON: spaces at its ends and line ends stay, and a brace of a constant that would
   * read as an input's is written `\\u007b`.
   */
  exact: string | null;
};
export type LeftOutSteps = { steps: string[]; why: string };

export type SkillPlan = { steps: SkillStep[]; leftOut: LeftOutSteps[] };

/**
 * `same`: whether two stills, by their files, show the same. `givenUp`: whether what the steps from one place to another changed is
 * as before, by their places among all.
 */
export function skillPlanOf(
  task: ExportTask,
  inputs: readonly SkillInput[],
  same: (a: string, b: string) => boolean,
  givenUp: (from: number, to: number) => boolean = () => false,
): SkillPlan {
  const all = task.subtasks
    .toSorted((a, b) => a.id - b.id)
    .flatMap((subtask) =>
      subtask.actions.toSorted((a, b) => a.rank - b.rank).map((exported) => ({ subtask, exported })),
    );
  const { gone, leftOut } = withoutEffect(
    all.map(({ exported }) => exported),
    same,
    givenUp,
  );
  // A number stands in many texts without being meant.
  const named = inputs.filter(({ kind }) => kind !== 'number');
  const hide = marking(named);
  const typed = piecesBy(inputs.some(({ examples }) => examples.length > 1) ? inputs.filter(isSecret) : named);
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
    const placeholder = input && placeholderOf(input);
    const isTyped = action.kind === 'type';
    const pieces = isTyped ? typedPieces(action.text ?? '', input, typed) : null;
    const value = pieces ? marked(pieces) : input?.kind === 'choice' ? (placeholder ?? null) : null;
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
    const exact = pieces && exactText(pieces);
    return [{ exported, subtask: { id: subtask.id, title: hide(subtask.query) }, words: said, target, value, exact }];
  });
  return { steps, leftOut: leftOut.map((one) => ({ ...one, steps: one.steps.map(hide) })) };
}

const isSecret = ({ kind }: SkillInput): boolean => kind === 'secret';
const placeholderOf = ({ kind, name }: SkillInput): string => (kind === 'secret' ? `{SECRET:${name}}` : `{${name}}`);

/** An input's value without the spaces around it: they stay as they were shown. */
function typedPieces(text: string, input: SkillInput | undefined, pieces: (text: string) => TextPiece[]): TextPiece[] {
  if (!input) return pieces(text);
  const plain = text.trim();
  const from = text.indexOf(plain);
  return [{ text: text.slice(0, from) }, { by: placeholderOf(input) }, { text: text.slice(from + plain.length) }];
}

/** What reads as an input and is none. */
const BRACES = /\{(?=(?:SECRET:)?[a-z0-9_]+\})/g;
const marked = (pieces: readonly TextPiece[]): string =>
  pieces.map((one) => ('by' in one ? one.by : one.text.replace(BRACES, '\\{'))).join('');
const exactText = (pieces: readonly TextPiece[]): string =>
  `"${pieces.map((one) => ('by' in one ? one.by : JSON.stringify(one.text).slice(1, -1).replace(BRACES, '\\u007b'))).join('')}"`;

/**
 * Replaces the inputs' values by their names where they stand alone, and secrets wherever they stand. A secret of a letter or two
 * is replaced where it stands alone.
 */
export function hiding(inputs: readonly SkillInput[]): (text: string) => string {
  const values = replacementsOf(inputs);
  return (text) => replaced(text, values);
}

/** The same for Markdown: what reads as an input and is none is written `\{name}`. */
function marking(inputs: readonly SkillInput[]): (text: string) => string {
  const pieces = piecesBy(inputs);
  return (text) => marked(pieces(text));
}

function piecesBy(inputs: readonly SkillInput[]): (text: string) => TextPiece[] {
  const values = replacementsOf(inputs);
  return (text) => piecesReplaced(text, values);
}

/** Values that may stand nowhere. */
export const secretsOf = ({ hidden, said = [] }: SkillInput): string[] => [...hidden, ...said];

const replacementsOf = (inputs: readonly SkillInput[]): Replacement[] =>
  inputs.flatMap((input) => [
    ...secretsOf(input).map((value) => hidingOf(value, placeholderOf(input))),
    ...(isSecret(input) ? [] : [{ value: input.examples[0]?.trim() ?? '', by: placeholderOf(input), alone: true }]),
  ]);

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

/** `givesUp`: its last step can only give up (Escape, Cancel): what else is other after it was not its doing. */
type WayBack = { from: number; to: number; how: string; givesUp: boolean };

/** Stretches of steps whose last one takes back, by where they begin, the longest first. */
export function waysBack(actions: readonly ExportAction[]): WayBack[] {
  return actions.flatMap((first, from) => {
    const found: WayBack[] = [];
    for (let to = Math.min(actions.length - 1, from + MOST_STEPS); to > from; to--) {
      const how = takesBack(actions[to]!, first);
      // A key with Ctrl inside may have written a file.
      const mayHaveKept = actions
        .slice(from, to)
        .some(({ action }) => action.kind === 'press' && action.keys!.length > 1);
      if (how !== null && !mayHaveKept) found.push({ from, to, ...how });
    }
    return found;
  });
}

/**
 * Steps that came to nothing, by their outcome: the screen after them is the screen before them (of what was given up: as far as
 * they changed it, since a program may show where the pointer is), something was seen between, and the last of them takes back
 * (Escape, undo, Cancel, the same thing pressed again). A way that ends otherwise may have saved or
 * sent something that no screen shows, and stays.
 */
function withoutEffect(
  actions: readonly ExportAction[],
  same: (a: string, b: string) => boolean,
  givenUp: (from: number, to: number) => boolean,
): { gone: Set<number>; leftOut: LeftOutSteps[] } {
  const gone = new Set<number>();
  const leftOut: LeftOutSteps[] = [];
  for (const { from, to, how, givesUp } of waysBack(actions)) {
    const before = actions[from]!.beforeImage;
    const after = actions[to]!.afterImage;
    const between = actions[from]!.afterImage;
    if (gone.has(from) || !before || !after || !between) continue;
    if (same(before.path, between.path)) continue;
    if (!same(before.path, after.path) && !(givesUp && givenUp(from, to))) continue;
    for (let at = from; at <= to; at++) gone.add(at);
    const why = `what they changed is as it was before them: ${how}`;
    leftOut.push({ steps: actions.slice(from, to + 1).map(({ narration }) => narration), why });
  }
  return { gone, leftOut };
}

type Takes = { how: string; givesUp: boolean };

function takesBack({ action, element }: ExportAction, first: ExportAction): Takes | null {
  if (action.kind === 'press') {
    const keys = action.keys?.join('+').toLowerCase();
    if (keys === 'escape') return { how: 'given up with Escape', givesUp: true };
    return keys === 'ctrl+z' ? { how: 'undone', givesUp: false } : null;
  }
  if (action.kind !== 'click' || !element?.name) return null;
  if (GIVES_UP.test(element.name.trim())) return { how: `given up with "${element.name}"`, givesUp: true };
  const isAgain = first.action.kind === 'click' && first.element?.name === element.name;
  return isAgain ? { how: 'set, and set back', givesUp: false } : null;
}
