import { z } from 'zod';
import { alike, attachment, colour, every, pattern, tolerance, wanted } from './check-fields.ts';
import {
  archiveCheck,
  documentCheck,
  faultOfFileCheck,
  infeasibleCheck,
  pagesCheck,
  pdfCheck,
  soundCheck,
  tableCheck,
} from './checks-of-files.ts';
import {
  CHECKED_STATES,
  CHECKS_VERSION,
  PICTURE_MODES,
  READ_LANGUAGES,
  SETTING_KEY,
  SETTING_SCHEMA,
  textParts,
} from './checks-plain.ts';
import { homePathSchema } from './names.ts';

/** Success checks of a task (docs/play.md): what is looked at when it was done, as data. */

const CHECKS_SCHEMA = 'trajectory-studio/checks';

const valueSchema = z.union([z.string().max(100_000), z.number(), z.boolean(), z.null()]);
export type CheckValue = z.infer<typeof valueSchema>;

/** The part of all pixels, 0 to 1, that may be other; a pixel is other when a channel differs by more than 8 of 255. */
const difference = z.number().min(0).max(1).default(0);
const presence = z.enum(['there', 'absent']).default('there');

/** A file: there or not, and byte for byte as it should be. */
const fileCheck = z.strictObject({
  ...every,
  kind: z.literal('file'),
  path: homePathSchema,
  is: presence,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** The name of one of the task's files that it must be equal to. */
  equals: attachment.optional(),
});

/** The text of a file, of any ending; of .docx, .odt, .pptx and .odp what a reader sees. */
const textCheck = z.strictObject({
  ...every,
  kind: z.literal('text'),
  path: homePathSchema,
  ...wanted,
  /** The whole text; blanks at its ends do not count. */
  equals: z.string().max(1_000_000).optional(),
  /** Patterns that are found in it; ^ and $ are the ends of a line. */
  matches: z.array(pattern).max(100).optional(),
  /** One of the task's files, whose text it must have. */
  like: attachment.optional(),
  /** How alike to that it must be; the same when absent. */
  alike: alike.optional(),
  /** Runs of blanks and line ends count as one blank. */
  ignoreBlanks: z.boolean().optional(),
});

/** A value in a JSON file, by its pointer (RFC 6901): `/items/0/name`; '' is the whole. */
const jsonCheck = z.strictObject({
  ...every,
  kind: z.literal('json'),
  path: homePathSchema,
  at: z
    .string()
    .max(1000)
    .regex(/^(?:\/.*)?$/s, 'must begin with / or be empty'),
  /** A list or an object is equal when everything in it is. */
  equals: z.union([valueSchema, z.array(z.json()), z.record(z.string(), z.json())]),
  tolerance,
});

/**
 * A value in a file of settings: lines `key=value` under headings `[section]` (.ini, .conf, .desktop and the like, docs/play.md).
 */
const configCheck = z.strictObject({
  ...every,
  kind: z.literal('config'),
  path: homePathSchema,
  /** Without its brackets; `''` is before the first heading. Anywhere when absent. */
  section: z.string().max(500).optional(),
  key: z.string().min(1).max(500),
  /** null: the key is not set. */
  equals: valueSchema,
  tolerance,
});

/** A cell of a .csv, .tsv, .xlsx or .ods file. */
const cellCheck = z.strictObject({
  ...every,
  kind: z.literal('cell'),
  path: homePathSchema,
  /** The sheet's name; the first one when absent. */
  sheet: z.string().min(1).max(200).optional(),
  cell: z.string().regex(/^[A-Z]{1,3}[1-9]\d{0,6}$/, 'must be a cell like B3'),
  /** Between the columns of a .csv file. */
  separator: z.enum([',', ';', '\t', '|']).optional(),
  equals: valueSchema,
  tolerance,
});

/** A picture's size, and its difference from one of the task's files. */
const pictureCheck = z.strictObject({
  ...every,
  kind: z.literal('picture'),
  path: homePathSchema,
  width: z.int().positive().optional(),
  height: z.int().positive().optional(),
  mode: z.enum(PICTURE_MODES).optional(),
  like: attachment.optional(),
  difference,
  /** How alike to that it must look (SSIM, 0 to 1), instead of pixel by pixel. */
  alike: alike.optional(),
  /** Each colour is compared, not lightness alone. */
  inColour: z.literal(true).optional(),
});

/** The first column of the first row that a query of an SQLite file gives. The query reads only. */
const sqliteCheck = z.strictObject({
  ...every,
  kind: z.literal('sqlite'),
  path: homePathSchema,
  query: z
    .string()
    .max(10_000)
    .regex(/^\s*(?:select|with)\b/i, 'must be one SELECT'),
  equals: valueSchema,
  tolerance,
});

/** A window of a running program, by part of its title. */
const windowCheck = z.strictObject({
  ...every,
  kind: z.literal('window'),
  title: z.string().min(1).max(200),
  is: presence,
});

/** Pixels of the screen: one colour, or as one of the task's pictures. */
const regionCheck = z.strictObject({
  ...every,
  kind: z.literal('region'),
  x: z.int().min(0),
  y: z.int().min(0),
  width: z.int().positive().max(16_384),
  height: z.int().positive().max(16_384),
  like: attachment.optional(),
  colour: colour.optional(),
  difference,
});

/** Text on the screen, as a program reads it there (OCR); runs of blanks and line ends count as one. */
const shownCheck = z.strictObject({
  ...every,
  kind: z.literal('shown'),
  contains: z.array(z.string().min(1).max(1000)).max(100).default([]),
  lacks: z.array(z.string().min(1).max(1000)).max(100).default([]),
  ignoreCase: z.boolean().default(true),
  /** Where it is looked for, px of the screen; everywhere when absent. */
  area: z
    .strictObject({
      x: z.int().min(0),
      y: z.int().min(0),
      width: z.int().positive().max(16_384),
      height: z.int().positive().max(16_384),
    })
    .optional(),
  languages: z.string().max(100).regex(READ_LANGUAGES, 'must be languages like eng or eng+deu').default('eng'),
});

/** The value of a setting, as `gsettings get SCHEMA KEY` prints it on the stage. */
const settingCheck = z.strictObject({
  ...every,
  kind: z.literal('setting'),
  schema: z
    .string()
    .max(300)
    .regex(
      SETTING_SCHEMA,
      'must be a schema like org.gnome.desktop.interface, with its path (:/a/b/) where it has none',
    ),
  key: z.string().max(200).regex(SETTING_KEY, 'must be a key like clock-format'),
  equals: valueSchema,
  tolerance,
});

/** An element of a running program that is shown, as the program itself reports it (AT-SPI): one that has all that is said. */
const elementCheck = z.strictObject({
  ...every,
  kind: z.literal('element'),
  /** AT-SPI's word, such as `check box`. */
  role: z.string().min(1).max(60).optional(),
  /** The whole name. */
  name: z.string().min(1).max(1000).optional(),
  state: z.enum(CHECKED_STATES).optional(),
  /** Its text, or the number of a slider. */
  equals: z.union([z.string().max(10_000), z.number()]).optional(),
  tolerance,
  is: presence,
});

/** The answer: a text, a number, or a set of texts in any order (lines or commas between them). */
const answerCheck = z.strictObject({
  ...every,
  kind: z.literal('answer'),
  equals: z.union([z.string().min(1).max(10_000), z.number(), z.array(z.string().min(1).max(1000)).min(1).max(200)]),
  tolerance,
});

const NOTHING = 'says nothing that could be wrong';
export const checkSchema = z
  .discriminatedUnion('kind', [
    fileCheck,
    textCheck,
    jsonCheck,
    configCheck,
    cellCheck,
    pictureCheck,
    sqliteCheck,
    windowCheck,
    regionCheck,
    shownCheck,
    settingCheck,
    elementCheck,
    answerCheck,
    tableCheck,
    documentCheck,
    pdfCheck,
    soundCheck,
    pagesCheck,
    archiveCheck,
    infeasibleCheck,
  ])
  .superRefine((check, context) => {
    const wrong = (message: string): void => context.addIssue({ code: 'custom', message, path: [check.id] });
    if (check.kind === 'text' && textParts(check) === 0)
      wrong(`${NOTHING}: give contains, lacks, matches, equals or like`);
    if (check.kind === 'text' && check.alike !== undefined && check.like === undefined)
      wrong('names alike without like');
    if (check.kind === 'shown' && !check.contains.length && !check.lacks.length)
      wrong(`${NOTHING}: give contains or lacks`);
    if (check.kind === 'picture' && !check.like && (check.width ?? check.height ?? check.mode) === undefined)
      wrong(`${NOTHING}: give width, height, mode or like`);
    if (check.kind === 'picture' && check.alike !== undefined && check.like === undefined)
      wrong('names alike without like');
    if (check.kind === 'picture' && check.inColour && check.alike === undefined) wrong('names inColour without alike');
    if (check.kind === 'region' && (check.like === undefined) === (check.colour === undefined))
      wrong('takes either like or colour');
    if (check.kind === 'element' && check.role === undefined && check.name === undefined)
      wrong(`${NOTHING}: give role or name`);
    if (check.kind === 'file' && check.is === 'absent' && (check.sha256 ?? check.equals) !== undefined)
      wrong('wants a file absent and equal at once');
    const fault = isOfFiles(check) ? faultOfFileCheck(check) : null;
    if (fault !== null) wrong(fault);
  });
export type Check = z.infer<typeof checkSchema>;
type OfFiles = Parameters<typeof faultOfFileCheck>[0];

const OF_FILES: ReadonlySet<string> = new Set(
  [tableCheck, documentCheck, pdfCheck, soundCheck, pagesCheck, archiveCheck, infeasibleCheck].map(
    ({ shape }) => shape.kind.value,
  ),
);
const isOfFiles = (check: { kind: string }): check is OfFiles => OF_FILES.has(check.kind);

const COMBINE = ['all', 'any', 'weighted'] as const;

export const checksSchema = z.strictObject({
  schema: z.literal(CHECKS_SCHEMA),
  version: z.literal([1, 2, 3, 4, 5, 6, 7, 8, CHECKS_VERSION]),
  /** `all`: the worst score; `any`: the best; `weighted`: the mean by weights. */
  combine: z.enum(COMBINE).default('all'),
  /** The score from which on the task counts as done. */
  pass: z.number().gt(0).max(1).default(1),
  checks: z
    .array(checkSchema)
    .min(1)
    .max(200)
    .refine((checks) => new Set(checks.map(({ id }) => id)).size === checks.length, 'two checks have the same id'),
});
export type Checks = z.infer<typeof checksSchema>;

export const checkResultSchema = z.object({
  id: z.string(),
  /** 0 to 1. */
  score: z.number().min(0).max(1),
  why: z.string(),
  /** It looks at the screen alone, and could be content with what was never saved. */
  screen: z.boolean(),
  /** False: it could not be tried (nothing to look at, a file that cannot be read); its score is 0. */
  able: z.boolean(),
});
export type CheckResult = z.infer<typeof checkResultSchema>;

export const checkReportSchema = z.object({
  checks: z.array(checkResultSchema),
  score: z.number().min(0).max(1),
  passed: z.boolean(),
  /** Why these checks prove little, in words; null when they look at more than the screen. */
  weak: z.string().nullable(),
});
export type CheckReport = z.infer<typeof checkReportSchema>;
