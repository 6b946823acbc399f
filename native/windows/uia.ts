import { believedBox, cleanText } from '../elements/answers.ts';
import { type Budget, TooMuch } from '../elements/budget.ts';
import type { ElementWindow } from '../elements/contract.ts';
import type { ToldElement, ToldKind, UpwardTree } from '../elements/upward.ts';
import type { WindowsApi } from './api.ts';
import type { ComTold } from './api-uia.ts';
import type { ComRef, ComValue } from './com.ts';
import { typeWord } from './element-words.ts';

/** UI Automation's elements, each asked with all its properties at once. */

/** Properties by their numbers (UIAutomationClient.h). None of them is a field's text. */
const P = {
  box: 30001,
  type: 30003,
  name: 30005,
  focused: 30008,
  focusable: 30009,
  enabled: 30010,
  automationId: 30011,
  className: 30012,
  help: 30013,
  password: 30019,
  window: 30020,
  offscreen: 30022,
  framework: 30024,
  selectable: 30036,
  toggles: 30041,
  hasValue: 30043,
  readOnly: 30046,
  expanded: 30070,
  selected: 30079,
  toggle: 30086,
} as const;
/** UIA_E_TIMEOUT: the program did not answer in the time that it has. */
export const TIMED_OUT = 0x80131505 | 0;
/** The longest that a program may take, ms: as long as a question may take altogether. */
const TIMEOUT_MS = 400;
/** Siblings before an element that are counted. */
const MOST_BEFORE = 40;
const MOST_WORD = 200;

/** What UI Automation needs, once a thread. */
export type Automation = { automation: ComRef; request: ComRef; walker: ComRef };

/** Null where there is none. */
export function openAutomation(api: WindowsApi): Automation | null {
  const automation = api.createAutomation(TIMEOUT_MS);
  if (automation === null) return null;
  const request = api.createCacheRequest(automation, Object.values(P));
  const walker = api.rawViewWalker(automation);
  return request !== null && walker !== null ? { automation, request, walker } : null;
}

export function closeAutomation(api: WindowsApi, { automation, request, walker }: Automation): void {
  for (const object of [walker, request, automation]) api.Release(object);
}

export function uiaTree(
  api: WindowsApi,
  { automation, request, walker }: Automation,
  budget: Budget,
): UpwardTree<ComRef> {
  const ask = (call: () => ComTold): ComRef | null => {
    const { result, ref } = budget.spend(call);
    if (result === TIMED_OUT) throw new TooMuch();
    return ref;
  };
  return {
    source: 'uia',
    at: (x, y) => ask(() => api.ElementFromPointBuildCache(automation, x, y, request)),
    kind: (element) => kindOf(api, element),
    read: (element) => readElement(api, element),
    parent: (element, window) =>
      isWindow(api, element, window) ? null : ask(() => api.GetParentElementBuildCache(walker, element, request)),
    isOf: (element, window) => isWindow(api, element, window),
    place(element, hasTime) {
      let [before, count]: [ComRef | null, number] = [element, -1];
      while (before !== null && count < MOST_BEFORE && hasTime()) {
        const at: ComRef = before;
        before = ask(() => api.GetPreviousSiblingElementBuildCache(walker, at, request));
        if (at !== element) api.Release(at);
        count++;
      }
      if (before === null) return count;
      if (before !== element) api.Release(before);
      return -1;
    },
    release: (element) => api.Release(element),
  };
}

function isWindow(api: WindowsApi, element: ComRef, { id }: ElementWindow): boolean {
  const handle = api.GetCachedPropertyValue(element, P.window);
  return Number.isInteger(handle) && handle !== 0 && windowId(BigInt(Number(handle))) === id;
}
/** Handles have 32 bits, told as a number with a sign or without. */
export const windowId = (handle: bigint): string => `0x${BigInt.asUintN(32, handle).toString(16)}`;

export const isPassword = (api: WindowsApi, element: ComRef): boolean =>
  api.GetCachedPropertyValue(element, P.password) === true;

/** Whether a text can be written there. Without the pattern its properties have values that mean nothing. */
const isEditable = (api: WindowsApi, element: ComRef): boolean =>
  api.GetCachedPropertyValue(element, P.hasValue) === true && api.GetCachedPropertyValue(element, P.readOnly) === false;

function kindOf(api: WindowsApi, element: ComRef): ToldKind {
  const type = api.GetCachedPropertyValue(element, P.type);
  const password = isPassword(api, element);
  const toggles = api.GetCachedPropertyValue(element, P.toggles) === true;
  return { role: typeWord({ type, password, toggles, editable: isEditable(api, element) }), password };
}

function readElement(api: WindowsApi, element: ComRef): ToldElement {
  const get = (property: number): ComValue => api.GetCachedPropertyValue(element, property);
  const is = (property: number): boolean => get(property) === true;
  const word = (property: number): string => cleanText(get(property)).slice(0, MOST_WORD);
  const [toggles, hasValue, editable] = [is(P.toggles), is(P.hasValue), isEditable(api, element)];
  const toggle = toggles ? get(P.toggle) : null;
  const expanded = get(P.expanded);
  const box = get(P.box);
  return {
    box: Array.isArray(box) ? believedBox(box.map((n) => Math.round(n))) : null,
    name: cleanText(get(P.name)),
    description: cleanText(get(P.help)),
    states: [
      ...(is(P.enabled) ? ['enabled', 'sensitive'] : []),
      ...(is(P.offscreen) ? [] : ['showing', 'visible']),
      ...(is(P.focused) ? ['focused'] : []),
      ...(is(P.focusable) ? ['focusable'] : []),
      ...(editable ? ['editable'] : hasValue ? ['read only'] : []),
      ...(toggles ? ['checkable'] : []),
      ...(toggle === 1 ? ['checked'] : toggle === 2 ? ['indeterminate'] : []),
      ...(is(P.selectable) ? ['selectable'] : []),
      ...(is(P.selected) ? ['selected'] : []),
      ...(expanded === 1 ? ['expanded'] : expanded === 0 ? ['collapsed'] : []),
    ],
    toolkit: word(P.framework),
    automationId: word(P.automationId),
    className: word(P.className),
  };
}
