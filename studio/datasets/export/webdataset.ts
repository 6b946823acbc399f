import { mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { LeftOut } from '../../../core/export/model.ts';
import { extension } from '../../../core/export/videogui/rows.ts';
import { webdatasetSamples } from '../../../core/export/webdataset/samples.ts';
import { append } from '../../../core/lists.ts';
import { padding, TAR_BLOCK, tarHeader } from '../../files/tar.ts';
import { refuseCancelled } from '../../store/jobs/cancelled.ts';
import { SHARD_BYTES } from './parquet.ts';
import type { FormatWriter, WriterContext } from './writer.ts';

/** Shards as WebDataset reads them (`shard-{000000..000011}.tar`): a step a sample, its files one behind the other. */

/** All shards, as the manifest counts their samples. */
export const SHARDS = 'shard-*.tar';
/** How the manifest counts pictures: by the ending that they have in a sample (`*.png`, `*.after.png`). */
export const PICTURES = '*';
const shardName = (index: number): string => `shard-${String(index).padStart(6, '0')}.tar`;

export async function openWebdataset(folder: string, context: WriterContext): Promise<FormatWriter> {
  const withAfter = context.options.after === 'yes';
  const limit = context.sizes.shardBytes ?? SHARD_BYTES;
  mkdirSync(folder, { recursive: true });
  const counts: Record<string, number> = { [SHARDS]: 0 };
  const leftOut: LeftOut[] = [];
  let shard: FileHandle | null = null;
  let shards = 0;
  let bytes = 0;
  /** The end of an archive: two empty blocks. */
  const close = async (): Promise<void> => {
    const ended = shard;
    shard = null;
    if (!ended) return;
    try {
      await ended.appendFile(Buffer.alloc(2 * TAR_BLOCK));
    } finally {
      await ended.close();
    }
  };
  const write = async (files: readonly [name: string, content: Buffer][]): Promise<void> => {
    const blocks = files.flatMap(([name, content]) => [
      tarHeader({ path: name, size: content.length, kind: 'file' }),
      content,
      Buffer.alloc(padding(content.length)),
    ]);
    const size = blocks.reduce((sum, { length }) => sum + length, 0);
    // A sample is never cut in two.
    if (shard && bytes + size > limit) await close();
    if (!shard) {
      shard = await open(path.join(folder, shardName(shards++)), 'wx');
      bytes = 0;
    }
    await shard.appendFile(Buffer.concat(blocks));
    bytes += size;
  };
  return {
    async add(task) {
      const made = webdatasetSamples(task, withAfter);
      append(leftOut, made.leftOut);
      for (const { key, sample, before, after } of made.samples) {
        refuseCancelled(context.signal);
        const files: [string, Buffer][] = [];
        for (const [role, picture] of [['', before] as const, ...(after ? [['.after', after] as const] : [])]) {
          const ending = `${role}${extension(picture.path)}`;
          const name = `${key}${ending}`;
          files.push([name, await context.pictures.read(picture.path, name)]);
          counts[PICTURES + ending] = (counts[PICTURES + ending] ?? 0) + 1;
          context.tick(name);
        }
        files.push([`${key}.json`, Buffer.from(`${JSON.stringify(sample)}\n`)]);
        await write(files);
        counts[SHARDS]!++;
      }
    },
    async finish() {
      await close();
      return { counts, leftOut };
    },
    abandon: close,
  };
}
