import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import sharp from 'sharp';
import { emptyLabel } from '../../core/annotate/label.ts';
import type { Change, RecordOf } from '../../schemas/annotation.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { Recording } from '../../schemas/recording.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import { datasetRows } from '../../studio/datasets/rows.ts';
import { openDocuments } from '../../studio/documents/documents.ts';
import { reviewGate } from '../../studio/documents/review/gate.ts';
import { derive } from '../../studio/recordings/derive.ts';
import { ensurePerson } from '../../studio/store/people.ts';
import { sampleRecording } from '../../studio/store/recording-for-tests.ts';
import { openWorkspace } from '../../studio/store/workspace.ts';
import { seeded } from './until.ts';

/**
 * A workspace as large as a team's: recordings of five minutes over a number of tasks, each annotated gesture by gesture, and
 * two recordings of two hours that nobody has annotated. A few recordings are made and annotated through the studio's own
 * functions; the others are copies of their files and rows under other ids, so that a thousand are made within a minute.
 */
export type ScaleSize = {
  recordings: number;
  tasks: number;
  /** The number in each recording. */
  steps: number;
  /** The number in each of the two long ones. */
  longSteps: number;
  longEvents: number;
  people: number;
  /** The size of each recording's video, bytes: noise that nothing decodes. */
  videoBytes: number;
  /**
   * For many thousands: no recording has stills, copies have their template's raw files and video by links, and the figures of the
   * data set are there as the studio counts them, so that nobody waits for them to be counted.
   */
  thin?: boolean;
};

export const SCALE_SIZES = {
  small: {
    recordings: 60,
    tasks: 20,
    steps: 75,
    longSteps: 900,
    longEvents: 60_000,
    people: 10,
    videoBytes: 200_000,
  },
  full: {
    recordings: 1000,
    tasks: 300,
    steps: 75,
    longSteps: 7200,
    longEvents: 1_000_000,
    people: 50,
    videoBytes: 2_400_000,
  },
} satisfies Record<string, ScaleSize>;

/** Raise it when what is generated changes: an older workspace is then made anew. */
const VERSION = 2;
const TEMPLATES = 10;
const MADE = 'made.json';
const DATABASE = 'studio.sqlite';
const RAW_FILES = ['events.jsonl', 'frames.jsonl', 'windows.jsonl'];
const VIDEO = 'screen.mkv';
const STEP_US = 4_000_000;
const SCREEN = { width: 1280, height: 720 };
const WORDS = 'crop rotate export resize select layer brush text colour canvas filter sharpen mask gradient path'.split(
  ' ',
);

/** The workspace in `dir`, as it was just made: from an earlier run when it is of this size and version. */
export async function scaleWorkspace(dir: string, size: ScaleSize, say: (text: string) => void): Promise<string> {
  const about = JSON.stringify({ VERSION, ...size });
  const workspace = path.join(dir, 'workspace');
  const made = path.join(dir, MADE);
  if (!fs.existsSync(made) || fs.readFileSync(made, 'utf8') !== about) {
    fs.rmSync(dir, { recursive: true, force: true });
    fs.mkdirSync(dir, { recursive: true });
    await make(workspace, size, say);
    fs.copyFileSync(path.join(workspace, DATABASE), path.join(dir, DATABASE));
    fs.writeFileSync(made, about);
  }
  forgetDerived(dir);
  return workspace;
}

/** Removes what a run left: what was derived, frozen, exported, counted and hashed. */
export function forgetDerived(dir: string): void {
  const workspace = path.join(dir, 'workspace');
  for (const suffix of ['', '-wal', '-shm']) fs.rmSync(path.join(workspace, DATABASE + suffix), { force: true });
  fs.copyFileSync(path.join(dir, DATABASE), path.join(workspace, DATABASE));
  for (const name of ['versions', 'exports', 'evaluations']) {
    fs.rmSync(path.join(workspace, name), { recursive: true, force: true });
  }
  fs.mkdirSync(path.join(workspace, 'exports'));
  const recordings = path.join(workspace, 'recordings');
  for (const id of fs.readdirSync(recordings)) {
    fs.rmSync(path.join(recordings, id, 'derived'), { recursive: true, force: true });
  }
}

async function make(dir: string, size: ScaleSize, say: (text: string) => void): Promise<void> {
  const workspace = openWorkspace(dir, { create: true });
  try {
    const recordings = workspace.recordingsDir;
    const pool = size.thin ? [] : await drawScreens(path.join(dir, '..', 'screens'));
    const templates = [...Array(Math.min(TEMPLATES, size.recordings)).keys()];
    say('making recordings');
    const copyAll = (): void => {
      for (let n = templates.length; n < size.recordings; n++) {
        copyRecording(recordings, templateId(n % TEMPLATES), n, size, pool);
      }
    };
    for (const n of templates) writeRecording(recordings, n, templateId(n), size, pool);
    if (!size.thin) copyAll();
    for (const n of [0, 1]) writeLong(recordings, n, size);
    say('indexing');
    await workspace.syncIndex();
    const people: string[] = [];
    for (let n = 0; n < size.people; n++) people.push((await ensurePerson(workspace.store, `Person ${n + 1}`)).id);
    say('annotating');
    const documents = openDocuments(workspace, reviewGate());
    for (const n of templates) {
      await annotate(documents, templateId(n), (at) => people[(n * 7 + (at >> 5)) % people.length] ?? 'me');
    }
    await documents.close();
    if (size.thin) {
      say('counting, then making copies');
      await datasetRows(workspace);
      copyAll();
      await workspace.syncIndex();
    }
  } finally {
    workspace.close();
  }
  say('copying gestures');
  copyGestures(path.join(dir, DATABASE), size);
  if (size.thin) await compareCounted(dir, size);
}

/** Throws where a copy's figures are not those that the studio counts of it. */
async function compareCounted(dir: string, size: ScaleSize): Promise<void> {
  const ids = [TEMPLATES, size.recordings >> 1, size.recordings - 1].filter((n) => n >= TEMPLATES).map(idOf);
  const sqlite = new Sqlite(path.join(dir, DATABASE));
  const workspace = openWorkspace(dir, { create: false });
  try {
    const read = sqlite.prepare('select * from dataset_facts where recording_id = ?');
    const forget = sqlite.prepare('delete from dataset_facts where recording_id = ?');
    const copied = ids.map((id) => read.get(id));
    for (const id of ids) forget.run(id);
    await datasetRows(workspace);
    for (const [n, id] of ids.entries()) assert.deepEqual(read.get(id), copied[n]);
  } finally {
    workspace.close();
    sqlite.close();
  }
}

const idOf = (n: number): string => `2026-05-04-${String(n).padStart(4, '0')}-scale`;
const templateId = idOf;
export const longId = (n: number): string => `2026-06-01-000${n}-long`;

function recordingOf(n: number, id: string, size: ScaleSize, events: number, frames: number): Recording {
  const task = n % size.tasks;
  const [one = '', two = ''] = [WORDS[task % WORDS.length], WORDS[(task * 7 + 3) % WORDS.length]];
  const startedAt = new Date(Date.UTC(2026, 4, 4) + n * 60_000).toISOString();
  return sampleRecording({
    id,
    task: { id: `GIMP_${task + 1}`, goal: `Make picture ${task + 1}: ${one}, then ${two}, and save it` },
    person: `Person ${(n % size.people) + 1}`,
    clock: { source: 'CLOCK_MONOTONIC', startNs: '1000000000', startedAt },
    span: { start: 0, end: (size.steps + 1) * STEP_US },
    segments: [{ index: 0, file: 'screen.mkv', ...SCREEN, firstFrame: 0, frames }],
    counts: { frames, dropped: 0, late: 0, black: 0, ticks: frames, events },
  });
}

/** Moves all the time, and a step every so often: clicks, typed words, drags. */
function eventsOf(seed: number, steps: number, stepUs: number, movesPerStep: number): RawEvent[] {
  const random = seeded(seed + 1);
  const at = (most: number): number => Math.floor(random() * most);
  const events: RawEvent[] = [
    { type: 'layout', t: 0, layout: usLayout() },
    { type: 'view', t: 0, view: { x: 0, y: 0, ...SCREEN }, segment: 0 },
  ];
  for (let n = 0; n < steps; n++) {
    const from = (n + 1) * stepUs;
    for (let move = 0; move < movesPerStep; move++) {
      const t = from - stepUs + 300_000 + Math.floor((move * (stepUs - 600_000)) / movesPerStep);
      events.push({ type: 'move', t, x: at(SCREEN.width), y: at(SCREEN.height) });
    }
    const [x, y] = [at(SCREEN.width - 100), at(SCREEN.height - 100)];
    events.push({ type: 'down', t: from, x, y, button: 'left' });
    if (n % 5 === 4) {
      for (let p = 1; p <= 8; p++) events.push({ type: 'move', t: from + p * 10_000, x: x + 8 * p, y: y + 4 * p });
      events.push({ type: 'up', t: from + 100_000, x: x + 64, y: y + 32, button: 'left' });
    } else events.push({ type: 'up', t: from + 40_000, x, y, button: 'left' });
  }
  return events.sort((a, b) => a.t - b.t);
}

/** Five frames a second; the screen is another every fifth step. */
function framesOf(steps: number, stepUs: number): Frame[] {
  const count = Math.floor(((steps + 1) * stepUs) / 200_000);
  return Array.from({ length: count }, (_, i) => {
    const t = i * 200_000;
    const changed = (t + 200_000) % (5 * stepUs) < 200_000 ? 90_000 : 0;
    return i === 0 ? { i, pts: 0, t } : { i, pts: i * 200, t, seen: t - 33_000, changed };
  });
}

function writeRecording(parent: string, n: number, id: string, size: ScaleSize, pool: readonly string[]): void {
  const folder = path.join(parent, id);
  fs.mkdirSync(folder);
  const events = eventsOf(n, size.steps, STEP_US, 40);
  const frames = framesOf(size.steps, STEP_US);
  writeFiles(folder, recordingOf(n, id, size, events.length, frames.length), events, frames);
  const { keyframes } = derive(folder);
  fs.mkdirSync(path.join(folder, 'keyframes'));
  const shown = size.thin ? { ...keyframes, keyframes: [] } : keyframes;
  fs.writeFileSync(path.join(folder, 'keyframes', 'index.json'), JSON.stringify(shown));
  ownFiles(folder, n, size, pool);
}

function copyRecording(parent: string, from: string, n: number, size: ScaleSize, pool: readonly string[]): void {
  const [source, folder] = [path.join(parent, from), path.join(parent, idOf(n))];
  fs.mkdirSync(path.join(folder, 'keyframes'), { recursive: true });
  const copy = size.thin ? fs.linkSync : fs.copyFileSync;
  for (const name of RAW_FILES) copy(path.join(source, name), path.join(folder, name));
  const index = fs.readFileSync(path.join(source, 'keyframes', 'index.json'), 'utf8');
  fs.writeFileSync(path.join(folder, 'keyframes', 'index.json'), index.replaceAll(from, idOf(n)));
  const { counts } = JSON.parse(fs.readFileSync(path.join(source, 'recording.json'), 'utf8')) as Recording; // Ours.
  const recording = recordingOf(n, idOf(n), size, counts.events, counts.frames);
  fs.writeFileSync(path.join(folder, 'recording.json'), JSON.stringify(recording));
  if (size.thin) fs.linkSync(path.join(source, VIDEO), path.join(folder, VIDEO));
  else ownFiles(folder, n, size, pool);
}

/** Its stills, of a cluster of screens that look alike, and its video. */
function ownFiles(folder: string, n: number, size: ScaleSize, pool: readonly string[]): void {
  const text = fs.readFileSync(path.join(folder, 'keyframes', 'index.json'), 'utf8');
  const names = new Set([...text.matchAll(/"file":"(\d+\.png)"/g)].map(([, name]) => name ?? ''));
  for (const [at, name] of [...names].entries()) {
    fs.linkSync(pool[(n * 31 + at * 7) % pool.length] ?? '', path.join(folder, 'keyframes', name));
  }
  fs.writeFileSync(path.join(folder, VIDEO), randomBytes(size.videoBytes));
}

function writeLong(parent: string, n: number, size: ScaleSize): void {
  const folder = path.join(parent, longId(n));
  fs.mkdirSync(folder);
  const stepUs = 1_000_000;
  const moves = Math.max(1, Math.floor(size.longEvents / size.longSteps) - 3);
  const events = eventsOf(n, size.longSteps, stepUs, moves);
  const frames = framesOf(size.longSteps, stepUs);
  const recording = recordingOf(n, longId(n), size, events.length, frames.length);
  const span = { start: 0, end: (size.longSteps + 1) * stepUs };
  const task = { id: `LONG_${n + 1}`, goal: `Work for two hours, part ${n + 1}` };
  writeFiles(folder, { ...recording, span, task }, events, frames);
  const { keyframes } = derive(folder);
  fs.mkdirSync(path.join(folder, 'keyframes'));
  fs.writeFileSync(path.join(folder, 'keyframes', 'index.json'), JSON.stringify({ ...keyframes, keyframes: [] }));
}

function writeFiles(folder: string, recording: Recording, events: readonly RawEvent[], frames: readonly Frame[]): void {
  fs.writeFileSync(path.join(folder, 'recording.json'), JSON.stringify(recording));
  const lines = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  fs.writeFileSync(path.join(folder, 'events.jsonl'), lines(events));
  fs.writeFileSync(path.join(folder, 'frames.jsonl'), lines(frames));
  const window = { t: 0, id: '1', title: 'Scale editor', app: 'scale', pid: 1, bounds: null };
  fs.writeFileSync(path.join(folder, 'windows.jsonl'), lines([window]));
}

/** Screens in 30 clusters: a cluster's differ by a small square. */
async function drawScreens(dir: string): Promise<string[]> {
  fs.mkdirSync(dir, { recursive: true });
  const [width, height] = [640, 360];
  const files: string[] = [];
  for (let cluster = 0; cluster < 30; cluster++) {
    const random = seeded(cluster + 100);
    const blocks = Array.from({ length: 40 }, () => [random() * width, random() * height, random() * 255] as const);
    for (let variant = 0; variant < 20; variant++) {
      const rgb = Buffer.alloc(width * height * 3, 230);
      const fill = (left: number, top: number, wide: number, high: number, value: number): void => {
        for (let y = Math.floor(top); y < Math.min(height, top + high); y++) {
          const from = (y * width + Math.floor(left)) * 3;
          rgb.fill(value, from, from + Math.min(width - Math.floor(left), wide) * 3);
        }
      };
      for (const [x, y, value] of blocks) fill(x, y, 90, 50, Math.floor(value));
      fill((variant * 31) % (width - 60), (variant * 57) % (height - 60), 50, 50, 20);
      const file = path.join(dir, `${cluster}-${variant}.png`);
      await sharp(rgb, { raw: { width, height, channels: 3 } })
        .png()
        .toFile(file);
      files.push(file);
    }
  }
  return files;
}

/** Two gestures a step: its element is named, and it is confirmed. */
async function annotate(
  documents: ReturnType<typeof openDocuments>,
  recording: string,
  personAt: (step: number) => string,
): Promise<void> {
  await documents.get(recording);
  const { steps } = await documents.look(recording);
  for (const [at, { id: action }] of steps.entries()) {
    const label: RecordOf<'label'> = {
      ...emptyLabel(action),
      element: `Button ${at % 40}`,
      elementSource: 'hand',
    };
    const gestures: { label: string; changes: Change[] }[] = [
      { label: 'Name element', changes: [{ op: 'add', record: label }] },
      { label: 'Confirm', changes: [{ op: 'change', before: label, after: { ...label, confirmed: true } }] },
    ];
    for (const each of gestures) {
      const id = `00000000-0000-4000-8000-${randomBytes(6).toString('hex')}`;
      await documents.apply(recording, { id, ...each }, personAt(at));
    }
  }
}

/**
 * The templates' gestures under the ids of all others; every second recording is approved. A copy's first eight digits are its
 * number: four of them met those of a document's own beginning, which are random, in one of some ten workspaces of 10,000.
 */
function copyGestures(file: string, size: ScaleSize): void {
  const sqlite = new Sqlite(file);
  try {
    sqlite.transaction(() => {
      const copies = [
        `insert into documents select @to, @to, person, version, steps, done, created_at from documents where id = @from`,
        `insert into annotation_records
           select @to, replace(id, @from, @to), kind, replace(action, @from, @to), replace(value, @from, @to)
           from annotation_records where document_id = @from`,
        `insert into annotation_touched
           select @to, replace(action, @from, @to), version from annotation_touched where document_id = @from`,
        `insert into annotation_names
           select @to, replace(action, @from, @to), field, software_id, place, name
           from annotation_names where document_id = @from`,
        `insert into annotation_transactions
           select @to, version, printf('%08x%s', @n, substr(id, 9)), person, at, label, replace(changes, @from, @to), undoes, redoes, state
           from annotation_transactions where document_id = @from`,
        // The figures hold for the folder as the index knows it.
        `insert into dataset_facts
           select @to, replace(kept.stamp, template.stamp, copy.stamp), document_version, facts, figures
           from dataset_facts kept join recordings template on template.id = @from join recordings copy on copy.id = @to
           where recording_id = @from`,
      ].map((sql) => sqlite.prepare(namedColumns(sql)));
      for (let n = TEMPLATES; n < size.recordings; n++) {
        for (const copy of copies) copy.run(used(copy, { from: templateId(n % TEMPLATES), to: idOf(n), n }));
      }
      const state = sqlite.prepare('update recordings set state = ? where id = ?');
      for (let n = 0; n < size.recordings; n++) state.run(n % 2 === 0 ? 'approved' : 'annotating', idOf(n));
    })();
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    sqlite.close();
  }
}

const COLUMNS: Readonly<Record<string, string>> = {
  documents: 'id, recording_id, person, version, steps, done, created_at',
  annotation_records: 'document_id, id, kind, action, value',
  annotation_touched: 'document_id, action, version',
  annotation_names: 'document_id, action, field, software_id, place, name',
  annotation_transactions: 'document_id, version, id, person, at, label, changes, undoes, redoes, state',
  dataset_facts: 'recording_id, stamp, document_version, facts, figures',
};

/** `insert into T select …` with T's columns in the order in which they are selected. */
const namedColumns = (sql: string): string =>
  sql.replace(/^insert into (\w+)/, (all, table: string) => `${all} (${COLUMNS[table]})`);

/** A statement takes no parameter that it does not name. */
const used = ({ source }: Sqlite.Statement, all: Record<string, string | number>): Record<string, string | number> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => source.includes(`@${name}`)));
