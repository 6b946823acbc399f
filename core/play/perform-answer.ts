import type { Act } from '../evaluate/keys/acts.ts';
import type { Spot } from '../evaluate/keys/mouse.ts';
import { type CoordinateScale, scaledPlace } from '../evaluate/reading/scale.ts';
import type { AnswerAct, PlaceNumbers } from '../evaluate/reading/tool-acts.ts';
import { type PerformStep, wordsOfAct, wordsOfText } from './perform.ts';

/** An answer's calls as steps of a script (M34, PL15): places in px of the screen, held keys down around what they are held for. */

type Screen = { width: number; height: number };

const keys = (names: readonly string[], down: boolean): Act[] => names.map((key) => ({ do: 'key', key, down }));
const taps = (names: readonly string[]): Act[] => [...keys(names, true), ...keys(names.toReversed(), false)];

/** Throws a RangeError with the place that is not on the screen. */
export function stepsOfAnswer(acts: readonly AnswerAct[], scale: CoordinateScale, screen: Screen): PerformStep[] {
  const spot = (at: PlaceNumbers): Spot => {
    const [a, b, c = a, d = b] = scaledPlace({ numbers: at, scale }, scale, screen);
    // The far edge of a scale of shares is the last pixel.
    const edge = (value: number, side: number): number => (scale === 'pixels' || value < side ? value : side - 1);
    const [x, y] = [edge(Math.round((a + c) / 2), screen.width), edge(Math.round((b + d) / 2), screen.height)];
    if (x < 0 || y < 0 || x >= screen.width || y >= screen.height)
      throw new RangeError(`${at.join(', ')} is not on the screen of ${screen.width} x ${screen.height} px`);
    return [x, y];
  };
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
