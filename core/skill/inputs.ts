import type { ExportAction } from '../export/model.ts';
import { type Replacement, replaced } from '../replaced.ts';
import { saidSecrets } from './said-secrets.ts';

/**
 * The inputs of a skill, found by rule. Of one recording: typed texts that are also in the goal, dates, numbers and files. Of
 * several of one task: steps are aligned by what they act on, never by their number, and what differs is an input, what does not
 * is a constant.
 */

export type InputKind = 'date' | 'number' | 'file' | 'text' | 'choice' | 'secret';
export type SkillInput = {
  /** `amount`; of a secret what stands in {SECRET:name}. */
  name: string;
  kind: InputKind;
  /** By recording, in their order; null where it has none. Empty for a secret. */
  examples: (string | null)[];
  /** Its steps in the first recording, by action. */
  actions: string[];
  /** Of a secret the values that may stand nowhere, of every recording; empty where the recorder withheld them. */
  hidden: string[];
  /** The same of what the recorder withheld and somebody wrote into the task's words: no screen shows it. Absent: nothing. */
  said?: string[];
};

const DATE = /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})$/;
const NUMBER = /^[-+]?\d{1,18}(?:[.,]\d{1,9})?%?$/;
const FILE = /^(?:[~./]|[A-Za-z]:\\)?[^\n]{0,300}[^\s.\\/]\.[A-Za-z0-9]{1,5}$/;
const SECRET = /pass(?:word|phrase|code|wort)|\bpin\b|secret|token|api.?key|kennwort|密码/i;

const SHORT_SECRET = 3;
/** A secret of a letter or two stands in any word by chance: it is replaced where it stands alone. */
export const hidingOf = (value: string, by: string): Replacement => ({
  value,
  by,
  secret: true,
  alone: value.length < SHORT_SECRET,
});

/**
 * What a step acts on, in words that two recordings share: `label` as it is shown, `field` to compare. `clear`: a secret that was
 * typed so that it can be read.
 */
type Acted = {
  exported: ExportAction;
  label: string;
  field: string;
  value: string | null;
  secret: boolean;
  clear: string;
};

/** Typed text goes into what was pressed last. `clean`: takes secrets out of names. */
export function actedOn(actions: readonly ExportAction[], clean = (text: string): string => text): Acted[] {
  let pressed = '';
  return actions.map((exported): Acted => {
    const { action, element } = exported;
    const named = element?.name.trim() ?? '';
    if (action.kind === 'click' || action.kind === 'drag') pressed = named;
    // The next field of a form is another one.
    if (action.kind === 'press' && action.keys?.at(-1) === 'Tab') pressed = '';
    const label = clean(action.kind === 'type' ? pressed : named);
    const text = action.kind === 'type' ? (action.text ?? '') : '';
    // By the name as it was: with a secret like "word" taken out, "Password" names none.
    const secret = action.withheld === true || (action.kind === 'type' && SECRET.test(pressed));
    const value = text !== '' && !secret ? text : null;
    return { exported, label, field: label.toLowerCase(), value, secret, clear: secret ? text.trim() : '' };
  });
}

const keyOf = ({ exported: { action }, field }: Acted): string =>
  action.kind === 'press' ? `press ${action.keys?.join('+')}` : `${action.kind} ${action.button ?? ''} ${field}`;

/** Pairs of steps that act on the same, in order: the longest common subsequence of what they act on. */
function aligned(one: readonly Acted[], other: readonly Acted[]): [number, number][] {
  const [a, b] = [one.map(keyOf), other.map(keyOf)];
  const best = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      best[i]![j] = a[i] === b[j] ? best[i + 1]![j + 1]! + 1 : Math.max(best[i + 1]![j]!, best[i]![j + 1]!);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (best[i + 1]![j]! >= best[i]![j + 1]!) i++;
    else j++;
  }
  return pairs;
}

/**
 * `said`: the task's own words, its goal among them; `titles`: those of its subtasks. The first recording is the one that becomes
 * the skill.
 */
export function inputsOf(
  recordings: readonly (readonly ExportAction[])[],
  said: readonly string[],
  titles: readonly string[] = [],
): SkillInput[] {
  const steps = recordings.flatMap((actions) => actedOn(actions));
  const secrets = steps.flatMap(({ clear }) => (clear === '' ? [] : [clear]));
  const withheld = withheldIn(recordings, [...said, ...titles]);
  const hidden = [...secrets, ...withheld.map(({ value }) => value)].map((one) => hidingOf(one, '…'));
  const clean = (text: string): string => replaced(text, hidden);
  const [first = [], ...others] = recordings.map((actions) => actedOn(actions, clean));
  const cleaned = ({ value }: Acted): string | null => (value === null ? null : clean(value));
  const values = first.map((step): (string | null)[] => [cleaned(step)]);
  const choices = first.map((step): (string | null)[] => [nameOf(step)]);
  const partners: Map<number, number>[] = [];
  for (const other of others) {
    const pairs = aligned(first, other);
    const partner = new Map(pairs);
    partners.push(partner);
    const chosen = choicesBetween(first, other, pairs);
    for (const at of first.keys()) {
      const found = partner.get(at);
      values[at]!.push(found === undefined ? null : cleaned(other[found]!));
      choices[at]!.push(chosen.get(at) ?? null);
    }
  }
  /** What was typed there in any recording. */
  const secretsAt = (at: number): string[] =>
    [first[at], ...others.map((other, n) => other[partners[n]?.get(at) ?? -1])].flatMap((one) =>
      one && one.clear !== '' ? [one.clear] : [],
    );
  const text = said.join('\n').toLowerCase();
  const inputs: SkillInput[] = [];
  const taken = new Set<string>();
  for (const [at, step] of first.entries()) {
    const add = (kind: InputKind, examples: (string | null)[], hidden: string[] = []): void => {
      const value = examples[0];
      const known = inputs.find((one) => one.kind === kind && value !== undefined && one.examples[0] === value);
      if (known && known.examples.join('\0') === examples.join('\0')) known.actions.push(step.exported.id);
      else inputs.push({ name: free(step.field || kind, taken), kind, examples, actions: [step.exported.id], hidden });
    };
    if (step.secret) {
      add('secret', [], secretsAt(at));
      continue;
    }
    const [own, ...rest] = values[at]!;
    if (own !== null && own !== undefined && own.trim() !== '') {
      const differs = rest.some((value) => value !== null && value !== own);
      const isSaid = own.trim().length > 1 && text.includes(own.trim().toLowerCase());
      if (others.length > 0 ? differs : isSaid || kindOf(own) !== 'text') add(kindOf(own), values[at]!);
    } else if (others.length > 0 && choices[at]!.slice(1).some((name) => name !== null)) add('choice', choices[at]!);
  }
  // The other recordings give only examples; a secret of theirs may still stand in one, and in the goal.
  const more = others.flatMap((other) => other.flatMap(({ clear }) => (clear === '' ? [] : [clear])));
  const isNamed = more.some((one) => [...said, ...titles].some((words) => words.includes(one)));
  let secret = inputs.find(({ kind }) => kind === 'secret');
  if (!secret && (isNamed || withheld.length > 0)) {
    secret = { name: free('secret', taken), kind: 'secret', examples: [], actions: [], hidden: [] };
    inputs.push(secret);
  }
  if (secret) for (const one of more) if (!secret.hidden.includes(one)) secret.hidden.push(one);
  for (const { value, action } of withheld) {
    const its = inputs.find((one) => one.kind === 'secret' && one.actions.includes(action)) ?? secret;
    if (its) its.said = [...(its.said ?? []), value];
  }
  return inputs;
}

/** A secret that the recorder withheld, though words of the task or a step say it. `action`: the first that it may belong to. */
function withheldIn(
  recordings: readonly (readonly ExportAction[])[],
  words: readonly string[],
): { value: string; action: string }[] {
  const all = recordings.flat();
  const typed = all.filter(({ action }) => action.withheld === true);
  const own = recordings[0]?.map(({ narration }) => narration) ?? [];
  const shown = recordings.flatMap((actions) => {
    const first = actions.findIndex(({ action }) => action.withheld === true);
    return actions.flatMap(({ action, element }, at) => [
      action.text ?? '',
      ...(at <= first ? [element?.name ?? '', action.window?.title ?? ''] : []),
    ]);
  });
  const keys = typed.map(({ action }) => action.withheldKeys ?? null);
  return saidSecrets([...words, ...own], keys, shown).map(({ value, of }) => ({ value, action: typed[of]!.id }));
}

const nameOf = ({ label }: Acted): string | null => label || null;

/** Where both pressed one thing, and another one, between two steps that agree: it was chosen. */
function choicesBetween(
  one: readonly Acted[],
  other: readonly Acted[],
  pairs: readonly [number, number][],
): Map<number, string> {
  const found = new Map<number, string>();
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...pairs, [one.length, other.length] as const]) {
    if (nextI - i === 1 && nextJ - j === 1) {
      const [mine, theirs] = [one[i]!, other[j]!];
      const name = nameOf(theirs);
      if (mine.exported.action.kind === 'click' && theirs.exported.action.kind === 'click' && nameOf(mine) && name)
        found.set(i, name);
    }
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return found;
}

function kindOf(text: string): Exclude<InputKind, 'choice' | 'secret'> {
  const plain = text.trim();
  if (DATE.test(plain)) return 'date';
  if (NUMBER.test(plain)) return 'number';
  return FILE.test(plain) ? 'file' : 'text';
}

/** A short name of small letters that no other input has. */
function free(words: string, taken: Set<string>): string {
  const parts = words.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const plain = parts.join('_').slice(0, 40) || 'value';
  let name = plain;
  for (let number = 2; taken.has(name); number++) name = `${plain}_${number}`;
  taken.add(name);
  return name;
}
