import { join } from 'node:path';
import type { WithheldWhy } from '../../schemas/events.ts';
import { ELEMENTS_FILE, EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE } from '../store/recording-folder.ts';
import { type LineFile, type OnWaiting, openLineFile, openLineFileLater } from './append.ts';
import type { Gate } from './gate.ts';
import type { KeyStroke, Line } from './line.ts';
import type { ScreenKeyboards } from './screen-keyboards.ts';
import { createWithholding } from './withheld.ts';

/** The append-only files of a recording. */
export type RecordingFiles = Record<'events' | 'frames' | 'windows' | 'elements', LineFile>;

/** Opens them new in a folder. Throws what the file system throws. */
export function openFiles(folder: string, onWaiting?: OnWaiting): RecordingFiles {
  return {
    events: openLineFile(join(folder, EVENTS_FILE), onWaiting),
    frames: openLineFile(join(folder, FRAMES_FILE), onWaiting),
    windows: openLineFile(join(folder, WINDOWS_FILE), onWaiting),
    elements: openLineFileLater(join(folder, ELEMENTS_FILE), onWaiting),
  };
}

type Place = { x: number; y: number };
type Timed = Record<string, unknown> & { t: number };

/** The one way into events.jsonl, windows.jsonl and elements.jsonl: whatever goes in is written when the gate lets it out (I6). */
export type Outlet = {
  /** Something the person did. */
  input(line: Timed): Line;
  /** A key: not written where it turns out to have gone into a field for passwords. */
  key(line: Timed, stroke: KeyStroke): Line;
  /** A state of the machine at this time, such as a layout, or a mark of the person. Not written during a pause. */
  state(line: Timed): void;
  /** The recorder's own word, which says nothing of the person. */
  always(line: Timed): void;
  window(line: Timed): void;
  /** An element; judged at `t`, when all of it was known. */
  element(t: number, make: () => Record<string, unknown> | null): void;
  /** A text that arrived in a field at `t`. Not written during a pause. */
  text(t: number, make: () => Record<string, unknown> | null): void;
  /** Names lines that are the recorder's own; those that are never written are left out. */
  own(t: number, lines: readonly Line[], reason: string): void;
  /** Hands to the files what may be written now. */
  drain(): void;
  /** The wall clock. */
  anchor(line: Timed): void;
  /** Input lines that were written. */
  inputs(): number;
  /** The files were rewritten: so many are left. */
  countInputs(left: number): void;
  /** Nothing more comes: hands out all that may be written, and what was withheld until now. */
  finish(): void;
};

/** Input after which the next key in a field for passwords is another step's. */
const ENDS: ReadonlySet<unknown> = new Set(['down', 'wheel', 'keydown']);

type AskPointer = () => Promise<Place | null>;
/** The system answers at once, but a busy machine may not; what comes meanwhile waits so long at most. */
const POINTER_MS = 1000;
const LOOK_MS = 10;

/**
 * Where the pointer rests when something is recorded again, for its `resume` line. A place of a time that turns out to be in a
 * pause is not told (I6): with an exclude or allow list it waits until the window in front is judged.
 */
export function askPointer(
  clock: { now(): number },
  desktop: { pointer(): Promise<Place | null> },
  gate: Pick<Gate<Line>, 'judgedTo' | 'isCut'>,
): AskPointer {
  return async () => {
    const place = await desktop.pointer();
    const t = clock.now();
    for (let waited = 0; gate.judgedTo() < t; waited += LOOK_MS) {
      if (waited >= POINTER_MS) return null;
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
    return gate.isCut(t) ? null : place;
  };
}

const NO_KEYBOARDS = { isShown: () => false, holds: () => false };

export function createOutlet(
  gate: Gate<Line>,
  files: Pick<RecordingFiles, 'events' | 'windows' | 'elements'>,
  askPointer: AskPointer,
  secretAt: (t: number) => WithheldWhy | null = () => null,
  keyboards: Pick<ScreenKeyboards, 'isShown' | 'holds'> = NO_KEYBOARDS,
): Outlet {
  const { events, windows, elements } = files;
  const withholding = createWithholding(secretAt, keyboards.holds);
  let inputs = 0;

  function add(line: Timed, more: Partial<Line> = {}): Line {
    const entry: Line = { t: line.t, file: events, line, isInput: false, number: null, ...more };
    gate.add(entry);
    return entry;
  }
  function sayWithheld(before?: number): void {
    const line = withholding.close(before);
    // It may have been forgotten since.
    if (line && !gate.isCut(line.t)) events.add(line);
  }
  function write(entry: Line): void {
    if (withholding.takes(entry)) return;
    sayWithheld(ENDS.has(entry.line.type) ? undefined : entry.t);
    if (entry.names) {
      const numbers = entry.names.flatMap(({ number }) => (number === null ? [] : [number]));
      if (numbers.length === 0) return;
      entry.line.events = numbers;
    }
    const line = entry.make ? entry.make() : entry.line;
    if (!line) return;
    for (const modifier of withholding.owed(entry)) {
      modifier.line.t = entry.t;
      modifier.number = modifier.file.add(modifier.line);
      inputs++;
    }
    entry.number = entry.file.add(line);
    if (entry.isInput) inputs++;
  }

  function mark({ t, kind, reason }: { t: number; kind: 'pause' | 'resume'; reason: string }): void {
    sayWithheld();
    withholding.reset();
    // Where one pause follows another, nothing of the time between them is of interest.
    if (kind === 'pause' || gate.shown() !== null) return void events.add({ t, type: kind, reason });
    const line = { t, type: kind, reason, pointer: null as Place | null };
    const told = askPointer().then((place) => {
      line.pointer = place;
    });
    events.add(line, told, POINTER_MS);
  }

  function drain(): void {
    for (const one of gate.take()) {
      if (one.kind === 'item') write(one.item);
      else mark(one);
    }
  }

  return {
    // Where an on-screen keyboard lies it is to be known first what was asked for.
    input: (line) => add(line, { isInput: true, key: keyboards.isShown() }),
    key: (line, stroke) => add(line, { isInput: true, key: true, stroke }),
    state: (line) => void add(line),
    always: (line) => void add(line, { always: true }),
    window: (line) => void add(line, { file: windows }),
    element: (t, make) => void add({ t }, { file: elements, make }),
    text: (t, make) => void add({ t }, { make }),
    own: (t, names, reason) => void add({ t, type: 'own', events: [], reason }, { always: true, names }),
    drain,
    anchor: (line) => void add(line, { always: true, ever: true }),
    inputs: () => inputs,
    countInputs(left) {
      inputs = left;
    },
    finish() {
      drain();
      sayWithheld();
    },
  };
}
