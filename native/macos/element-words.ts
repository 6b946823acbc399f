/** Roles of AX in AT-SPI's words, which every system's elements are told in. */
const ROLES: Readonly<Record<string, string>> = {
  AXApplication: 'application',
  AXBrowser: 'table',
  AXButton: 'push button',
  AXCell: 'table cell',
  AXCheckBox: 'check box',
  AXColorWell: 'push button',
  AXColumn: 'table',
  AXComboBox: 'combo box',
  AXDateField: 'date editor',
  AXDisclosureTriangle: 'toggle button',
  AXDockItem: 'icon',
  AXGroup: 'panel',
  AXHeading: 'heading',
  AXHelpTag: 'tool tip',
  AXImage: 'image',
  AXIncrementor: 'spin button',
  AXLink: 'link',
  AXList: 'list',
  AXMenu: 'popup menu',
  AXMenuBar: 'menu bar',
  AXMenuBarItem: 'menu',
  AXMenuButton: 'push button menu',
  AXMenuItem: 'menu item',
  AXOutline: 'tree',
  AXPopUpButton: 'combo box',
  AXProgressIndicator: 'progress bar',
  AXRadioButton: 'radio button',
  AXRow: 'table row',
  AXScrollArea: 'scroll pane',
  AXScrollBar: 'scroll bar',
  AXSheet: 'dialog',
  AXSlider: 'slider',
  AXSplitGroup: 'split pane',
  AXSplitter: 'separator',
  AXStaticText: 'label',
  AXTabGroup: 'page tab list',
  AXTable: 'table',
  AXTextArea: 'text',
  AXTextField: 'text',
  AXToolbar: 'tool bar',
  AXWebArea: 'document web',
  AXWindow: 'frame',
};
/** Kinds of these that are something else to people. */
const SUBROLES: Readonly<Record<string, string>> = {
  AXOutlineRow: 'tree item',
  AXSecureTextField: 'password text',
  AXSortButton: 'table column header',
  AXSwitch: 'toggle button',
  AXTabButton: 'page tab',
  AXToggle: 'toggle button',
};

export const axWord = (role: unknown, subrole: unknown): string =>
  wordOf(SUBROLES, subrole) ?? wordOf(ROLES, role) ?? 'unknown';
const wordOf = (words: Readonly<Record<string, string>>, key: unknown): string | undefined =>
  typeof key === 'string' && Object.hasOwn(words, key) ? words[key] : undefined;
export const PASSWORD = 'AXSecureTextField';
