import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** For all tests of a file, a temporary folder of its own in TMPDIR: what other processes put beside it is not seen. */
export function ownTempFolder(): { readonly path: string } {
  const before = process.env.TMPDIR;
  const own = { path: '' };
  beforeAll(() => {
    own.path = mkdtempSync(join(tmpdir(), 'stages-'));
    process.env.TMPDIR = own.path;
  });
  afterAll(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(own.path, { recursive: true, force: true });
  });
  return own;
}
