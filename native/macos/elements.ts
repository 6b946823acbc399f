import { StudioError } from '../../schemas/errors.ts';
import type { Rect } from '../../schemas/events.ts';
import { believedBox, cleanText } from '../elements/answers.ts';
import { type Budget, TooMuch } from '../elements/budget.ts';
import type { ElementAsker, ElementReadiness, ElementWindow, KeyboardFocus } from '../elements/contract.ts';
import type { FocusKind } from '../elements/focus.ts';
import { isIn } from '../elements/meant.ts';
import { type ToldElement, UpwardElements, type UpwardTree } from '../elements/upward.ts';
import type { DesktopWindow } from '../platform/platform.ts';
import { loadMacApi, type MacApi, type Ref } from './api.ts';
import { type AxTold, type AxValue, loadMacElementCalls, type MacElementCalls } from './api-elements.ts';
import { physicalToPoint, readDisplays, rectToPhysical } from './displays.ts';
import { axWord, PASSWORD } from './element-words.ts';
import { windowReader } from './open-windows.ts';
import { macPermissions } from './permissions.ts';

/** Elements on macOS by AX. Never run on our test machines: its calls are tested against a table of fakes. */

type Api = MacApi & MacElementCalls;
type Windows = { windows(): DesktopWindow[]; activeWindow(): DesktopWindow | null };

/** The longest that a program may take to answer, s. */
const TIMEOUT_S = 0.2;
/** kAXErrorCannotComplete: the program did not answer in time. */
const TIMED_OUT = -25204;
const MOST_CHILDREN = 100;
const MOST_WORD = 200;
/** None of these is a field's text. */
const ASKED = [
  ...['AXRole', 'AXTitle', 'AXDescription', 'AXHelp', 'AXPosition', 'AXSize'],
  ...['AXEnabled', 'AXFocused', 'AXSelected', 'AXExpanded', 'AXIdentifier'],
] as const;
/** Their AXValue is what they show, or whether they are on. */
const WITH_VALUE: ReadonlySet<unknown> = new Set(['AXStaticText', 'AXCheckBox', 'AXRadioButton']);

const loadApi = (): Api => ({ ...loadMacApi(), ...loadMacElementCalls() });
const readerOf = (api: Api): Windows => windowReader((rect) => rectToPhysical(rect, readDisplays(api)));

/** Belongs into a thread of its own. Throws NO_PERMISSION where the person has not allowed it. */
export function openMacElements(
  api: Api = loadApi(),
  reader: Windows = readerOf(api),
  now: () => number = () => performance.now(),
): ElementAsker {
  if (!api.AXIsProcessTrusted())
    throw new StudioError('NO_PERMISSION', `Accessibility is not allowed. ${accessibilityFix(api)}`, {});
  const system = api.systemWide(TIMEOUT_S);
  const elements = new UpwardElements((budget) => axTree(api, system, budget), now);
  const spoken = (window: DesktopWindow | null | undefined, popup: boolean): ElementWindow | null =>
    window && window.pid > 0 ? { ...window, popup } : null;
  return {
    windowAt(x, y) {
      const { element } = at(api, system, x, y);
      if (element === null) return null;
      const pid = api.pidOf(element);
      api.CFRelease(element);
      const own = reader.windows().filter((one) => one.pid === pid);
      // Menus lie in none of the windows that are listed.
      return spoken(own.find(({ bounds }) => isIn(bounds, x, y)) ?? null, false) ?? spoken(own[0], true);
    },
    besides: ({ id, pid }) =>
      reader
        .windows()
        .filter((one) => one.pid === pid && one.id !== id)
        .map((one) => ({ ...one, popup: false })),
    ask: (x, y, window) => elements.elementAt(x, y, window),
    focus: keyboardFocus(api, system, () => spoken(reader.activeWindow(), false)),
    // Not heard here: the keys are believed.
    texts: { changes: () => [], fieldIn: () => null, lastFocus: () => null, isMenu: () => false },
    isOpen: () => true,
    close: () => api.CFRelease(system),
  };
}

function at(api: Api, system: Ref, x: number, y: number): AxTold {
  const points = physicalToPoint(x, y, readDisplays(api));
  return api.AXUIElementCopyElementAtPosition(system, points.x, points.y);
}

export function axTree(api: Api, system: Ref, budget: Budget): UpwardTree<Ref> {
  const inTime = <T extends { error: number }>(call: () => T): T => {
    const told = budget.spend(call);
    if (told.error === TIMED_OUT) throw new TooMuch();
    return told;
  };
  const parentOf = (element: Ref): Ref | null => inTime(() => api.copyElement(element, 'AXParent')).element;
  return {
    source: 'ax',
    at: (x, y) => inTime(() => at(api, system, x, y)).element,
    kind(element) {
      const [role = null, subrole = null] = inTime(() => api.copyValues(element, ['AXRole', 'AXSubrole'])).values;
      return { role: axWord(role, subrole), password: subrole === PASSWORD };
    },
    read(element, { role: word }) {
      const { values } = inTime(() => api.copyValues(element, ASKED));
      const role = values[0];
      const shown = WITH_VALUE.has(role) ? inTime(() => api.copyValues(element, ['AXValue'])).values[0] : null;
      return toldOf(values, word, shown ?? null, (rect) => rectToPhysical(rect, readDisplays(api)));
    },
    parent(element) {
      const parent = parentOf(element);
      if (parent === null) return null;
      // The program itself is no part of the way.
      if (inTime(() => api.copyValues(parent, ['AXRole'])).values[0] !== 'AXApplication') return parent;
      api.CFRelease(parent);
      return null;
    },
    isOf: (element, { pid }) => budget.spend(() => api.pidOf(element)) === pid,
    place(element) {
      const parent = parentOf(element);
      if (parent === null) return -1;
      try {
        return budget.spend(() => api.placeAmong(parent, element, MOST_CHILDREN));
      } finally {
        api.CFRelease(parent);
      }
    },
    release: (element) => api.CFRelease(element),
  };
}

function toldOf(
  values: readonly AxValue[],
  role: string,
  shown: AxValue,
  toPhysical: (rect: Rect) => Rect,
): ToldElement {
  const value = (name: (typeof ASKED)[number]): AxValue => values[ASKED.indexOf(name)] ?? null;
  const word = (one: AxValue): string => cleanText(one);
  const is = (name: (typeof ASKED)[number]): boolean => value(name) === true;
  const expanded = value('AXExpanded');
  const isOn = shown === 1 || shown === true;
  return {
    box: boxOf(value('AXPosition'), value('AXSize'), toPhysical),
    // Pictures have no title but a description, which is their name.
    name: word(value('AXTitle')) || word(value('AXDescription')) || word(role === 'label' ? shown : null),
    description: word(value('AXHelp')),
    states: [
      ...(is('AXEnabled') ? ['enabled', 'sensitive'] : []),
      ...['showing', 'visible'],
      ...(is('AXFocused') ? ['focused'] : []),
      ...(is('AXSelected') ? ['selected'] : []),
      ...(expanded === true ? ['expanded'] : expanded === false ? ['collapsed'] : []),
      ...(role !== 'label' && isOn ? ['checked'] : shown === 2 ? ['indeterminate'] : []),
    ],
    toolkit: 'AX',
    automationId: word(value('AXIdentifier')).slice(0, MOST_WORD),
  };
}

function boxOf(position: AxValue, size: AxValue, toPhysical: (rect: Rect) => Rect): Rect | null {
  if (typeof position !== 'object' || position === null || !('x' in position)) return null;
  if (typeof size !== 'object' || size === null || !('width' in size)) return null;
  // An empty box would be made one px wide.
  if (!(size.width > 0 && size.height > 0)) return null;
  const { x, y, width, height } = toPhysical({ ...position, ...size });
  return believedBox([x, y, width, height]);
}

function keyboardFocus(api: Api, system: Ref, window: () => ElementWindow | null): KeyboardFocus {
  let version = 0;
  let secure = false;
  return {
    turn() {
      // Without asking any program; it changes as soon as a field for passwords has the keyboard.
      const now = api.IsSecureEventInputEnabled();
      if (now !== secure) version++;
      secure = now;
    },
    version: () => version,
    window,
    kindIn(there): FocusKind {
      if (api.IsSecureEventInputEnabled()) return 'password';
      if (there === null) return 'open';
      const { error, element } = api.copyElement(system, 'AXFocusedUIElement');
      if (element === null) return error === TIMED_OUT ? 'unanswered' : 'open';
      const told = api.copyValues(element, ['AXSubrole']);
      api.CFRelease(element);
      if (told.error === TIMED_OUT) return 'unanswered';
      return told.values[0] === PASSWORD ? 'password' : 'open';
    },
  };
}

const accessibilityFix = (api: MacApi): string =>
  macPermissions(api).find(({ id }) => id === 'accessibility')?.fix ?? '';

/** Whether programs may be asked. Those made with Apple's own controls all speak; the others are not told apart. Never throws. */
export function macElementReadiness(api: MacApi = loadMacApi(), reader?: Windows): ElementReadiness {
  const by = 'the accessibility interface';
  if (!api.AXIsProcessTrusted()) {
    const why = 'accessibility is not allowed';
    return { ready: false, by, speaking: [], silent: [], why, fix: accessibilityFix(api) };
  }
  const { windows } = reader ?? windowReader((rect) => rect);
  const speaking = [...new Set(windows().map(({ app }) => app))].filter((app) => app !== '');
  return { ready: true, by, speaking, silent: [], why: null, fix: null };
}
