import type { PlaceReport } from './problems.ts';
import { type PythonCall, type PythonValue, readPython } from './python.ts';

/** The arguments that each call must have, written down from PyAutoGUI's and AgentNet's documents and not from the writer's tables. */

type Size = { width: number; height: number };
type Args = Readonly<Record<string, unknown>>;
type Rule = { module: 'pyautogui' | 'computer'; fits: (args: Args) => boolean; needs: string };

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isKeys = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isText);
const isWhole = (value: unknown): boolean => Number.isInteger(value);
const isTimes = (value: unknown): boolean => value === undefined || (isWhole(value) && Number(value) > 0);
const isButton = (value: unknown): boolean => ['left', 'right', 'middle'].includes(String(value));
const isPlace = ({ x, y }: Args): boolean => typeof x === 'number' && typeof y === 'number';

const place = (module: Rule['module'] = 'pyautogui'): Rule => ({ module, fits: isPlace, needs: 'x and y' });
const key: Rule = { module: 'pyautogui', fits: ({ key: name }) => isText(name), needs: 'a key' };
const wheel: Rule = {
  module: 'pyautogui',
  fits: ({ clicks }) => isWhole(clicks) && clicks !== 0,
  needs: 'a whole number of clicks that is not 0',
};

const RULES: Readonly<Record<string, Rule>> = {
  click: {
    module: 'pyautogui',
    fits: (args) => isPlace(args) && isTimes(args.clicks) && (args.button === undefined || isButton(args.button)),
    needs: 'x and y',
  },
  doubleClick: place(),
  rightClick: place(),
  middleClick: place(),
  moveTo: place(),
  tripleClick: place('computer'),
  dragTo: {
    module: 'pyautogui',
    fits: (args) => isPlace(args) && isButton(args.button),
    needs: 'x, y and a button',
  },
  scroll: wheel,
  hscroll: wheel,
  write: { module: 'pyautogui', fits: ({ message }) => isText(message), needs: 'a message' },
  press: {
    module: 'pyautogui',
    fits: ({ keys, presses }) => isKeys(keys) && isTimes(presses),
    needs: 'a list of keys',
  },
  hotkey: { module: 'pyautogui', fits: ({ keys }) => isKeys(keys), needs: 'a list of keys' },
  keyDown: key,
  keyUp: key,
  wait: {
    module: 'computer',
    fits: ({ duration }) => typeof duration === 'number' && duration >= 0,
    needs: 'a duration',
  },
  terminate: {
    module: 'computer',
    fits: ({ status }) => status === 'success' || status === 'failure',
    needs: 'a status',
  },
};

/** Arguments that may stand without their name. */
const FIRST: Readonly<Record<string, string>> = { scroll: 'clicks', hscroll: 'clicks', hotkey: 'keys' };

export type ReadCall = { name: string; args: Record<string, PythonValue> };

/** Reads code and reports what is wrong with it: its grammar, its calls, places outside of the picture. */
export function checkCode(code: string, size: Size | null, report: PlaceReport): ReadCall[] {
  const read = readPython(code);
  if ('error' in read) {
    report('CODE_BAD', read.error);
    return [];
  }
  return read.calls.flatMap((call) => {
    const args = argumentsOf(call);
    const rule = Object.hasOwn(RULES, call.name) ? RULES[call.name] : undefined;
    if (!rule || rule.module !== call.module || !args) {
      report('CODE_BAD', `${call.module}.${call.name} is not a call of this format`);
      return [];
    }
    checkCall(call.name, args, size, report);
    return [{ name: call.name, args }];
  });
}

/** Checks one call by its name and arguments. */
export function checkCall(name: string, args: Args, size: Size | null, report: PlaceReport): void {
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (!rule?.fits(args)) {
    report('CODE_BAD', `${name} needs ${rule?.needs ?? 'to be a known call'}, it has ${JSON.stringify(args)}`);
    return;
  }
  if (isPlace(args)) checkPlace(Number(args.x), Number(args.y), size, report);
}

/** A place is a share of the picture, and names a pixel that it has. */
export function checkPlace(x: number, y: number, size: Size | null, report: PlaceReport): void {
  const shares = [x, y].every((value) => value >= 0 && value <= 1);
  if (!shares) report('POSITION_OUTSIDE', `(${x}, ${y}) should be from 0 to 1`);
  else if (size && (Math.round(x * size.width) >= size.width || Math.round(y * size.height) >= size.height)) {
    report('POSITION_OUTSIDE', `(${x}, ${y}) names no pixel of ${size.width} x ${size.height}`);
  }
}

function argumentsOf({ name, positional, named }: PythonCall): Record<string, PythonValue> | null {
  if (positional.length === 0) return named;
  const first = FIRST[name];
  return first && positional.length === 1 && !(first in named) ? { [first]: positional[0]!, ...named } : null;
}

/** The last step terminates, and no other does. `explained`: the manifest says why nothing terminates it. */
export function checkTermination(calls: readonly ReadCall[][], explained: boolean, report: PlaceReport): void {
  const terminates = calls.map((step) => step.some(({ name }) => name === 'terminate'));
  const last = terminates.length - 1;
  if (terminates.slice(0, last).some(Boolean)) report('TERMINATE_WRONG', 'a step before the last one terminates');
  if (!terminates[last] && !explained) report('TERMINATE_WRONG', 'the last step does not terminate');
  if (terminates[last] && calls[last]!.length !== 1) report('TERMINATE_WRONG', 'the last step does something else too');
}
