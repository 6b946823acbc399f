import { sep } from 'node:path';
import { expect, test } from 'vitest';
import { StudioError } from '../../schemas/errors.ts';
import { toldAnswer, toldError, withoutPlaces } from './told.ts';

const FOLDER = `${sep}srv${sep}lab`;
const told = withoutPlaces(FOLDER);
const WHERE = 'postgres://studio@10.0.0.9:5432/lab';

test.each([
  [`Wrote ${FOLDER}${sep}exports${sep}a.tar (1 MB)`, `Wrote exports${sep}a.tar (1 MB)`],
  [`${FOLDER} is no workspace`, 'lab is no workspace'],
  [
    `The database ${WHERE} does not answer (ECONNREFUSED). Check it.`,
    'The database does not answer (ECONNREFUSED). Check it.',
  ],
  [`The disk of the database ${WHERE}. Free some.`, 'The disk of the database. Free some.'],
  [`${WHERE}: no such database`, ': no such database'],
  [`"postgresql://a:b@[::1]:5432/x?sslmode=require", and more`, '"", and more'],
  [
    'A text holds the character 0, which PostgreSQL keeps in no text.',
    'A text holds the character 0, which PostgreSQL keeps in no text.',
  ],
])('%s', (text, expected) => {
  expect(told(text)).toBe(expected);
});

test('an answer keeps its form, and is the same where it names no place', async () => {
  const plain = { rows: [{ id: 'a', n: 1, none: null, left: undefined }], on: true };
  expect(toldAnswer(plain, told)).toBe(plain);
  const date = new Date(0);
  const given = { rows: [{ id: 'a', at: date, path: `${FOLDER}${sep}x` }, plain], text: FOLDER };
  expect(toldAnswer(given, told)).toEqual({ rows: [{ id: 'a', at: date, path: 'x' }, plain], text: 'lab' });
  const stream = toldAnswer(
    (async function* () {
      yield given;
      yield plain;
    })(),
    told,
  );
  const all: unknown[] = [];
  for await (const one of stream) all.push(one);
  expect(all).toEqual([{ rows: [{ id: 'a', at: date, path: 'x' }, plain], text: 'lab' }, plain]);
});

test('an error says what and what to do, not where', () => {
  const details = { database: WHERE, reason: '08006', root: `${FOLDER}${sep}recordings` };
  const error = toldError(new StudioError('UNREACHABLE', `The database ${WHERE} is away.`, details), told);
  expect(error.toBody()).toEqual({
    code: 'UNREACHABLE',
    message: 'The database is away.',
    details: { reason: '08006', root: 'recordings' },
  });
});
