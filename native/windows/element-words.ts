/** Control types of UI Automation and roles of MSAA in AT-SPI's words, which every system's elements are told in. */

/** From UIA_ButtonControlTypeId (50000) on, in the order of its numbers. */
const FIRST_TYPE = 50_000;
const TYPES = `push button|calendar|check box|combo box|text|link|image|list item|list|popup menu
|menu bar|menu item|progress bar|radio button|scroll bar|slider|spin button|status bar|page tab list|page tab
|label|tool bar|tool tip|tree|tree item|unknown|panel|unknown|table|table cell
|document frame|push button|frame|panel|header|table column header|table|title bar|separator|panel
|tool bar`
  .split('|')
  .map((word) => word.trim());

/** From ROLE_SYSTEM_TITLEBAR (1) on. */
const ROLES = `title bar|menu bar|scroll bar|unknown|unknown|unknown|unknown|alert|frame|panel
|popup menu|menu item|tool tip|application|document frame|panel|chart|dialog|panel|panel
|separator|tool bar|status bar|table|table column header|table row header|table|table row|table cell|link
|tool tip|label|list|list item|tree|tree item|page tab|panel|unknown|image
|label|text|push button|check box|radio button|combo box|combo box|progress bar|dial|text
|slider|spin button|image|animation|image|push button|push button menu|push button menu|unknown|page tab list
|label|push button|text|push button`
  .split('|')
  .map((word) => word.trim());
const ROLE_CLIENT = 10;

export type TypeFacts = { type: unknown; password: boolean; toggles: boolean; editable: boolean };
export function typeWord({ type, password, toggles, editable }: TypeFacts): string {
  if (password) return 'password text';
  const word = (typeof type === 'number' && TYPES[type - FIRST_TYPE]) || 'unknown';
  if (word === 'push button' && toggles) return 'toggle button';
  return word === 'document frame' && editable ? 'text' : word;
}

/** Windows' own controls by their classes, where their role says no more than that it is a window. */
const CLASSES: Readonly<Record<string, string>> = {
  edit: 'text',
  listbox: 'list',
  combobox: 'combo box',
  static: 'label',
  systreeview32: 'tree',
  syslistview32: 'list',
  msctls_trackbar32: 'slider',
  toolbarwindow32: 'tool bar',
};
/** BS_…: the kinds of a button, the low four bits of its style. */
const BUTTONS: Readonly<Record<number, string>> = {
  2: 'check box',
  3: 'check box',
  4: 'radio button',
  5: 'check box',
  6: 'check box',
  7: 'panel',
  9: 'radio button',
};

export type RoleFacts = { role: number | null; password: boolean; className: string; style: number };
export function msaaWord({ role, password, className, style }: RoleFacts): string {
  if (password) return 'password text';
  if (role !== null && role !== ROLE_CLIENT) return ROLES[role - 1] ?? 'unknown';
  const kind = className.toLowerCase();
  if (kind === 'button') return BUTTONS[style & 15] ?? 'push button';
  return CLASSES[kind] ?? (role === ROLE_CLIENT ? 'panel' : 'unknown');
}

const MSAA_STATES: readonly [number, string][] = [
  [0x2, 'selected'],
  [0x4, 'focused'],
  [0x8, 'pressed'],
  [0x10, 'checked'],
  [0x20, 'indeterminate'],
  [0x40, 'read only'],
  [0x200, 'expanded'],
  [0x400, 'collapsed'],
  [0x10_0000, 'focusable'],
  [0x20_0000, 'selectable'],
  [0x4000_0000, 'has popup'],
];
const [UNAVAILABLE, INVISIBLE, PROTECTED] = [0x1, 0x8000, 0x2000_0000];

export const isProtected = (state: number | null): boolean => state !== null && (state & PROTECTED) !== 0;
export function msaaStates(state: number | null): string[] {
  if (state === null) return [];
  return [
    ...((state & UNAVAILABLE) === 0 ? ['enabled', 'sensitive'] : []),
    ...((state & INVISIBLE) === 0 ? ['showing', 'visible'] : []),
    ...MSAA_STATES.filter(([bit]) => (state & bit) !== 0).map(([, word]) => word),
  ];
}
