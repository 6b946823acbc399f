import { mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';

/** A text file that grows while it is written; what is held in memory is bounded. */
export type TextFile = {
  write(text: string): Promise<void>;
  /** JSON Lines: one value a line. */
  line(value: unknown): Promise<void>;
  close(): Promise<void>;
};

/** Held before it goes to the disk, characters. */
const HELD = 1 << 16;

export async function openText(file: string): Promise<TextFile> {
  mkdirSync(path.dirname(file), { recursive: true });
  const handle: FileHandle = await open(file, 'wx');
  let held = '';
  const flush = async () => {
    const text = held;
    held = '';
    if (text !== '') await handle.appendFile(text);
  };
  const write = async (text: string) => {
    held += text;
    if (held.length >= HELD) await flush();
  };
  return {
    write,
    line: (value) => write(`${JSON.stringify(value)}\n`),
    async close() {
      try {
        await flush();
      } finally {
        await handle.close();
      }
    },
  };
}

/** A JSON list that is written item by item. */
export type JsonList = { add(value: unknown): Promise<void>; close(): Promise<void> };

/** `before` and `after` stand around the list, for one that is a member of an object. */
export async function openJsonList(file: string, before = '', after = ''): Promise<JsonList> {
  const text = await openText(file);
  await text.write(`${before}[`);
  let first = true;
  return {
    async add(value) {
      await text.write(`${first ? '\n' : ',\n'}${JSON.stringify(value)}`);
      first = false;
    },
    async close() {
      await text.write(`${first ? '' : '\n'}]${after}\n`);
      await text.close();
    },
  };
}
