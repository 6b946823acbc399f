/** Bounds on what is taken from a stranger (formats.md, "Safety of imports"). */
export type ImportLimits = {
  /** Files and folders in all. */
  entries: number;
  /** Bytes of all files together. */
  bytes: number;
  /** Bytes of recording.json and keyframes/index.json: they are read whole. */
  jsonBytes: number;
  /** Bytes of one line of a .jsonl file. */
  lineBytes: number;
  /** Folders inside folders. */
  depth: number;
  /** Presses of keys and buttons in one recording: a person makes ten a second for eight hours at most. */
  presses: number;
};

export const LIMITS: ImportLimits = {
  entries: 200_000,
  bytes: 200 * 1024 ** 3,
  jsonBytes: 64 * 1024 ** 2,
  lineBytes: 4 * 1024 ** 2,
  depth: 4,
  presses: 300_000,
};

/** Space that must stay free on the disk after an import, bytes. */
export const KEEP_FREE = 256 * 1024 ** 2;

/** How many problems are named; the rest are counted. */
export const MOST_PROBLEMS = 20;
