import { truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ColumnChunk, parquetMetadata } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolders } from '../../../store/recording-for-tests.ts';
import { makeTasks } from '../example-for-tests.ts';
import { exportVideogui } from '../export-for-tests.ts';
import { validateApart } from './apart.ts';

/** Exports that are made to end who reads them. */

const MID = 'VideoGUI-Mid-Plan/data/mid_plan-00000-of-00001.parquet';
const folders = temporaryFolders();
afterAll(folders.clean);
let dir: string;

beforeAll(async () => {
  const root = folders.make();
  dir = path.join(root, 'export');
  const formats = ['parquet', 'jsonl'];
  await exportVideogui(await makeTasks(path.join(root, 'stills')), dir, { toolVersion: '0.1.0', filters: {}, formats });
});

/** In the place of a column's first page, one of thirty bytes that says the same of a thousand million rows. */
async function bomb(): Promise<void> {
  const file = path.join(dir, MID);
  const bytes = await readFile(file);
  const metadata = parquetMetadata(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const { columns } = metadata.row_groups[0]!;
  const largest = columns.reduce((most, one) => (sizeOf(one) > sizeOf(most) ? one : most));
  const levels = [0xfe, 0xff, 0xff, 0xff, 0x07, 1];
  const values = 2 ** 30;
  const page = { num_values: values, num_nulls: 0, num_rows: values, encoding: 'PLAIN', is_compressed: false } as const;
  const writer = new ByteWriter();
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.length,
    compressed_page_size: levels.length,
    data_page_header_v2: { ...page, definition_levels_byte_length: levels.length, repetition_levels_byte_length: 0 },
  });
  writer.appendBytes(Uint8Array.from(levels));
  bytes.set(writer.getBytes(), Number(largest.meta_data!.data_page_offset));
  writeFileSync(file, bytes);
}
const sizeOf = ({ meta_data }: ColumnChunk): bigint => meta_data!.total_compressed_size;

test('a sound export is read as by validateExport, and one file that uses up all memory ends its own process alone', async () => {
  expect(await validateApart('videogui', dir)).toMatchObject({ ok: true, problems: [] });
  await expect(validateApart('coco', path.join(dir, 'nowhere'))).rejects.toMatchObject({ code: 'BAD_FILE' });
  await bomb();
  await expect(validateApart('videogui', dir, { memoryMb: 200 })).rejects.toMatchObject({
    code: 'BAD_FILE',
    message: expect.stringContaining('cannot be read back'),
  });
});

test('a line without an end is a fault of its file', async () => {
  const folder = folders.make();
  writeFileSync(path.join(folder, 'agentnet.jsonl'), '');
  truncateSync(path.join(folder, 'agentnet.jsonl'), 600_000_000);
  writeFileSync(path.join(folder, 'manifest.json'), '{}');
  const { problems } = await validateApart('agentnet', folder);
  expect(problems).toContainEqual(
    expect.objectContaining({ code: 'MANIFEST_BAD', message: expect.stringMatching(/^schema: .{5,90}$/) }),
  );
  expect(problems).toContainEqual(expect.objectContaining({ code: 'JSONL_BAD', file: 'agentnet.jsonl' }));
});

test('stopped, it ends at once', async () => {
  const control = new AbortController();
  const reading = validateApart('videogui', dir, { signal: control.signal });
  control.abort(new Error('stopped'));
  await expect(reading).rejects.toThrow('stopped');
});
