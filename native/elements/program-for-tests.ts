import type { Arg } from '../bus/dbus-values.ts';
import { type Address, BusError } from '../bus/gio.ts';
import type { Variant } from '../bus/gvariant.ts';
import type { AskBus } from './ask-bus.ts';

export const ROOT = '/org/a11y/atspi/accessible/root';
export const SHOWING = 2 ** 25;

/** A bus that is asked one by one; throws what the bus would answer instead. */
export type OneByOne = (to: Address, method: string, args: readonly Arg[], withinMs: number) => readonly Variant[];

/** All of them are waited for together: where one waits in vain for all of the time, the others have come or will not. */
export const inTurn =
  (call: OneByOne): AskBus =>
  (questions, withinMs) => {
    let isLate = false;
    return questions.map(({ to, method, args = [] }) => {
      try {
        return call(to, method, args, isLate ? 0 : withinMs);
      } catch (error) {
        isLate = true;
        return new BusError('', String(error));
      }
    });
  };

/** An element of a program: its role by number, and the key of what holds it (`root`: the program itself). */
export type Thing = { role: number; in: string };

/**
 * A program on the bus that has these elements, by key, and everything that it was asked, each as `PATH METHOD ARGUMENTS`.
 * `say` answers what is asked of an element beside its children, role and parent; undefined: it does not know.
 */
export function program<T extends Thing>(
  things: Record<string, T>,
  say: (thing: T, method: string, args: readonly Arg[]) => readonly Variant[] | undefined,
  { app = '', toolkit = 'gtk' } = {},
): { call: OneByOne; bus: AskBus; asked: string[] } {
  const asked: string[] = [];
  const pathOf = (key: string): string => (key === 'root' ? ROOT : `/o/${key}`);
  const call: OneByOne = ({ name, path }, method, args): readonly Variant[] => {
    asked.push(`${path} ${method} ${args.join()}`);
    if (name === 'org.a11y.atspi.Registry') return [[[':1.5', ROOT]]];
    const key = path === ROOT ? 'root' : path.split('/').at(-1)!;
    const inside = Object.keys(things).filter((one) => things[one]!.in === key);
    if (method === 'GetChildren') return [inside.map((one): Variant => [':1.5', pathOf(one)])];
    if (key === 'root' && args.includes('Name')) return [app];
    if (key === 'root' && args.includes('ToolkitName')) return [toolkit];
    const thing = things[key];
    if (!thing) throw new Error('UnknownObject');
    if (method === 'GetRole') return [thing.role];
    if (args.includes('Parent')) return [[':1.5', pathOf(thing.in)]];
    const said = say(thing, method, args);
    if (!said) throw new Error('UnknownInterface');
    return said;
  };
  return { call, bus: inTurn(call), asked };
}
