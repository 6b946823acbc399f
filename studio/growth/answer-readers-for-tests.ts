import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  HOSTILE_ANSWERS,
  HOSTILE_KEYS,
  HOSTILE_VALUES,
  type HostileAnswer,
} from '../../core/evaluate/hostile-answers-for-tests.ts';
import { looseJson, recordsIn } from '../../core/evaluate/reading/records.ts';
import { PREDICTIONS_SCHEMA } from '../../schemas/questions.ts';
import { type HostileReader, hostile } from '../../test/support/growth.ts';
import { readAidsFile } from '../datasets/evaluate/aids-file.ts';
import { openCache } from '../datasets/evaluate/answer-cache.ts';
import { findCases } from '../datasets/evaluate/case-index.ts';
import { checkPredictions, openTruth } from '../datasets/evaluate/inputs.ts';
import { textsOf } from '../datasets/evaluate/ocr.ts';
import { openPredictionLog } from '../datasets/evaluate/prediction-log.ts';
import { readVerdicts } from '../datasets/evaluate/verdicts.ts';
import { textLines } from '../files/text-lines.ts';
import { readBeginning, readReply } from '../models/chat-reply.ts';
import { retryAfter } from '../models/endpoint.ts';

/** Answers of models and their servers, and files of predictions, cases and elements. */

/** Reading code spends a budget of steps, so that what is beyond it costs no more; the sizes are those around it. */
const answer = ({ name, make, read }: HostileAnswer): HostileReader =>
  hostile(`answer of a model: ${name}`, make, read, { from: 4000, upTo: 64_000 });

const lines = (
  what: string,
  line: (i: number) => string,
  read: (path: string) => unknown,
  upTo = 32_768,
): HostileReader =>
  hostile(
    what,
    (n, place) => {
      const path = join(place, 'lines.jsonl');
      writeFileSync(path, Array.from({ length: n }, (_, i) => `${line(i)}\n`).join(''));
      return path;
    },
    read,
    { upTo },
  );

const truthSchema = z.looseObject({ id: z.string() });

function checked(path: string): void {
  const truth = openTruth([path], truthSchema, () => 0);
  try {
    checkPredictions([path], truth);
  } finally {
    truth.close();
  }
}

const prediction = (what: string, line: (i: number) => string, upTo?: number): HostileReader =>
  lines(`predictions: ${what}`, line, checked, upTo);

/** A whole answer of an endpoint, or the body of an error. */
const reply = (what: string, type: string, body: (n: number) => string): HostileReader =>
  hostile(`endpoint: ${what}`, body, (text) => readReply(new Response(text, { headers: { 'content-type': type } })), {
    upTo: 4_000_000,
  });
const STREAM = 'text/event-stream';

const scored = (place: string): string => {
  const path = join(place, 'cases.jsonl');
  writeFileSync(path, '{"id":"T_1/1/1","kind":"mid"}\n');
  return path;
};

const words = (what: string, make: (n: number) => string, read: (text: string) => unknown): HostileReader =>
  hostile(what, make, read, { upTo: 400_000 });

export const answerReaders: HostileReader[] = [
  ...HOSTILE_ANSWERS.map(answer),
  ...HOSTILE_VALUES.map(answer),
  hostile(HOSTILE_KEYS.name, HOSTILE_KEYS.make, HOSTILE_KEYS.read, { from: 1000, upTo: 32_000 }),
  words('records in a text: braces and quotes', (n) => '{"a":"'.repeat(n / 6), recordsIn),
  words('records in a text: escapes', (n) => `{"${'\\'.repeat(n)}`, recordsIn),
  words('records in a text: names without quotes', (n) => `{${'a '.repeat(n / 2)}`, looseJson),
  words('records in a text: commas and blanks', (n) => `[${`,${' '.repeat(30)}`.repeat(n / 31)}`, looseJson),
  prediction('the same id again and again', () => '{"id":"a","prediction":[1,2]}'),
  prediction('ids without end', (i) => `{"id":"${i}","prediction":[1,2]}`),
  prediction('ids that look alike', (i) => `{"id":"${'a'.repeat(200)}${i}","prediction":1}`, 16_384),
  prediction('no JSON', () => '{"id"'),
  prediction('names of objects', () => '{"id":"__proto__","constructor":{"a":1}}'),
  prediction('empty lines', () => ''),
  hostile(
    'predictions: one line without an end',
    (n, place) => {
      const path = join(place, 'lines.jsonl');
      writeFileSync(path, `{"id":"${'x'.repeat(n)}`);
      return path;
    },
    (path) => [...textLines(path)].length,
    { from: 1_000_000, upTo: 60_000_000 },
  ),
  hostile(
    'predictions: one deep line',
    (n, place) => {
      const path = join(place, 'lines.jsonl');
      writeFileSync(path, `{"id":"a","prediction":${'['.repeat(n)}${']'.repeat(n)}}\n`);
      return path;
    },
    checked,
    { upTo: 400_000 },
  ),
  lines(
    'predictions that are gone on with: ids without end',
    (i) => `{"id":"${i}","prediction":1}`,
    (path) => {
      openPredictionLog(path, {
        schema: PREDICTIONS_SCHEMA,
        version: 1,
        model: 'm',
        prompts: null,
        dataset: null,
        aid: null,
      }).close();
    },
  ),
  lines(
    'answers that were kept: no answer',
    () => '{"key":"a"}',
    (path) => openCache(path),
  ),
  lines(
    'cases: no case',
    (i) => `{"id":"${i}"}`,
    (path) =>
      findCases(path, { only: 'all', kind: null, software: null, least: 0, most: 1, text: '', order: 'file' }, 0, 5),
  ),
  lines(
    'scores by a critic: no case',
    (i) => `{"id":"${i}"}`,
    (path) => readVerdicts(path, scored(join(path, '..'))),
  ),
  lines(
    'elements by a detector: of no question',
    (i) => `{"id":"${i}","elements":[]}`,
    (path) => readAidsFile(path, [{ id: 'a', picture: 'p', width: 9, height: 9 }]),
  ),
  reply('no JSON', 'application/json', (n) => '{'.repeat(n)),
  reply('choices without end', 'application/json', (n) => `{"choices":[${'{},'.repeat(n / 3)}{}]}`),
  reply('a deep answer', 'application/json', (n) => `${'['.repeat(n)}${']'.repeat(n)}`),
  reply('an event without an end', STREAM, (n) => `data: ${'x'.repeat(n)}`),
  reply('events without end', STREAM, (n) => 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n'.repeat(n / 48)),
  reply('empty events', STREAM, (n) => 'data:\n'.repeat(n / 6)),
  reply('events that are no JSON', STREAM, (n) => 'data: {\n'.repeat(n / 8)),
  reply('line ends', STREAM, (n) => '\r\n'.repeat(n / 2)),
  hostile(
    'endpoint: the body of an error',
    (n) => 'e '.repeat(n / 2),
    (text) => readBeginning(new Response(text), 65_536),
    { upTo: 4_000_000 },
  ),
  words('endpoint: when to come again, digits', (n) => '1'.repeat(n), retryAfter),
  words('endpoint: when to come again, blanks', (n) => `1${' '.repeat(n)}x`, retryAfter),
  words(
    'tesseract: rows of one line',
    (n) => `h\n${'5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t90\ta\n'.repeat(n / 26)}`,
    (table) => textsOf(table, 1),
  ),
  words(
    'tesseract: a row of tabs',
    (n) => `h\n5${'\t'.repeat(n)}`,
    (table) => textsOf(table, 1),
  ),
];
