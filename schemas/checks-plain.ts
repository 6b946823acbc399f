/** The part of the checks' schema that pages need, without its library. */

/**
 * 2 added the kind `setting`, 3 the kind `element`, 4 the kind `shown`, 5 the kinds of schemas/checks-of-files.ts, texts by
 * patterns and beside a file, likeness and mode of pictures, 6 other parts of tables than their cells, 7 the parts and traits of text
 * documents that Word keeps, 8 folders beside archives, 9 the kind `config`; files of earlier versions are read as they are.
 */
export const CHECKS_VERSION = 9;

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

/** In what a document may be compared with another. */
export const DOCUMENT_ASPECTS = [
  ...(['text', 'notes', 'pictures', 'alignment', 'bold', 'italic'] as const),
  ...(['underline', 'strike', 'font', 'size', 'colour'] as const),
] as const;
export type DocumentAspect = (typeof DOCUMENT_ASPECTS)[number];

/** In what else a .docx may be compared with another, each as it is written there, without what its styles say. */
export const WORD_ASPECTS = [
  ...(['tables', 'spacing', 'lines', 'highlight'] as const),
  ...(['subscript', 'equations', 'picture-places'] as const),
] as const;
export type WordAspect = (typeof WORD_ASPECTS)[number];
export const isWordAspect = (aspect: DocumentAspect | WordAspect): aspect is WordAspect =>
  WORD_ASPECTS.some((one) => one === aspect);

/** What a text document may have by itself; `no-yellow` is read of .docx and .odt, the others of .docx alone. */
export const DOCUMENT_TRAITS = [
  ...(['page-break', 'page-numbers', 'first-line-centred'] as const),
  ...(['last-paragraph-struck', 'no-yellow'] as const),
] as const;
export type DocumentTrait = (typeof DOCUMENT_TRAITS)[number];

/** In what a table may be compared with another; all but `cells` and `names` are read of .xlsx alone. */
export const TABLE_PARTS = [
  ...(['cells', 'names', 'charts', 'chart-titles', 'chart-axes', 'chart-legends', 'chart-directions'] as const),
  ...(['pivots', 'bold', 'italic', 'underline', 'font', 'colour', 'fill', 'frozen', 'hidden'] as const),
] as const;
export type TablePart = (typeof TABLE_PARTS)[number];

export const ALIGNMENTS = ['left', 'center', 'right', 'justify'] as const;

/** What the pixels of a picture say. `palette`: by a table of colours. */
export const PICTURE_MODES = ['grey', 'grey-alpha', 'colour', 'colour-alpha', 'palette'] as const;
export type PictureMode = (typeof PICTURE_MODES)[number];

/** How many parts of a text a check looks at. */
export const textParts = (check: {
  contains: readonly string[];
  lacks: readonly string[];
  matches?: readonly string[] | undefined;
  equals?: string | undefined;
  like?: string | undefined;
}): number =>
  check.contains.length +
  check.lacks.length +
  (check.matches?.length ?? 0) +
  (check.equals === undefined ? 0 : 1) +
  (check.like === undefined ? 0 : 1);

/** How many things a check of a document looks at. */
export const documentParts = (check: {
  slides?: number | undefined;
  pictures?: number | undefined;
  parts: readonly unknown[];
  like?: string | undefined;
  has?: readonly unknown[] | undefined;
  font?: string | undefined;
  italicSize?: number | undefined;
}): number =>
  [check.slides, check.pictures, check.like, check.font, check.italicSize].filter((one) => one !== undefined).length +
  check.parts.length +
  (check.has?.length ?? 0);

/** How many things a check of an archive or a folder looks at. */
export const archiveParts = (check: {
  holds: readonly string[];
  lacks: readonly string[];
  matches?: readonly string[] | undefined;
  only?: true | undefined;
  like?: string | undefined;
}): number =>
  check.holds.length +
  check.lacks.length +
  (check.matches?.length ?? 0) +
  (check.only ? 1 : 0) +
  (check.like === undefined ? 0 : 1);
