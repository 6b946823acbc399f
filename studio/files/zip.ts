import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';

/** A ZIP archive, as office documents are: its list at once, a file of it when it is asked for. */

/** The largest file that is unpacked, bytes: a sheet of a million cells. All that are read together: a thousand may share their bytes. */
const MOST_PART = 32_000_000;
const MOST_PARTS = 3 * MOST_PART;
const MOST_ENTRIES = 20_000;

/** `names`: of its files, without its folders. */
export type Zip = { names: readonly string[]; read(name: string): Promise<Buffer | null> };

/** Reads the list of a ZIP's files. Rejects with an Error whose message is a part of a sentence. */
export async function readZip(bytes: Buffer): Promise<Zip> {
  const entries = new Map<string, Entry>();
  const zip = await opened(bytes);
  try {
    for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
  } catch (error) {
    throw new Error(`its list of files is damaged (${wordsOf(error)})`);
  }
  let left = MOST_PARTS;
  return {
    names: [...entries.keys()],
    read: async (name) => {
      const entry = entries.get(name);
      if (!entry) return null;
      const part = await readEntry(zip, entry, Math.min(left, MOST_PART));
      left -= part.length;
      return part;
    },
  };
}

async function opened(bytes: Buffer): Promise<ZipFile> {
  let zip: ZipFile;
  try {
    zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  } catch (error) {
    const why = wordsOf(error);
    throw new Error(
      /end of central directory/i.test(why) ? 'it is no ZIP archive, as such documents are' : `it is damaged (${why})`,
    );
  }
  if (zip.entryCount > MOST_ENTRIES) throw new Error('it holds too many files');
  return zip;
}

async function readEntry(zip: ZipFile, entry: Entry, most: number): Promise<Buffer> {
  const name = entry.fileName.slice(0, 80);
  if (entry.isEncrypted()) throw new Error('it is locked with a password');
  if (!entry.canDecodeFileData()) throw new Error(`its part ${name} is packed in an unknown way`);
  // The stream ends with an error where there is more in it than the list says.
  if (entry.uncompressedSize > most)
    throw new Error(
      `its part ${name} is larger than ${MOST_PART / 1e6} MB unpacked, or all its parts than ${MOST_PARTS / 1e6} MB`,
    );
  try {
    return await wholeOf(await zip.openReadStreamPromise(entry));
  } catch (error) {
    throw new Error(`its part ${name} is damaged (${wordsOf(error)})`);
  }
}

async function wholeOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer); // Of bytes, as it has no encoding.
  return Buffer.concat(chunks);
}

const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '').slice(0, 120);
