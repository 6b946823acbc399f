import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ScoredCase } from '../../schemas/evaluate.ts';

/** Cases as lines of a file that appears when all of them are in it. */
export type CaseFile = { add(scored: ScoredCase): void; commit(): void; discard(): void };

const FLUSH_CHARACTERS = 1 << 20;

export function caseFile(path: string): CaseFile {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`);
  const file = openSync(temporary, 'wx');
  let text = '';
  const flush = () => {
    for (let data = Buffer.from(text); data.length > 0; ) data = data.subarray(writeSync(file, data));
    text = '';
  };
  return {
    add(scored) {
      text += `${JSON.stringify(scored)}\n`;
      if (text.length > FLUSH_CHARACTERS) flush();
    },
    commit() {
      flush();
      fsyncSync(file);
      closeSync(file);
      renameSync(temporary, path);
    },
    discard() {
      closeSync(file);
      rmSync(temporary, { force: true });
    },
  };
}
