import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { PREDICTIONS_SCHEMA, predictionsHeadSchema } from '../../../schemas/questions.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { openPredictionLog } from './prediction-log.ts';

const folders = temporaryFolders();
afterAll(() => folders.clean());
const HEAD = predictionsHeadSchema.parse({ schema: PREDICTIONS_SCHEMA, version: 1, model: 'a' });

test.runIf(process.platform !== 'win32')('a pipe in place of the lock is waited for by nobody', () => {
  const file = join(folders.make(), 'predictions.jsonl');
  execFileSync('mkfifo', [`${file}.lock`]);
  const log = openPredictionLog(file, HEAD);
  log.append({ id: 'one' });
  expect(log.has('one')).toBe(true);
  expect(() => openPredictionLog(file, HEAD)).toThrow(/is writing/);
  log.close();
});
