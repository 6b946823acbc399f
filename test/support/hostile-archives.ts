import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { padding, TAR_BLOCK, tarHeader } from '../../studio/files/tar.ts';
import { sampleRecording } from '../../studio/store/recording-for-tests.ts';

/** Archives as somebody with an account, and a program of their own, would send them. */

/**
 * `times`: its bytes so often, which are never held together. `head`: bytes of its header in the .tar that are others, by their
 * place; its checksum is right all the same.
 */
export type HostileEntry = {
  path: string;
  bytes: Buffer | string;
  times?: number;
  head?: readonly { at: number; bytes: string | Buffer }[];
};
type Wishes = {
  recordings: readonly string[];
  entries: readonly HostileEntry[];
  /** Changes what archive.json says. */
  manifest?: (said: { files: object[] }) => object;
};

/** Writes the archive to `file`, and gives its length in bytes. */
export function writeHostileArchive(file: string, { recordings, entries, manifest = (said) => said }: Wishes): number {
  const parts = entries.map(({ path: name, bytes, times = 1, head: other = [] }) => ({
    name,
    bytes: Buffer.from(bytes),
    times,
    other,
  }));
  const files = parts.map(({ name, bytes, times }) => {
    const hash = createHash('sha256');
    for (let n = 0; n < times; n++) hash.update(bytes);
    return { path: name, bytes: bytes.length * times, sha256: hash.digest('hex') };
  });
  const head = {
    schema: 'trajectory-studio/archive',
    version: 2,
    tool: { name: 'trajectory-studio', version: '0.1.0' },
    recordings,
    ...manifest({ files }),
  };
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const out = fs.openSync(file, 'w');
  try {
    fs.writeSync(out, tarHeader({ path: 'workspace/', size: 0, kind: 'folder' }));
    for (const { name, bytes, times, other } of [
      { name: 'archive.json', bytes: Buffer.from(JSON.stringify(head)), times: 1, other: [] },
      ...parts,
    ]) {
      const size = bytes.length * times;
      fs.writeSync(out, otherHeader(tarHeader({ path: `workspace/${name}`, size, kind: 'file' }), other));
      for (let n = 0; n < times; n++) fs.writeSync(out, bytes);
      fs.writeSync(out, Buffer.alloc(padding(size)));
    }
    fs.writeSync(out, Buffer.alloc(2 * TAR_BLOCK));
  } finally {
    fs.closeSync(out);
  }
  return fs.statSync(file).size;
}

function otherHeader(block: Buffer, other: NonNullable<HostileEntry['head']>): Buffer {
  for (const { at, bytes } of other) Buffer.from(bytes).copy(block, at);
  if (other.length > 0) {
    block.write('        ', 148, 'latin1');
    const sum = block.reduce((all, byte) => all + byte, 0);
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  }
  return block;
}

/** library.json of an archive that brings recordings alone. */
export const plainLibrary = (more: object = {}): HostileEntry => ({
  path: 'library.json',
  bytes: JSON.stringify({ software: [], tasks: [], recordings: [], attachments: [], ...more }),
});

/** The files of one recording; `events` is events.jsonl. */
export function recordingEntries(
  id: string,
  { events = '', times = 1, frames = '', more = [], recording = {} }: RecordingWishes = {},
): HostileEntry[] {
  const head = sampleRecording({ id, ...recording });
  return [
    { path: `recordings/${id}/recording.json`, bytes: JSON.stringify(head) },
    { path: `recordings/${id}/events.jsonl`, bytes: events, times },
    { path: `recordings/${id}/frames.jsonl`, bytes: frames },
    ...more.map((entry) => ({ ...entry, path: `recordings/${id}/${entry.path}` })),
  ];
}
type RecordingWishes = {
  events?: Buffer | string;
  times?: number;
  frames?: Buffer | string;
  more?: readonly HostileEntry[];
  recording?: Parameters<typeof sampleRecording>[0];
};
