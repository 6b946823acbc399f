/** The open pages of a Chromium, by the file in which it keeps its session (SNSS; chromium's session_service_commands.cc). */

export type BrowserPages = { open: string[]; active: string | null };

type Tab = { window: number; place: number; pages: Map<number, string>; shown: number; closed: boolean };

/** `SNSS`. */
const SIGNATURE = 0x534e5353;
/** Numbers of its commands. */
const TAB_WINDOW = 0;
const TAB_PLACE = 2;
const NAVIGATED = 6;
const SHOWN_PAGE = 7;
const SHOWN_TAB = 8;
const PRUNED_FRONT = 11;
const TAB_CLOSED = 16;
const WINDOW_CLOSED = 17;
const ACTIVE_WINDOW = 20;

/** Throws an Error whose message is a part of a sentence. A last command that is not whole is passed over: it is being written. */
export function pagesOfSession(bytes: Uint8Array): BrowserPages {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 8 || view.getUint32(0) !== SIGNATURE) throw new Error('it is no session of Chromium');
  const tabs = new Map<number, Tab>();
  const shownTab = new Map<number, number>();
  let window: number | null = null;
  const tabOf = (id: number): Tab => {
    const tab = tabs.get(id) ?? { window: 0, place: 0, pages: new Map<number, string>(), shown: 0, closed: false };
    tabs.set(id, tab);
    return tab;
  };
  for (let at = 8; at + 3 <= bytes.length; ) {
    const size = view.getUint16(at, true);
    const end = at + 2 + size;
    if (size === 0 || end > bytes.length) break;
    const [command, from] = [view.getUint8(at + 2), at + 3];
    const number = (n: number): number => (from + 4 * n + 4 <= end ? view.getInt32(from + 4 * n, true) : 0);
    if (command === TAB_WINDOW) tabOf(number(1)).window = number(0);
    else if (command === TAB_PLACE) tabOf(number(0)).place = number(1);
    else if (command === SHOWN_PAGE) tabOf(number(0)).shown = number(1);
    else if (command === SHOWN_TAB) shownTab.set(number(0), number(1));
    else if (command === TAB_CLOSED) tabOf(number(0)).closed = true;
    else if (command === WINDOW_CLOSED) for (const tab of tabs.values()) tab.closed ||= tab.window === number(0);
    else if (command === ACTIVE_WINDOW) window = number(0);
    else if (command === PRUNED_FRONT) prune(tabOf(number(0)), number(1));
    else if (command === NAVIGATED) {
      // A pickle: its own length, the tab, the place in the tab's history, the address with its length.
      const length = number(3);
      if (length >= 0 && from + 16 + length <= end)
        tabOf(number(1)).pages.set(number(2), new TextDecoder().decode(bytes.subarray(from + 16, from + 16 + length)));
    }
    at = end;
  }
  const open = [...tabs.values()].filter(({ closed, pages }) => !closed && pages.size > 0);
  open.sort((a, b) => a.window - b.window || a.place - b.place);
  const front = window ?? open[0]?.window;
  const inFront = open.filter((tab) => tab.window === front).sort((a, b) => a.place - b.place);
  const active = front === undefined ? undefined : inFront[shownTab.get(front) ?? 0];
  return { open: open.map(addressOf), active: active ? addressOf(active) : null };
}

function prune(tab: Tab, count: number): void {
  if (count <= 0) return;
  tab.pages = new Map([...tab.pages].flatMap(([n, page]) => (n >= count ? [[n - count, page] as const] : [])));
  tab.shown = Math.max(0, tab.shown - count);
}

const addressOf = ({ pages, shown }: Tab): string => pages.get(shown) ?? [...pages.values()].at(-1) ?? '';

/** Whether an address is the wanted one (schemas/checks-of-files.ts says how). */
export function isPage(address: string, wanted: string, by: 'address' | 'part' | 'pattern'): boolean {
  if (by === 'pattern') return new RegExp(wanted).test(address);
  if (by === 'part') return address.includes(wanted);
  return plainAddress(address) === plainAddress(wanted);
}

const plainAddress = (address: string): string =>
  address
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '');
