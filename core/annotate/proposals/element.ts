import type { Proposal } from '../../../schemas/annotation.ts';
import type { ElementLine } from '../../../schemas/elements.ts';
import type { Rect } from '../../../schemas/events.ts';
import { TEXT_LIMITS } from '../../../schemas/limits.ts';
import { intersect } from '../../rect.ts';

/** The usual word for each role: roles of AT-SPI, then those of UI Automation and AX, which imports bring. */
const SPOKEN: ReadonlyMap<string, string> = new Map([
  ...words('button', 'push button', 'toggle button', 'push button menu', 'ButtonControl', 'AXButton'),
  ...words('checkbox', 'check box', 'check menu item', 'CheckBoxControl', 'AXCheckBox'),
  ...words('radio button', 'radio button', 'radio menu item', 'RadioButtonControl', 'AXRadioButton'),
  ...words('menu', 'menu', 'AXMenuBarItem'),
  ...words('menu item', 'menu item', 'tear off menu item', 'MenuItemControl', 'AXMenuItem'),
  ...words('tab', 'page tab', 'TabItemControl', 'AXTab'),
  ...words('field', 'entry', 'text', 'autocomplete', 'date editor', 'EditControl', 'AXTextField', 'AXTextArea'),
  ...words('field', 'spin button', 'SpinnerControl', 'AXIncrementor'),
  ...words('list', 'combo box', 'ComboBoxControl', 'AXComboBox', 'AXPopUpButton'),
  ...words('slider', 'slider', 'SliderControl', 'AXSlider'),
  ...words('link', 'link', 'HyperlinkControl', 'AXLink'),
  ...words('item', 'list item', 'tree item', 'ListItemControl', 'TreeItemControl'),
  ...words('cell', 'table cell', 'DataItemControl', 'AXCell'),
  ...words('header', 'column header', 'row header', 'table column header', 'table row header'),
  ...words('icon', 'icon', 'desktop icon', 'image', 'ImageControl', 'AXImage'),
]);
function words(spoken: string, ...roles: string[]): [string, string][] {
  return roles.map((role) => [role, spoken]);
}

const MENU_BARS: ReadonlySet<string> = new Set(['menu bar', 'frame']);

/** They hold what was meant, and are seldom meant themselves: whoever presses in a table presses a cell of it. */
const HOLDERS: ReadonlySet<string> = new Set([
  ...['filler', 'frame', 'panel', 'root pane', 'scroll pane', 'layered pane', 'split pane', 'window'],
  ...[
    'dialog',
    'application',
    'page tab list',
    'menu bar',
    'tool bar',
    'status bar',
    'unknown',
    'invalid',
    'section',
    'grouping',
  ],
  ...['table', 'tree table', 'tree', 'list box', 'drawing area', 'canvas', 'html container', 'viewport', 'option pane'],
  ...['document frame', 'document web', 'WindowControl', 'PaneControl', 'GroupControl', 'AXGroup', 'AXWindow'],
]);

/**
 * First guesses, to be replaced by what people confirm: a box with a name, a box alone, and what only holds other elements.
 */
const CONFIDENCE = { named: 0.9, boxed: 0.7, holder: 0.2 } as const;

/** A description that is longer than that is an explanation, characters. */
const MOST_DESCRIBED = 60;
/** The head of "Move Tool: Move layers and selections" is at most so long, characters. */
const MOST_HEAD = 30;
/** The keys in "Save document (Ctrl+S)", "Create rectangles (R)". */
const KEYS = / ?\((?:(?:Ctrl|Shift|Alt|Super|Meta)\+[^()]{0,40}|F\d{1,2}|.)\) ?$/i;

/** The name that a description or a tooltip gives, where the program has none; null when it only explains. */
function describedName(description: string): string | null {
  const whole = description.replace(/\s+/g, ' ').trim();
  const [head = ''] = whole.split(/: /, 1);
  const first = head.length < whole.length && head.length <= MOST_HEAD ? head : (whole.split(/[.;] /, 1)[0] ?? '');
  const own = first
    .replace(KEYS, '')
    .replace(/(?<![.:…])[.:…]+$/, '')
    .trim();
  return own === '' || own.length > MOST_DESCRIBED ? null : own;
}

/**
 * "Save button", "File menu", "Layers tab": the name and what people call its kind, once. Without a name its description, as it
 * is. Null where it has neither.
 */
export function spokenName(element: Pick<ElementLine, 'name' | 'role' | 'path' | 'description'>): string | null {
  const { name, role } = element;
  // Dots say that a dialog follows, an underline which key opens it: neither is said aloud.
  const own = name
    .replace(/\s+/g, ' ')
    .replace(/(?:\.{3}|…)\s*$/, '')
    .trim();
  // It was not asked for its name; what it is says enough.
  if (own === '') return role === 'password text' ? 'password field' : describedName(element.description ?? '');
  // Qt calls the menus of a menu bar items, too, and tells them as the window's own.
  const isMenu = role === 'menu item' && MENU_BARS.has(element.path?.at(-2)?.role ?? '');
  const kind = SPOKEN.get(isMenu ? 'menu' : role);
  const whole = kind && !endsWith(own, kind) ? `${own} ${kind}` : own;
  return whole.length > TEXT_LIMITS.name ? null : whole;
}

const endsWith = (text: string, kind: string): boolean => {
  const [low, end] = [text.toLowerCase(), kind.toLowerCase()];
  return low === end || low.endsWith(` ${end}`);
};

/** Roles of fields that people write in: a text read in the picture there is the field's content, not its name. */
const WRITTEN_IN: ReadonlySet<string> = new Set([
  ...['text', 'entry', 'password text', 'paragraph', 'terminal', 'editbar', 'spin button', 'autocomplete'],
  'table cell',
  ...['EditControl', 'DocumentControl', 'AXTextField', 'AXTextArea'],
]);

/**
 * Whether a text in the picture may name what was pressed: where no program told anything, or told an element without a
 * name that nobody writes in. Never in fields for passwords.
 */
export function lacksName(element: ElementLine | null): boolean {
  if (element === null) return true;
  if (element.withheld || WRITTEN_IN.has(element.role)) return false;
  return HOLDERS.has(element.role) || spokenName(element) === null;
}

/** The recorded element as a proposal; null when it has neither a name nor a box in the picture. `rect`: the part of the desktop in the picture. */
export function elementProposal(element: ElementLine, rect: Rect): Proposal | null {
  const box = element.bounds && !isOfItsLabel(element) ? inPicture(element.bounds, rect) : null;
  const holds = HOLDERS.has(element.role) || isFullCell(element);
  const name = holds ? null : spokenName(element);
  if (!box && name === null) return null;
  const confidence = holds ? CONFIDENCE.holder : name === null ? CONFIDENCE.boxed : CONFIDENCE.named;
  return { name, box, source: 'accessibility', confidence };
}

const CELLS: ReadonlySet<string> = new Set(['table cell', 'tree item', 'list item', 'DataItemControl', 'AXCell']);
/** A cell of a line or two of text is not higher, px. */
const LINES = 64;

/** A cell without a name that is higher than lines are has a list, or other elements, in it (Qt), of which nothing was told. */
const isFullCell = (element: ElementLine): boolean =>
  CELLS.has(element.role) && spokenName(element) === null && (element.bounds?.height ?? 0) > LINES;

/** GTK 3 tells the box of a tab's label for the tab's own: a third of it. The picture's edges tell that. */
const isOfItsLabel = ({ role, toolkit }: ElementLine): boolean => role === 'page tab' && toolkit === 'gtk';

/** The part of a box on the desktop that a picture shows, in its own px; null where it shows none of it. */
function inPicture(box: Rect, rect: Rect): Rect | null {
  const part = intersect(box, rect);
  return part && { ...part, x: part.x - rect.x, y: part.y - rect.y };
}
