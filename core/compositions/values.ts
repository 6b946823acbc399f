/**
 * Values that a text of an instruction says by itself, where its author made no slots of them: times of day, durations, amounts of
 * money, what is in quotes, and names of two words or more. Levels of one instruction must agree in them.
 */

export type SaidValue = { kind: 'time' | 'minutes' | 'money' | 'quoted' | 'name'; words: string; value: string };

const UNITS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
}; // prettier-ignore
const TENS: Readonly<Record<string, number>> = { twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90 };
const NUMBER = `\\d{1,4}|(?:${Object.keys(TENS).join('|')})(?:[ -](?:${Object.keys(UNITS).slice(0, 9).join('|')}))?|${Object.keys(UNITS).join('|')}`;

const TIME = /(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])(?:\s*([ap])\.?m\b\.?)?/gi;
const HOUR = /(?<![\d:.])(1[0-2]|[1-9])\s*([ap])\.?m\b/gi;
const DURATION = new RegExp(`\\b(${NUMBER})[\\s-]*(minutes?|mins?|hours?)\\b`, 'gi');
const MONEY = /[$€£]\s?(\d{1,9}(?:[.,]\d{2})?)/g;
/** An apostrophe between letters ends no quotation. */
const QUOTED = /(?<!\w)['‘“"„]((?:[^'‘’“”"„]|(?<=\w)['’](?=\w)){1,300})['’”"](?!\w)/g;
const WORD = `[A-Z][\\p{Ll}\\p{Lu}\\d]+`;
const NAME = new RegExp(`(?<![\\w'’‘“"])${WORD}(?: ${WORD})+`, 'gu');

/** Each kind takes what it reads out of the text, so that nothing is read as two. */
export function valuesIn(text: string): SaidValue[] {
  const found: SaidValue[] = [];
  let left = text;
  const take = (pattern: RegExp, read: (match: RegExpMatchArray) => Omit<SaidValue, 'words'> | null): void => {
    left = left.replaceAll(pattern, (...all: unknown[]) => {
      const groups = all.filter((one) => typeof one === 'string' || one === undefined) as RegExpMatchArray;
      const words = String(groups[0]);
      const value = read(groups);
      if (value === null) return words;
      found.push({ ...value, words: words.trim() });
      // A full stop parts what stood before from what stands after.
      return ' . '.padEnd(words.length);
    });
  };
  take(QUOTED, ([, inside = '']) => ({ kind: 'quoted', value: folded(inside) }));
  take(MONEY, ([, amount = '']) => ({ kind: 'money', value: String(Number(amount.replace(',', '.'))) }));
  take(TIME, ([, hours = '', minutes = '', half]) => ({ kind: 'time', value: clock(Number(hours), minutes, half) }));
  take(HOUR, ([, hours = '', half]) => ({ kind: 'time', value: clock(Number(hours), '00', half) }));
  take(DURATION, ([, count = '', unit = '']) => {
    const minutes = numberOf(count.toLowerCase()) * (unit.toLowerCase().startsWith('h') ? 60 : 1);
    return { kind: 'minutes', value: String(minutes) };
  });
  for (const { 0: match, index } of left.matchAll(NAME)) {
    // The first word of a sentence has a capital whatever it is.
    const before = left.slice(0, index).trimEnd();
    const isFirst =
      before === '' || '.!?:;)'.includes(before.at(-1) ?? '') || left.slice(before.length, index).includes('\n');
    const words = isFirst ? match.split(' ').slice(1) : match.split(' ');
    if (words.length >= 2) found.push({ kind: 'name', words: words.join(' '), value: folded(words.join(' ')) });
  }
  return found;
}

/** Written alike: one kind of apostrophe and blank, no difference of capitals, no mark at the end. */
const folded = (text: string): string => {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim();
  let end = plain.length;
  while (end > 0 && '.,;:!?'.includes(plain.charAt(end - 1))) end--;
  return plain.slice(0, end).toLowerCase();
};

function numberOf(words: string): number {
  if (/^\d+$/.test(words)) return Number(words);
  const [first = '', second] = words.split(/[ -]/);
  return (TENS[first] ?? UNITS[first] ?? 0) + (second === undefined ? 0 : (UNITS[second] ?? 0));
}

function clock(hours: number, minutes: string, half: string | undefined): string {
  const afternoon = half?.toLowerCase() === 'p' && hours < 12 ? 12 : 0;
  const midnight = half?.toLowerCase() === 'a' && hours === 12 ? -12 : 0;
  return `${String(hours + afternoon + midnight).padStart(2, '0')}:${minutes}`;
}

const minutesSince = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/**
 * The values of `text` that `truth`, the text of L0, does not say. A duration is said also by two times that lie so far apart
 * ("from 9:00 to 8:50" is ten minutes), a quotation or a name also where the truth has the words without them.
 */
export function valuesBeside(text: string, truth: string): { said: SaidValue; instead: string[] }[] {
  const true0 = valuesIn(truth);
  const all = folded(truth);
  const times = true0.filter(({ kind }) => kind === 'time').map(({ value }) => minutesSince(value));
  const apart = new Set(times.flatMap((one) => times.map((other) => String(Math.abs(one - other)))));
  return valuesIn(text).flatMap((said) => {
    const same = true0.filter(({ kind }) => kind === said.kind);
    if (same.some(({ value }) => value === said.value)) return [];
    if (said.kind === 'minutes' && said.value !== '0' && apart.has(said.value)) return [];
    if ((said.kind === 'quoted' || said.kind === 'name') && all.includes(said.value)) return [];
    if (said.kind === 'name' && true0.some(({ kind, value }) => kind === 'quoted' && value.includes(said.value)))
      return [];
    const instead = same.map(({ words }) => words);
    if (said.kind === 'minutes' && times.length === 2) instead.push(`${Math.abs(times[0]! - times[1]!)} minutes`);
    return [{ said, instead }];
  });
}
