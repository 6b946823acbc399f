import koffi from 'koffi';
import type { Rect } from '../../schemas/events.ts';
import { lazy } from '../memory/memory.ts';
import type { Hands } from '../platform/hands.ts';
import { heldDown } from '../platform/held-down.ts';
import { loadWindowsApi } from './api.ts';
import { gdiGlance } from './glance.ts';
import { foregroundLayout } from './layout.ts';
import { becomeDpiAware } from './permissions.ts';
import { sendInputs } from './send-input.ts';

const WM_NULL = 0;
/** SMTO_ABORTIFHUNG: a program that Windows calls hung is not waited for. */
const ABORT_IF_HUNG = 2;
/** A program takes in one input between two answers; a key makes three messages (down, its letter, up). */
const QUESTIONS = 3;

const sendMessage = lazy(() =>
  koffi
    .load('user32.dll')
    .func('__stdcall', 'SendMessageTimeoutW', 'intptr', [
      ...['intptr', 'uint32', 'uintptr', 'intptr', 'uint32', 'uint32'],
      koffi.out(koffi.pointer('uintptr')),
    ]),
);

/**
 * Hands by SendInput on the desktop of this session. Windows keeps them from programs that run with more rights than this one
 * (UIPI), without a word.
 */
export function openWindowsHands(): Hands {
  const api = loadWindowsApi();
  becomeDpiAware(api);
  const inputs = sendInputs(api, () => foregroundLayout(api));
  const glance = gdiGlance();
  const send = sendMessage();
  const held = heldDown(inputs);
  let at = api.GetCursorPos() ?? { x: 0, y: 0 };
  return {
    pointer: () => at,
    move(x, y) {
      at = { x, y };
      // A move to where the pointer is tells programs of one all the same, and hints follow it.
      const now = api.GetCursorPos();
      if (now?.x !== x || now.y !== y) inputs.move(x, y);
    },
    button(button, down) {
      if (inputs.button(button, down)) held.noteButton(button, down);
    },
    wheel: inputs.wheel,
    key: held.key,
    releaseAll: held.releaseAll,
    async answered(atMostMs) {
      const end = performance.now() + atMostMs;
      for (let n = 0; n < QUESTIONS; n++) {
        const left = Math.ceil(end - performance.now());
        const window = api.GetForegroundWindow();
        if (window === 0n) return true;
        if (left <= 0 || BigInt(send(window, WM_NULL, 0, 0, ABORT_IF_HUNG, left, [0])) === 0n) return false;
      }
      return true;
    },
    // One queue holds keys and buttons.
    delivered: async () => true,
    look: (rect: Rect) => glance.grab(rect),
    close: () => undefined,
  };
}
