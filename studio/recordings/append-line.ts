import { open } from 'node:fs/promises';
import { hasFile, placeIn, readIn } from '../files/inside.ts';

/** Adds a line to a file of lines in `folder`, after one that a kill cut on a line of its own; on the disk when it is done. */
export async function appendLine(folder: string, name: string, line: object): Promise<void> {
  const torn = hasFile(folder, name) && readIn(folder, name).at(-1) !== 10;
  const file = await open(placeIn(folder, name), 'a', 0o600);
  try {
    await file.write(`${torn ? '\n' : ''}${JSON.stringify(line)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
