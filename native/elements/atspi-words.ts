/** AT-SPI's numbers in words (at-spi2-core, AtspiRole and AtspiStateType). The order is the protocol's. */

const ROLES = `invalid|accelerator label|alert|animation|arrow|calendar|canvas|check box|check menu item|color chooser
|column header|combo box|date editor|desktop icon|desktop frame|dial|dialog|directory pane|drawing area|file chooser
|filler|focus traversable|font chooser|frame|glass pane|html container|icon|image|internal frame|label
|layered pane|list|list item|menu|menu bar|menu item|option pane|page tab|page tab list|panel
|password text|popup menu|progress bar|push button|radio button|radio menu item|root pane|row header|scroll bar|scroll pane
|separator|slider|spin button|split pane|status bar|table|table cell|table column header|table row header|tear off menu item
|terminal|text|toggle button|tool bar|tool tip|tree|tree table|unknown|viewport|window
|extended|header|footer|paragraph|ruler|application|autocomplete|editbar|embedded|entry
|chart|caption|document frame|heading|page|section|redundant object|form|link|input method window
|table row|tree item|document spreadsheet|document presentation|document text|document web|document email|comment|list box|grouping
|image map|notification|info bar|level bar|title bar|block quote|audio|video|definition|article
|landmark|log|marquee|math|rating|timer|static|math fraction|math root|subscript
|superscript|description list|description term|description value|footnote|content deletion|content insertion|mark|suggestion|push button menu`
  .split('|')
  .map((word) => word.trim());

const STATES = `invalid|active|armed|busy|checked|collapsed|defunct|editable|enabled|expandable
|expanded|focusable|focused|has tooltip|horizontal|iconified|modal|multi line|multiselectable|opaque
|pressed|resizable|selectable|selected|sensitive|showing|single line|stale|transient|vertical
|visible|manages descendants|indeterminate|required|truncated|animated|invalid entry|supports autocompletion|selectable text|is default
|visited|checkable|has popup|read only`
  .split('|')
  .map((word) => word.trim());

export const roleWord = (role: number): string => ROLES[role] ?? 'unknown';

/** The states of GetState's two words. */
export function stateWords([low = 0, high = 0]: readonly number[]): string[] {
  const has = (bit: number): boolean => (bit < 32 ? (low >>> bit) & 1 : (high >>> (bit - 32)) & 1) === 1;
  return STATES.filter((_, bit) => has(bit));
}

/** Roles that people act on. A label or an icon inside such an element is a part of it. */
export const ACTED_ON: ReadonlySet<string> = new Set([
  ...['check box', 'check menu item', 'column header', 'combo box', 'link', 'list item', 'menu', 'menu item'],
  ...['page tab', 'push button', 'push button menu', 'radio button', 'radio menu item', 'spin button', 'table cell'],
  ...['table column header', 'table row header', 'toggle button', 'tree item'],
]);

/** Roles of the parts inside an element that people act on. */
export const PARTS: ReadonlySet<string> = new Set([
  ...['label', 'image', 'icon', 'filler', 'panel', 'static', 'unknown', 'arrow', 'accelerator label', 'section'],
]);

/** Roles of elements that open a menu or a list outside of their own box. */
export const OPENERS: ReadonlySet<string> = new Set([
  'menu',
  'combo box',
  'push button menu',
  'toggle button',
  'menu item',
]);

/** Roles that only hold and order others: programs put them in and leave them out as their layout wants. */
export const HOLDERS: ReadonlySet<string> = new Set([
  ...['filler', 'panel', 'section', 'unknown', 'static', 'paragraph', 'form', 'landmark', 'grouping', 'article'],
  ...['scroll pane', 'viewport', 'split pane', 'root pane', 'layered pane', 'redundant object', 'document web'],
  ...['internal frame', 'embedded', 'extended', 'header', 'footer', 'document frame'],
]);
