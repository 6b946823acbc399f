import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createQueue, HOLD_BACK_US } from '../../core/actions/order.ts';
import { pauseClock, pausesOf } from '../../core/import/pause-clock.ts';
import { readTranscript, spokenLines } from '../../core/import/transcript.ts';
import { parseFacts } from '../../native/ffmpeg/video-file.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { type HostileReader, hostile } from '../../test/support/growth.ts';
import { readPython } from '../datasets/export/validate/python.ts';
import { overviewOf } from '../import/ducktrack/read.ts';
import { LIMITS } from '../import/limits.ts';
import { boundedLines } from '../import/lines.ts';
import { openFolder } from '../recordings/closed.ts';
import { sampleRecording, writeSample } from '../store/recording-for-tests.ts';

/** A recording's lines under the rules, and the files of other tools. */

const signal = new AbortController().signal;
/** Apart from each other, so that each click is a step of its own. µs. */
const SECOND = 1_000_000;

/** Opens a recording whose events are `lines(i)` for each of n, with a frame beside each. */
const opened = (what: string, lines: (i: number, n: number) => string[]): HostileReader =>
  hostile(
    `steps of a recording: ${what}`,
    (n, place) => {
      const folder = writeSample(place, sampleRecording());
      const all = Array.from({ length: n }, (_, i) => lines(i, n)).flat();
      writeFileSync(join(folder, 'events.jsonl'), all.map((line) => `${line}\n`).join(''));
      const frames = Array.from({ length: n }, (_, i) => `{"i":${i},"pts":${i},"t":${i * SECOND}}\n`);
      writeFileSync(join(folder, 'frames.jsonl'), frames.join(''));
      return folder;
    },
    // A key of its own each time: what was kept would not be made again.
    (folder) => openFolder(folder, `${folder} ${Math.random()}`).page,
    // Many from the beginning: opening costs a good deal for each step, and more only shows among thousands.
    { from: 2000, upTo: 16_000 },
  );

const click = (t: number, button = 'left') => [
  `{"type":"down","t":${t},"x":${t % 700},"y":9,"button":"${button}"}`,
  `{"type":"up","t":${t + 40},"x":${t % 700},"y":9,"button":"${button}"}`,
];
const view = (t: number, x: number, segment = 0) =>
  `{"type":"view","t":${t},"view":{"x":${x},"y":0,"width":1280,"height":720},"segment":${segment}}`;

const tracked = (what: string, line: (i: number) => string, from = 32): HostileReader =>
  hostile(
    `DuckTrack: ${what}`,
    (n, place) => {
      mkdirSync(place, { recursive: true });
      const events = join(place, 'events.jsonl');
      writeFileSync(events, Array.from({ length: n }, (_, i) => `${line(i)}\n`).join(''));
      writeFileSync(
        join(place, 'metadata.json'),
        JSON.stringify({ system: 'Linux', screen_width: 1280, screen_height: 720, start_time: '0', stop_time: '1' }),
      );
      return events;
    },
    (events) =>
      overviewOf(
        {
          source: 'ducktrack',
          events,
          metadata: join(events, '..', 'metadata.json'),
          video: null,
          windows: null,
          elements: null,
          taskName: null,
          readme: null,
        },
        LIMITS,
        signal,
        () => undefined,
      ),
    { from, upTo: 262_144 },
  );

const text = (what: string, part: (n: number) => string, read: (input: string) => unknown): HostileReader =>
  hostile(what, part, read, { upTo: 400_000 });

/** Lines of these times, all of them within the time for which lines are held back; then the end. */
const heldBack = (what: string, time: (i: number, n: number) => number): HostileReader =>
  hostile(
    `order of lines: ${what}`,
    (n) => Array.from({ length: n }, (_, i): RawEvent => ({ type: 'anchor', t: time(i, n), wallMs: 0 })),
    (events) => {
      let taken = 0;
      const count = () => taken++;
      const queue = createQueue(count, count);
      for (const [index, event] of events.entries()) queue.push(event, index);
      // A queue of its own that gives out a line with each that comes.
      for (const index of events.keys()) queue.push({ type: 'anchor', t: HOLD_BACK_US + index, wallMs: 0 }, index);
      queue.flush();
      if (taken !== 2 * events.length) throw new Error('lines were lost');
    },
    { from: 8192, upTo: 524_288 },
  );

export const ruleReaders: HostileReader[] = [
  heldBack('a line a microsecond', (i) => i),
  heldBack('backwards', (i, n) => n - i),
  heldBack('to and fro', (i, n) => (i % 2 === 0 ? i : n - i)),
  opened('a view and a click a moment (L9)', (i) => [view(i * SECOND, i), ...click(i * SECOND + 10)]),
  opened('a segment a moment', (i) => [view(i * SECOND, i, i), ...click(i * SECOND + 10)]),
  opened('a pause a moment', (i) => [
    `{"type":"pause","t":${i * SECOND},"reason":"user"}`,
    `{"type":"resume","t":${i * SECOND + 500},"reason":"user"}`,
    ...click(i * SECOND + 700),
  ]),
  opened('moves without end', (i) => [`{"type":"move","t":${i * SECOND},"x":${i % 900},"y":7}`]),
  opened('a wheel without end', (i) => [`{"type":"wheel","t":${i * SECOND},"x":5,"y":7,"dx":0,"dy":1,"unit":"notch"}`]),
  hostile(
    'pauses: a clock that is asked for each of them (L10)',
    (n) => Array.from({ length: n }, (_, i) => ({ action: i % 2 === 0 ? 'pause' : 'resume', t: i })),
    (marks) => {
      const clock = pauseClock(pausesOf(marks, marks.length));
      for (const { t } of marks) clock.fromVideo(clock.toVideo(t));
    },
    { upTo: 1_000_000 },
  ),
  // Looked at in pieces of 200,000.
  tracked('keys without end (L10)', (i) => `{"time_stamp":${i * 5},"action":"press","name":"a"}`, 32_768),
  tracked('pauses without end', (i) => `{"time_stamp":${i},"action":"${i % 2 === 0 ? 'pause' : 'resume'}"}`),
  text('transcript: times without an end', (n) => '00:00:01,000 --> '.repeat(n / 16), readTranscript),
  text('transcript: blanks before an arrow', (n) => `00:00:01,000${' '.repeat(n)}-`, readTranscript),
  text(
    'transcript: marks that never close',
    (n) => `00:01 --> 00:02\n00:00:01,000 --> 00:00:02,000\n${'<a{\\&a'.repeat(n / 6)}`,
    readTranscript,
  ),
  text('transcript: cues of one line', (n) => '00:00:01,000 --> 00:00:02,000\nx\n'.repeat(n / 32), readTranscript),
  text('transcript: paragraphs without times', (n) => `a\n\n${'b\n'.repeat(n / 4)}${'\n'.repeat(n / 2)}`, spokenLines),
  text('transcript: repeats', (n) => 'WEBVTT\n\n00:01 --> 00:02\nx\n\n'.repeat(n / 28), readTranscript),
  text('ffmpeg: a log of streams', (n) => '  Stream #0:0: Video: h264, '.repeat(n / 28), parseFacts),
  text('ffmpeg: a stream with blanks', (n) => `  Stream #0:0${' '.repeat(n)}: Video: `, parseFacts),
  text('code of an export: brackets', (n) => `pyautogui.click(${'['.repeat(n)}`, readPython),
  text('code of an export: calls', (n) => 'pyautogui.click(1, 2);'.repeat(n / 22), readPython),
  hostile(
    'lines of an import: one without an end',
    (n, place) => {
      const path = join(place, 'lines.jsonl');
      writeFileSync(path, 'x'.repeat(n));
      return path;
    },
    async (path) => {
      for await (const line of boundedLines(path, LIMITS, signal)) if ('tooLong' in line) return;
    },
    { upTo: 32_000_000, from: 500_000 },
  ),
];
