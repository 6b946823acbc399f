import { z } from 'zod';
import { alike, attachment, colour, every, isPattern, pattern, tolerance, wanted } from './check-fields.ts';
import {
  ALIGNMENTS,
  archiveParts,
  DOCUMENT_ASPECTS,
  DOCUMENT_TRAITS,
  documentParts,
  TABLE_PARTS,
  WORD_ASPECTS,
} from './checks-plain.ts';
import { homePathSchema } from './names.ts';

/** Checks that look at a whole table, document, archive or sound, and at a browser's pages (docs/play.md). */

/** A table (.csv, .tsv, .xlsx, .ods): its sheets' names, and its cells, charts, looks and other parts beside those of one of the task's files. */
export const tableCheck = z.strictObject({
  ...every,
  kind: z.literal('table'),
  path: homePathSchema,
  /** The sheets' names in their order. */
  names: z.array(z.string().min(1).max(200)).min(1).max(200).optional(),
  like: attachment.optional(),
  /** In what it must be as the task's file; its cells when absent. */
  compare: z.array(z.enum(TABLE_PARTS)).min(1).optional(),
  /** The only sheet that is compared; all when absent, by their order. */
  sheet: z.string().min(1).max(200).optional(),
  /** What that sheet is called in the task's file, where it is called otherwise. */
  likeSheet: z.string().min(1).max(200).optional(),
  /** The only cells that are compared. */
  area: z
    .string()
    .regex(/^[A-Z]{1,3}[1-9]\d{0,6}:[A-Z]{1,3}[1-9]\d{0,6}$/, 'must be cells like A1:D20')
    .optional(),
  /** Cells must have the same formulas, too; else their values alone count. */
  formulas: z.boolean().default(false),
  /** Rows may come in any order. */
  anyOrder: z.boolean().default(false),
  ignoreCase: z.boolean().default(false),
  separator: z.enum([',', ';', '\t', '|']).optional(),
  tolerance,
});

/** Part of a document that must look so, wherever its text stands. */
const documentPartSchema = z.strictObject({
  text: z.string().min(1).max(10_000),
  /** The slide, from 1; anywhere when absent. */
  slide: z.int().positive().max(10_000).optional(),
  /** It stands in the notes of a slide. */
  notes: z.boolean().default(false),
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  underline: z.boolean().optional(),
  strike: z.boolean().optional(),
  font: z.string().min(1).max(200).optional(),
  /** In points. */
  size: z.number().positive().max(10_000).optional(),
  colour: colour.optional(),
  align: z.enum(ALIGNMENTS).optional(),
});
export type DocumentPart = z.infer<typeof documentPartSchema>;

/** A presentation or a text document (.pptx, .odp, .docx, .odt). */
export const documentCheck = z.strictObject({
  ...every,
  kind: z.literal('document'),
  path: homePathSchema,
  slides: z.int().positive().max(10_000).optional(),
  /** How many pictures it shows. */
  pictures: z.int().min(0).max(10_000).optional(),
  parts: z.array(documentPartSchema).max(100).default([]),
  like: attachment.optional(),
  /** In what it must be as the task's file. */
  compare: z
    .array(z.enum([...DOCUMENT_ASPECTS, ...WORD_ASPECTS]))
    .min(1)
    .default(['text']),
  /** What it has by itself. */
  has: z.array(z.enum(DOCUMENT_TRAITS)).min(1).optional(),
  /** The font that every run of its paragraphs names (.docx). */
  font: z.string().min(1).max(200).optional(),
  /** The size that every run in italics names (.docx), in points. */
  italicSize: z.number().positive().max(10_000).optional(),
});

/** A PDF: its pages and their text. */
export const pdfCheck = z.strictObject({
  ...every,
  kind: z.literal('pdf'),
  path: homePathSchema,
  pages: z.int().positive().max(100_000).optional(),
  /** The only page whose text counts, from 1. */
  page: z.int().positive().max(100_000).optional(),
  ...wanted,
  like: attachment.optional(),
  alike: alike.default(1),
});

/** A sound or a video: its length and its tags (title, artist, album, …). */
export const soundCheck = z.strictObject({
  ...every,
  kind: z.literal('sound'),
  path: homePathSchema,
  seconds: z.number().min(0).max(1e7).optional(),
  tolerance: z.number().min(0).default(0.5),
  tags: z.record(z.string().min(1).max(100), z.string().max(10_000)).default({}),
});

const address = z.string().min(1).max(2000);

/** The pages that Chromium, Chrome or Edge has open, by what it keeps of its session. */
export const pagesCheck = z.strictObject({
  ...every,
  kind: z.literal('pages'),
  /** The folder of its profile. */
  profile: homePathSchema.default('.config/chromium/Default'),
  open: z.array(address).max(100).default([]),
  closed: z.array(address).max(100).default([]),
  /** The page in front. */
  active: address.optional(),
  /**
   * How an address is compared. `address`: whole, without the way it is reached (https://, www.) and a slash at its end;
   * `part`: it is in it; `pattern`: a regular expression.
   */
  by: z.enum(['address', 'part', 'pattern']).default('address'),
  /**
   * The day that `{YYYY}`, `{MM}`, `{M}`, `{DD}`, `{D}` and `{month}` (january, …) in these addresses stand for, told from the day
   * on which it is checked.
   */
  day: z
    .string()
    .regex(
      /^(?:today|tomorrow|next (?:mon|tues|wednes|thurs|fri|satur|sun)day|day (?:[1-9]|1\d|2[0-8]) of next month)$/,
      'a day is today, tomorrow, next monday, or day 10 of next month (1 to 28)',
    )
    .optional(),
});

/** What an archive (.zip, .tar, .tar.gz, .tar.xz) or a folder holds. What is hidden in a folder (`.git`) does not count. */
export const archiveCheck = z.strictObject({
  ...every,
  kind: z.literal('archive'),
  path: homePathSchema,
  /** Names of files in it, with their folders; in a folder those of folders, too: one with / at its end must be a folder. */
  holds: z.array(z.string().min(1).max(1000)).max(1000).default([]),
  lacks: z.array(z.string().min(1).max(1000)).max(1000).default([]),
  /** Patterns, each of which is found in the name of something in it. */
  matches: z.array(pattern).max(100).optional(),
  /** Nothing else is in it. */
  only: z.literal(true).optional(),
  /** Only what lies in the folder itself counts, and not what its folders hold. */
  top: z.literal(true).optional(),
  /** An archive; for names of a folder also a text, as `ls -R` prints it. */
  like: attachment.optional(),
  /** In what its files must be as those of the task's archive. */
  compare: z.enum(['names', 'bytes', 'texts']).default('bytes'),
});

/** The task cannot be done, and the answer says so (`fail`, `infeasible`, …). */
export const infeasibleCheck = z.strictObject({ ...every, kind: z.literal('infeasible') });

const NOTHING = 'says nothing that could be wrong';

/** What is wrong with a check of a file; null when nothing is. */
export function faultOfFileCheck(
  check:
    | z.infer<typeof tableCheck | typeof documentCheck | typeof pdfCheck>
    | z.infer<typeof soundCheck | typeof pagesCheck | typeof archiveCheck | typeof infeasibleCheck>,
): string | null {
  switch (check.kind) {
    case 'table':
      if (check.like === undefined && check.names === undefined) return `${NOTHING}: give like or names`;
      if (check.compare !== undefined && check.like === undefined) return 'names compare without like';
      return check.likeSheet !== undefined && check.sheet === undefined ? 'names likeSheet without sheet' : null;
    case 'document':
      return documentParts(check) === 0
        ? `${NOTHING}: give slides, pictures, parts, has, font, italicSize or like`
        : null;
    case 'pdf':
      return check.like === undefined && check.pages === undefined && check.contains.length + check.lacks.length === 0
        ? `${NOTHING}: give pages, contains, lacks or like`
        : null;
    case 'sound':
      return check.seconds === undefined && Object.keys(check.tags).length === 0
        ? `${NOTHING}: give seconds or tags`
        : null;
    case 'pages':
      if (check.active === undefined && check.open.length + check.closed.length === 0)
        return `${NOTHING}: give open, closed or active`;
      return check.by === 'pattern' && ![...check.open, ...check.closed, check.active ?? ''].every(isPattern)
        ? 'has an address that is no regular expression'
        : null;
    case 'archive':
      return archiveParts(check) === 0 ? `${NOTHING}: give holds, lacks, matches, only or like` : null;
    case 'infeasible':
      return null;
  }
}
