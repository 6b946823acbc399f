/**
 * The longest text that a person writes, in characters. Longer ones are refused at the door, with the limit in the message.
 * Apart from the schemas: a page that only shows a limit need not load them.
 */
export const TEXT_LIMITS = { name: 500, text: 10_000, comment: 4_000 } as const;

/**
 * The largest picture that is decoded: 67 megapixels, eight displays of 4K. A recorded desktop is smaller, and a file of a
 * few bytes may say that it is a million pixels wide.
 */
export const MOST_PIXELS = 8192 * 8192;

/** The most that a mark's words hold, characters. */
export const MOST_MARK_WORDS = 500;

/** What a composition holds at most: characters of its texts, its parts, and the bytes of its file. */
export const COMPOSITION_LIMITS = {
  text: 4000,
  short: 300,
  answer: 2000,
  members: 500,
  edges: 5000,
  steps: 200,
  outputs: 50,
  apps: 20,
  alternatives: 20,
  /** Entries of a list that is an answer. */
  entries: 100,
  /** Preferences, and values that are given. */
  given: 100,
  /** Values of a list of which one is drawn, and places where a value stands. */
  values: 1000,
  places: 200,
  /** Made at once, and the largest seed by which they are drawn. */
  instances: 200,
  seed: 0x7fff_ffff,
  /** Between two tasks. */
  minutes: 600_000,
  events: 500,
  /** The alternatives of one event, of which the seed draws one. */
  happenings: 20,
  /** Up at once. */
  stages: 8,
  /** Files and folders that go over to a member; the most that one of them has, bytes, and entries of a folder. */
  takes: 20,
  takenFiles: 1000,
  takenBytes: 64 << 20,
  /** Acts of people who verified it. */
  verification: 10_000,
  /** A word of a command of Linux may have 128 kB. */
  eventText: 60_000,
  bytes: 32 << 20,
} as const;

/** The most that one panel of judges is: models, wordings of each, recordings of one call, pictures of a recording. */
export const PANEL_LIMITS = { models: 8, prompts: 3, recordings: 1000, pictures: 1000 } as const;

/** Answers to a step that are sampled at most (docs/agents.md, "Candidates of a step"). */
export const MOST_CANDIDATES = 100;

/** The highest temperature that a model is asked with: how freely it answers, from 0. */
export const HOTTEST = 2;

/** The most of a name that is kept: a program may answer with a whole book. */
export const ELEMENT_NAME_LIMIT = 2000;
/** How deep a tree is followed, and so the longest path. */
export const ELEMENT_DEPTH_LIMIT = 60;

/** So many demonstrations are shown to an agent before its task at most, of so many steps in all: each is a picture in every request. */
export const MOST_SHOTS = 10;
export const MOST_SHOT_STEPS = 60;
