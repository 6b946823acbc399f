import type { AnswerAct, PlaceNumbers } from '../evaluate/reading/tool-acts.ts';

/** Presses and releases of an answer as the clicks, drags and combinations that they are together. */

export type SettledAct = Exclude<AnswerAct, { do: 'button' | 'key' }>;
type Place = PlaceNumbers | null;
type Press = { button: 'left' | 'right' | 'middle'; path: Place[] };

/** Null where a button or a key stays down, goes up without having been down, or is down for what no answer has a word for. */
export function settledActs(acts: readonly AnswerAct[]): SettledAct[] | null {
  const made: SettledAct[] = [];
  const keys: string[] = [];
  // The keys that are down have done nothing yet.
  let isFresh = false;
  let press: Press | null = null;
  for (const act of acts) {
    if (act.do === 'key') {
      if (press) return null;
      const at = keys.indexOf(act.key);
      if (act.down && at < 0) keys.push(act.key);
      if (act.down) isFresh = true;
      else if (at < 0) return null;
      else {
        if (isFresh) made.push({ do: 'chord', keys: [...keys], ms: null });
        isFresh = false;
        keys.splice(at, 1);
      }
      continue;
    }
    if (act.do === 'button' && act.down) {
      if (press) return null;
      press = { button: act.button, path: [act.at] };
      continue;
    }
    if (press) {
      if (act.do === 'wait') continue;
      if (act.do !== 'move' && act.do !== 'button') return null;
      if (act.at !== null && act.at.join() !== press.path.at(-1)?.join()) press.path.push(act.at);
      if (act.do === 'move') continue;
      const whole = act.button === press.button ? gestureOf(press, keys) : null;
      if (whole === null) return null;
      made.push(whole);
      [press, isFresh] = [null, false];
      continue;
    }
    if (act.do === 'button') return null;
    if (act.do !== 'wait' && act.do !== 'move') isFresh = false;
    for (const one of withHeld(act, keys)) made.push(one);
  }
  return press || keys.length > 0 ? null : made;
}

/** Of the left button a way is a drag; no answer has a word for one of another. */
function gestureOf({ button, path }: Press, keys: readonly string[]): SettledAct | null {
  const [at = null, ...way] = path;
  if (way.length === 0) return { do: 'click', at, button, count: 1, held: [...keys] };
  return button === 'left' ? { do: 'drag', path, held: [...keys] } : null;
}

function withHeld(act: SettledAct, keys: readonly string[]): SettledAct[] {
  if (keys.length === 0) return [act];
  if (act.do === 'type') return [...act.text].map((char) => ({ do: 'chord', keys: [...keys, char], ms: null }));
  if (act.do === 'chord') return [{ ...act, keys: [...keys, ...act.keys] }];
  return 'held' in act ? [{ ...act, held: [...keys, ...act.held] }] : [act];
}

/** Whether a button or a key is down after them: what comes next belongs to them. */
export function staysDown(acts: readonly AnswerAct[]): boolean {
  const down = new Set<string>();
  for (const act of acts) {
    if (act.do !== 'key' && act.do !== 'button') continue;
    const name = act.do === 'key' ? `key ${act.key}` : `button ${act.button}`;
    if (act.down) down.add(name);
    else down.delete(name);
  }
  return down.size > 0;
}
