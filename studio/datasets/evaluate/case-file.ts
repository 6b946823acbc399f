import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';
import type { ScoredCase } from '../../../schemas/evaluate.ts';

/** Cases as lines of a file that appears when all of them are in it. */
export type CaseFile = { add(scored: ScoredCase): void; commit(): void; discard(): void };

const FLUSH_CHARACTERS = 1 << 20;

/** Throws USAGE for a folder, before anything is scored or paid. */
export function caseFile(path: string): CaseFile {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new StudioError('USAGE', `${path} is a folder. Name the file that the cases are written into.`, {
      file: path,
    });
  }
  mkdirSync(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`);
  const file = openSync(temporary, 'wx');
  let text = '';
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
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
      close();
      renameSync(temporary, path);
    },
    discard() {
      // After a renaming that failed it is closed already; a second try would hide why.
      close();
      rmSync(temporary, { force: true });
    },
  };
}
