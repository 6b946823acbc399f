/**
 * A JSON text by its places: what is not changed keeps its bytes, its numbers as they are written and its keys in their order,
 * which a value that was read and written again does not.
 */

export type RawValue = {
  from: number;
  /** The place after it. */
  to: number;
  members: readonly RawMember[] | null;
  items: readonly RawValue[] | null;
};
export type RawMember = { key: string; from: number; value: RawValue };

/** Replaces `from` to `to` by a text. */
export type RawEdit = { from: number; to: number; text: string };

const BLANK = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const PLAIN = /[^\s,\]}]+/y;

/** The places of a text that JSON.parse takes; anything else throws a SyntaxError. */
export function rawValue(text: string): RawValue {
  let at = 0;
  const past = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const sign = (wanted: string): boolean => {
    past(BLANK);
    if (text[at] !== wanted) return false;
    at++;
    return true;
  };
  const expect = (wanted: string): void => {
    if (!sign(wanted)) throw new SyntaxError(`"${wanted}" is missing at ${at}`);
  };
  const value = (): RawValue => {
    past(BLANK);
    const from = at;
    if (sign('{')) {
      const members: RawMember[] = [];
      while (!sign('}')) {
        if (members.length > 0) expect(',');
        past(BLANK);
        const start = at;
        const key: unknown = JSON.parse(past(STRING));
        expect(':');
        members.push({ key: String(key), from: start, value: value() });
      }
      return { from, to: at, members, items: null };
    }
    if (sign('[')) {
      const items: RawValue[] = [];
      while (!sign(']')) {
        if (items.length > 0) expect(',');
        items.push(value());
      }
      return { from, to: at, members: null, items };
    }
    if ((past(STRING) || past(PLAIN)) === '') throw new SyntaxError(`a value is missing at ${at}`);
    return { from, to: at, members: null, items: null };
  };
  return value();
}

/** The value of a member; of one that stands twice the last, as JSON.parse has it. Undefined where there is none. */
export const memberOf = (value: RawValue | undefined, key: string): RawValue | undefined =>
  value?.members?.findLast((member) => member.key === key)?.value;

/** Sets a member: where it is, or after the last one. Throws a RangeError for what has no members. */
export function setMember({ to, members }: RawValue, key: string, json: string): RawEdit {
  if (members === null) throw new RangeError('it has no members');
  const own = members.findLast((member) => member.key === key)?.value;
  if (own) return { from: own.from, to: own.to, text: json };
  const end = members.at(-1)?.value.to ?? to - 1;
  return { from: end, to: end, text: `${members.length === 0 ? '' : ', '}${JSON.stringify(key)}: ${json}` };
}

/** The text with all edits made; none may lie in another. */
export function edited(text: string, edits: readonly RawEdit[]): string {
  let done = 0;
  const parts: string[] = [];
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    parts.push(text.slice(done, edit.from), edit.text);
    done = edit.to;
  }
  return parts.join('') + text.slice(done);
}
