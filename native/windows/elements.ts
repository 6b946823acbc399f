import { StudioError } from '../../schemas/errors.ts';
import type { ElementAsker, ElementReadiness, ElementWindow, KeyboardFocus } from '../elements/contract.ts';
import type { FocusKind } from '../elements/focus.ts';
import { FOCUS_MS } from '../elements/focus-questions.ts';
import { UpwardElements } from '../elements/upward.ts';
import { loadWindowsApi, type WindowsApi } from './api.ts';
import type { Handle } from './api-types.ts';
import { isFocusProtected, msaaTree } from './msaa.ts';
import { type Automation, closeAutomation, isPassword, openAutomation, TIMED_OUT, uiaTree } from './uia.ts';
import { windowsOf } from './windows.ts';

/** Elements on Windows: by UI Automation, and by MSAA where that does not know what is inside a window. */

const PER_MONITOR_AWARE_V2 = -4;
const GA_ROOT = 2;
const GWL_STYLE = -16;
const [WS_POPUP, WS_CAPTION] = [0x8000_0000, 0x00c0_0000];
const ES_PASSWORD = 0x20;
const [EVENT_FOREGROUND, EVENT_FOCUS] = [0x0003, 0x8005];
/** A program that takes no messages for so long hangs: it is not asked, ms. */
const HANGS_MS = 200;
/** A field may be made of parts, of which one has the focus. */
const MOST_ABOVE = 2;
/** Where elements only hold others, MSAA may know more. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['frame', 'panel', 'unknown']);

/** Belongs into a thread of its own: a program may take its time. Throws UNSUPPORTED_PLATFORM where Windows has no COM. */
export function openWindowsElements(
  api: WindowsApi = loadWindowsApi(),
  now: () => number = () => performance.now(),
): ElementAsker {
  api.SetThreadDpiAwarenessContext(PER_MONITOR_AWARE_V2);
  if (api.CoInitializeEx(0) < 0) throw new StudioError('UNSUPPORTED_PLATFORM', 'Windows refuses this thread COM.', {});
  const automation = openAutomation(api);
  const uia = automation && new UpwardElements((budget) => uiaTree(api, automation, budget), now);
  const msaa = new UpwardElements((budget) => msaaTree(api, budget), now);
  warmUp(api, automation);
  const known = windowsOf(api);
  const describe = (window: Handle): ElementWindow | null => {
    const root = window === 0n ? 0n : api.GetAncestor(window, GA_ROOT);
    if (root === 0n) return null;
    const style = api.GetWindowLongW(root, GWL_STYLE) >>> 0;
    const popup = (style & WS_POPUP) !== 0 && (style & WS_CAPTION) !== WS_CAPTION;
    const found = known.describe(root);
    // Without a process nobody can be asked.
    return found.pid > 0 ? { ...found, popup } : null;
  };
  const focus = keyboardFocus(api, automation, describe);
  return {
    windowAt: (x, y) => describe(api.WindowFromPoint(x, y)),
    besides: ({ id, pid }) =>
      known
        .windows()
        .filter((one) => one.pid === pid && one.id !== id)
        .map((one) => ({ ...one, popup: false })),
    ask(x, y, window) {
      // Whoever hangs is not asked: no call to it would come back in time.
      if (!api.answers(BigInt(window.id), HANGS_MS)) return null;
      const found = uia?.elementAt(x, y, window) ?? null;
      if (found && !(SAYS_NOTHING.has(found.role) && found.name === '')) return found;
      const older = msaa.elementAt(x, y, window);
      return older && !SAYS_NOTHING.has(older.role) ? older : (found ?? older);
    },
    focus,
    // Not heard here: the keys are believed.
    texts: { changes: () => [], fieldIn: () => null, lastFocus: () => null, isMenu: () => false },
    isOpen: () => true,
    close() {
      focus.close();
      if (automation) closeAutomation(api, automation);
    },
  };
}

/** The first question loads what all need. It is put to the desktop, which is nobody's. */
function warmUp(api: WindowsApi, automation: Automation | null): void {
  const desktop = api.GetDesktopWindow();
  if (automation) {
    const { ref } = api.ElementFromHandleBuildCache(automation.automation, desktop, automation.request);
    if (ref !== null) api.Release(ref);
    return;
  }
  isFocusProtected(api, desktop);
}

function keyboardFocus(
  api: WindowsApi,
  automation: Automation | null,
  describe: (window: Handle) => ElementWindow | null,
): KeyboardFocus & { close(): void } {
  let version = 0;
  let last = '';
  const heard = (): void => void version++;
  const stops = [EVENT_FOREGROUND, EVENT_FOCUS].map((event) => api.watchEvents(event, event, heard));

  function kindIn(window: ElementWindow | null): FocusKind {
    const at = window && api.keyboardWindow();
    if (!at) return 'open';
    const place = at.focus === 0n ? at.active : at.focus;
    if (place === 0n) return 'open';
    // Windows' own fields say so without being asked.
    const isEdit = /edit/i.test(api.GetClassNameW(place));
    if (isEdit && (api.GetWindowLongW(place, GWL_STYLE) & ES_PASSWORD) !== 0) return 'password';
    if (!api.answers(place, FOCUS_MS)) return 'unanswered';
    return byAutomation() ?? (isFocusProtected(api, place) ? 'password' : 'open');
  }
  /** Null where UI Automation does not know what has the keyboard. */
  function byAutomation(): FocusKind | null {
    if (!automation) return null;
    const { result, ref } = api.GetFocusedElementBuildCache(automation.automation, automation.request);
    if (ref === null) return result === TIMED_OUT ? 'unanswered' : null;
    const held = [ref];
    for (let up = 0; up < MOST_ABOVE && !isPassword(api, held.at(-1)!); up++) {
      const above = api.GetParentElementBuildCache(automation.walker, held.at(-1)!, automation.request);
      if (above.ref === null) break;
      held.push(above.ref);
    }
    const secret = isPassword(api, held.at(-1)!);
    for (const element of held) api.Release(element);
    return secret ? 'password' : 'open';
  }

  return {
    turn() {
      api.pumpMessages();
      const at = api.keyboardWindow();
      const now = `${at?.active} ${at?.focus}`;
      if (now !== last) heard();
      last = now;
    },
    version: () => version,
    window: () => describe(api.GetForegroundWindow()),
    kindIn,
    close() {
      for (const stop of stops) stop?.();
    },
  };
}

/** Whether programs can be asked here. Windows asks all of them alike, so the open ones all speak. Never throws. */
export function windowsElementReadiness(api: WindowsApi = loadWindowsApi()): ElementReadiness {
  api.CoInitializeEx(0);
  const automation = openAutomation(api);
  if (automation) closeAutomation(api, automation);
  const speaking = [
    ...new Set(
      windowsOf(api)
        .windows()
        .map(({ app }) => app),
    ),
  ].filter((app) => app !== '');
  const by = automation ? 'UI Automation' : 'MSAA';
  return { ready: true, by, speaking, silent: [], why: null, fix: null };
}
