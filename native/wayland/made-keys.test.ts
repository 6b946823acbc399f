import { expect, test } from 'vitest';
import type { KeyMade } from '../../schemas/key-made.ts';
import type { DeviceEvent } from './device-event.ts';
import { openKeys } from './made-keys.ts';

type Keyboard = ReturnType<NonNullable<Parameters<typeof openKeys>[0]>>;
const key = (number: number, down: boolean): DeviceEvent => ({
  us: 0,
  kind: 'key',
  down,
  repeat: false,
  code: null,
  number,
});
const [SHIFT, A] = [42, 30];

/** A keyboard whose layouts say which they are. */
function keyboard(layouts: string[], calls: string[]): Keyboard {
  let at = 0;
  return {
    await: () => undefined,
    changed: () => calls.includes('change') && at < layouts.length,
    follow() {
      const layout = layouts[at++] ?? '';
      return {
        press: (keycode): KeyMade => ({ key: keycode === SHIFT + 8 ? 'Shift' : layout }),
        hold: (keycode) => void calls.push(`${layout} holds ${keycode}`),
        release: () => undefined,
        mods: () => 0,
        pointed: () => void calls.push(`${layout} pointed`),
        close: () => void calls.push(`${layout} closed`),
      };
    },
    close: () => void calls.push('closed'),
  };
}
const made = (events: DeviceEvent[]) => events.map((event) => (event.kind === 'key' ? event.made?.key : null));

test('presses say what the keymap makes of them; another layout knows the modifiers that are held', () => {
  const calls: string[] = [];
  const keys = openKeys(() => keyboard(['us', 'de'], calls));
  const first = [key(SHIFT, true), key(A, true), key(A, false)];
  keys.tell(first);
  expect(made(first)).toEqual(['Shift', 'us', undefined]);
  calls.push('change');
  const next: DeviceEvent[] = [key(A, true), { us: 0, kind: 'button', down: true, button: 'left' }];
  keys.tell(next);
  expect(made(next)).toEqual(['de', null]);
  keys.close();
  expect(calls).toEqual(['change', 'us closed', `de holds ${SHIFT + 8}`, 'de pointed', 'de closed', 'closed']);
});

test('a compositor that does not answer, or is gone, leaves keys as they are and ends nothing', () => {
  const none = openKeys(() => {
    throw new Error('no compositor');
  });
  const events = [key(A, true)];
  none.tell(events);
  expect(made(events)).toEqual([undefined]);
  const calls: string[] = [];
  const gone = openKeys(() => ({
    ...keyboard(['us'], calls),
    changed: () => {
      throw new Error('The connection to the compositor is closed.');
    },
  }));
  gone.tell(events);
  gone.tell(events);
  expect(made(events)).toEqual([undefined]);
  expect(calls).toEqual(['us closed', 'closed']);
});

test('a keymap that comes with the first key counts for it, and for what was held when it came', () => {
  const calls: string[] = [];
  let came = false;
  const late = (delay: number) => () => {
    const { follow, ...rest } = keyboard(['us'], calls);
    let asked = 0;
    return {
      ...rest,
      await() {
        came = ++asked >= delay;
      },
      changed: () => came,
      follow: () => (came ? follow() : null),
    };
  };
  const first = [key(A, true)];
  openKeys(late(1)).tell(first);
  expect(made(first)).toEqual(['us']);
  came = false;
  const keys = openKeys(late(2));
  const unknown = [key(SHIFT, true)];
  keys.tell(unknown);
  const known = [key(A, true)];
  keys.tell(known);
  expect([made(unknown), made(known)]).toEqual([[undefined], ['us']]);
  expect(calls).toContain(`us holds ${SHIFT + 8}`);
});
