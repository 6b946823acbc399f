import { believedBox, cleanText } from '../elements/answers.ts';
import type { Budget } from '../elements/budget.ts';
import type { UpwardTree } from '../elements/upward.ts';
import type { WindowsApi } from './api.ts';
import type { ComRef } from './com.ts';
import { isProtected, msaaStates, msaaWord } from './element-words.ts';
import { windowId } from './uia.ts';

/** MSAA's elements: where UI Automation is missing, or does not know what is inside a window. */

const [GA_PARENT, GA_ROOT] = [1, 2];
const OBJID_CLIENT = -4;
const GWL_STYLE = -16;

/** An object, or a part of it (0: itself). */
export type MsaaRef = { object: ComRef; child: number };

export function msaaTree(api: WindowsApi, budget: Budget): UpwardTree<MsaaRef> {
  const ask = <T>(call: () => T): T => budget.spend(call);
  const windowOf = ({ object }: MsaaRef): bigint => ask(() => api.WindowFromAccessibleObject(object));
  const classOf = ({ child }: MsaaRef, window: bigint): string =>
    window === 0n || child !== 0 ? '' : api.GetClassNameW(window);
  const client = (window: bigint): MsaaRef | null => {
    const object = window === 0n ? null : ask(() => api.AccessibleObjectFromWindow(window, OBJID_CLIENT));
    return object === null ? null : { object, child: 0 };
  };
  return {
    source: 'msaa',
    at: (x, y) => ask(() => api.AccessibleObjectFromPoint(x, y)),
    kind(ref) {
      const { object, child } = ref;
      const window = windowOf(ref);
      const style = window === 0n ? 0 : api.GetWindowLongW(window, GWL_STYLE);
      const password = isProtected(ask(() => api.get_accState(object, child)));
      const role = ask(() => api.get_accRole(object, child));
      return { role: msaaWord({ role, password, className: classOf(ref, window), style }), password };
    },
    read(ref, { password }) {
      const { object, child } = ref;
      const place = ask(() => api.accLocation(object, child));
      const told = {
        box: place && believedBox([place.x, place.y, place.width, place.height]),
        states: msaaStates(ask(() => api.get_accState(object, child))),
        toolkit: '',
        className: classOf(ref, windowOf(ref)),
      };
      // Such a field is asked for nothing else.
      if (password) return { ...told, name: '', description: '' };
      return {
        ...told,
        name: cleanText(ask(() => api.get_accName(object, child))),
        description: cleanText(ask(() => api.get_accDescription(object, child))),
      };
    },
    /** From window to window: what lies between them is told too differently from program to program. */
    parent(ref, { id }) {
      const window = windowOf(ref);
      if (window === 0n || windowId(window) === id) return null;
      return client(api.GetAncestor(window, GA_PARENT));
    },
    isOf: (ref, { id }) => windowId(api.GetAncestor(windowOf(ref), GA_ROOT)) === id,
    place: () => -1,
    release: ({ object }) => api.Release(object),
  };
}

/** Whether what has the keyboard inside this window keeps its text for itself. */
export function isFocusProtected(api: WindowsApi, window: bigint): boolean {
  const object = api.AccessibleObjectFromWindow(window, OBJID_CLIENT);
  if (object === null) return false;
  const part = api.get_accFocus(object);
  const inside = typeof part === 'object' && part !== null ? part.object : null;
  const state = api.get_accState(inside ?? object, typeof part === 'number' ? part : 0);
  if (inside !== null) api.Release(inside);
  api.Release(object);
  return isProtected(state);
}
