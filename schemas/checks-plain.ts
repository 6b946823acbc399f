/** The part of the checks' schema that pages need, without its library. */

/** 2 added the kind `setting`, 3 the kind `element`, 4 the kind `shown`; files of earlier versions are read as they are. */
export const CHECKS_VERSION = 4;

/** States of elements that a check can ask for, as AT-SPI calls them. */
export const CHECKED_STATES = [
  ...(['active', 'checked', 'collapsed', 'editable', 'enabled', 'expanded'] as const),
  ...(['focused', 'pressed', 'read only', 'selected'] as const),
] as const;

/** The roles that people act on most, as AT-SPI calls them; a check may name any other. */
export const COMMON_ROLES = [
  ...['check box', 'combo box', 'entry', 'label', 'menu item', 'page tab', 'push button', 'radio button', 'text'],
];

/** Languages to read texts in, as tesseract calls them. */
export const READ_LANGUAGES = /^[a-z]{3}(?:_[a-z]{2,10}){0,2}(?:\+[a-z]{3}(?:_[a-z]{2,10}){0,2}){0,5}$/;

/** Neither can be taken for an option or a word more of a command. */
export const SETTING_SCHEMA = /^[A-Za-z][\w-]*(?:\.[\w-]+)*(?::\/(?:[\w.-]+\/)*)?$/;
export const SETTING_KEY = /^[A-Za-z][\w-]*$/;
