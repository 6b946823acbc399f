/** Whether what is in front may be recorded (I6), by the words that the person gave. Any case, any spelling of the same letters. */
export type FrontLists = {
  /** Left out: windows whose application or title holds one of these words. */
  exclude: readonly string[];
  /** When there are any: only windows of applications whose name holds one of these words are recorded. */
  only: readonly string[];
};
/** The part of a window that is judged. */
type Named = { title: string; app: string };
/**
 * The window in front by three measures: the active one, the one with the keyboard, the topmost one. Where the system tells,
 * also what was on the screen or had the keyboard at some time since the last look (native/platform, FrontNames).
 */
export type Front = {
  active: Named | null;
  focused: Named | null;
  topmost: Named | null;
  seen?: readonly Named[];
  typed?: readonly Named[];
  missed?: boolean;
};
export type FrontVerdict = 'allowed' | 'left-out' | 'unknown';

/**
 * Letters as a person tells them apart: an accent may be a sign of its own (names of files on a Mac), a letter wide, an ß
 * written SS, and signs that nobody sees may stand between.
 */
const folded = (text: string): string =>
  text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('i\u0307', 'i')
    .replace(/\s+/g, ' ');

const holds = (text: string, words: readonly string[]): boolean => {
  const shown = folded(text);
  return words.map(folded).some((word) => word.trim() !== '' && shown.includes(word));
};

/** Without any word nothing has to be judged, and nothing waits. */
export function hasLists({ exclude, only }: FrontLists): boolean {
  return exclude.length > 0 || only.length > 0;
}

/**
 * The verdict on one look. A window comes to the front in steps: it is raised, gets the keyboard, is called active. With an
 * exclude list each of the three counts. An allow list looks at the titles of nobody (a page about GIMP is not GIMP) and not
 * at the topmost window (a panel that is always on top is in no list). What was there only for a moment counts as what is there;
 * a window that was gone before it said its name may have been any, and is left out.
 * `unknown`: in the middle of a change no window is active for a moment, and a new one has no name yet.
 */
export function judgeFront(front: Front, { exclude, only }: FrontLists): FrontVerdict {
  const { active, focused, topmost, seen = [], typed = [], missed = false } = front;
  const inFront = [active, focused, topmost].flatMap((window) => window ?? []);
  const isExcluded = ({ app, title }: Named): boolean => holds(app, exclude) || holds(title, exclude);
  if (missed || [...inFront, ...seen, ...typed].some(isExcluded)) return 'left-out';
  if (only.length > 0 && typed.some(({ app }) => !holds(app, only))) return 'left-out';
  if (inFront.some(({ app, title }) => app === '' && title === '')) return 'unknown';
  if (only.length === 0) return 'allowed';
  if (active === null) return 'unknown';
  return [active, focused].every((window) => window === null || holds(window.app, only)) ? 'allowed' : 'left-out';
}

/** The verdict on one window wherever it lies, as if it were in front. */
export function judgeWindow(window: Named, lists: FrontLists): FrontVerdict {
  return judgeFront({ active: window, focused: null, topmost: null }, lists);
}

/** How long something unknown may last before it is judged as it is, µs. */
const SETTLES_US = 300_000;

/**
 * The verdicts of one look after another: `unknown` is waited with (null), but not for ever. What has no name then is
 * recorded with an exclude list, since no word fits it, and left out with an allow list, for the same reason.
 */
export function frontJudge(lists: FrontLists): (t: number, front: Front) => boolean | null {
  let unknownSince: number | null = null;
  return (t, front) => {
    const verdict = judgeFront(front, lists);
    if (verdict !== 'unknown') {
      unknownSince = null;
      return verdict === 'allowed';
    }
    unknownSince ??= t;
    return t - unknownSince < SETTLES_US ? null : lists.only.length === 0;
  };
}
