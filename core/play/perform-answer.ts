import type { Act } from '../evaluate/keys/acts.ts';
import type { Spot } from '../evaluate/keys/mouse.ts';
import { type CoordinateScale, scaledPlace } from '../evaluate/reading/scale.ts';
import type { AnswerAct, PlaceNumbers } from '../evaluate/reading/tool-acts.ts';
import { type PerformStep, wordsOfAct, wordsOfText } from './perform.ts';

/** An answer's calls as steps of a script (M34, PL15): places in px of the screen, held keys down around what they are held for. */

type Screen = { width: number; height: number };

const keys = (names: readonly string[], down: boolean): Act[] => names.map((key) => ({ do: 'key', key, down }));
const taps = (names: readonly string[]): Act[] => [...keys(names, true), ...keys(names.toReversed(), false)];

/** A place in px of the screen; of a box its middle. Throws a RangeError with one that is not on it. */
function spotOn(screen: Screen, scale: CoordinateScale): (at: PlaceNumbers) => Spot {
  // The far edge of a scale of shares is the last pixel.
  const edge = (value: number, side: number): number => (scale !== 'pixels' && value === side ? side - 1 : value);
  return (at) => {
    const [a, b, c = a, d = b] = scaledPlace({ numbers: at, scale }, scale, screen);
    const [x, y] = [edge(Math.round((a + c) / 2), screen.width), edge(Math.round((b + d) / 2), screen.height)];
    if (x < 0 || y < 0 || x >= screen.width || y >= screen.height)
      throw new RangeError(`${at.join(', ')} is not on the screen of ${screen.width} x ${screen.height} px`);
    return [x, y];
  };
}

/** A program's acts, whose places count this, with places in px of the screen. Throws as `stepsOfAnswer`. */
export function actsOnScreen(acts: readonly Act[], scale: CoordinateScale, screen: Screen): Act[] {
  const spot = spotOn(screen, scale);
  return acts.map((act): Act => {
    if (act.do === 'key' || act.do === 'wait') return act;
    if (act.do === 'move') return { ...act, at: spot(act.at) };
    if (act.do !== 'drag') return { ...act, at: act.at && spot(act.at) };
    const path = act.path && { path: act.path.map(spot) };
    return { ...act, from: act.from && spot(act.from), to: spot(act.to), ...path };
  });
}

/** Throws a RangeError with the place that is not on the screen. */
export function stepsOfAnswer(acts: readonly AnswerAct[], scale: CoordinateScale, screen: Screen): PerformStep[] {
  const spot = spotOn(screen, scale);
  const around = (held: readonly string[], ...inside: Act[]): Act[] => [
    ...keys(held, true),
    ...inside,
    ...keys(held.toReversed(), false),
  ];
  const stepOf = (act: AnswerAct): PerformStep => {
    switch (act.do) {
      case 'click': {
        const at = act.at && spot(act.at);
        const one: Act = { do: 'click', at, button: act.button, count: act.count };
        return { what: wordsOfAct(one), acts: around(act.held, one) };
      }
      case 'move': {
        const one: Act = { do: 'move', at: spot(act.at) };
        return { what: wordsOfAct(one), acts: [one] };
      }
      case 'button': {
        const one: Act = { do: 'button', at: act.at && spot(act.at), button: act.button, down: act.down };
        return { what: wordsOfAct(one), acts: [one] };
      }
      case 'drag': {
        const [from, ...way] = act.path.map((place) => place && spot(place));
        const path = way.filter((place) => place !== null);
        const to = path.at(-1);
        if (!to) throw new RangeError('a drag without an end');
        const one: Act = { do: 'drag', from: from ?? null, to, button: 'left', path: path.slice(0, -1) };
        return { what: wordsOfAct(one), acts: around(act.held, one) };
      }
      case 'scroll': {
        const one: Act = { do: 'scroll', at: act.at && spot(act.at), dx: act.dx, dy: act.dy };
        return { what: wordsOfAct(one), acts: around(act.held, one) };
      }
      case 'chord': {
        const wait: Act[] = act.ms === null ? [] : [{ do: 'wait', ms: act.ms }];
        const all = act.keys;
        const acts = act.ms === null ? taps(all) : [...keys(all, true), ...wait, ...keys(all.toReversed(), false)];
        return { what: `keys ${all.join('+')}`, acts };
      }
      case 'key':
        return { what: `key ${act.key} ${act.down ? 'down' : 'up'}`, acts: keys([act.key], act.down) };
      case 'type':
        return { what: wordsOfText(act.text), acts: [...act.text].flatMap((key) => taps([key])) };
      case 'wait':
        return { what: `wait ${act.ms} ms`, acts: [{ do: 'wait', ms: act.ms }] };
    }
  };
  return acts.map((act) => stepOf(act));
}
