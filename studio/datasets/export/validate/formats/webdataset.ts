import { closeSync, fstatSync, readSync } from 'node:fs';
import path from 'node:path';
import { StudioError, whyNot } from '../../../../../schemas/errors.ts';
import { webdatasetSampleSchema } from '../../../../../schemas/export-grounding.ts';
import { openGiven } from '../../../../files/inside.ts';
import { padding, readTarHeader, TAR_BLOCK } from '../../../../files/tar.ts';
import { refuseCancelled } from '../../../../store/jobs/cancelled.ts';
import { MOST_PICTURE } from '../bounds.ts';
import { checkImage } from '../images.ts';
import type { PlaceReport } from '../problems.ts';
import { type CheckedFolder, fitting, parsedJson } from '../reading.ts';
import { checkStep } from '../step.ts';

/** A file in a shard. A sample's are those with the same text up to the first dot; `field` is what stands behind it. */
type Member = { key: string; field: string; name: string; bytes: Buffer };

/** The files of a .tar one after another. Throws StudioError or an Error that says why it cannot be read on. */
function* membersOf(file: string): Generator<Member> {
  const opened = openGiven(file);
  try {
    const { size } = fstatSync(opened);
    const take = (from: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      let filled = 0;
      for (let read = -1; read !== 0 && filled < length; filled += read)
        read = readSync(opened, bytes, filled, length - filled, from + filled);
      if (filled < length) throw new Error(`it ends at byte ${from + filled}, inside a file`);
      return bytes;
    };
    for (let at = 0; ; ) {
      if (at + TAR_BLOCK > size) throw new Error('it ends without an end mark');
      const entry = readTarHeader(take(at, TAR_BLOCK), at);
      at += TAR_BLOCK;
      if (entry === null) {
        if (at + TAR_BLOCK !== size || !take(at, TAR_BLOCK).every((byte) => byte === 0))
          throw new Error('something stands behind its end mark');
        return;
      }
      const name = entry.path;
      if (entry.kind !== 'file') throw new Error(`“${name.slice(0, 100)}” is a folder`);
      if (entry.size > MOST_PICTURE) throw new Error(`“${name.slice(0, 100)}” is too large for a picture`);
      const dot = name.indexOf('.');
      if (dot <= 0 || name.includes('/')) throw new Error(`“${name.slice(0, 100)}” has no key before a dot`);
      yield { key: name.slice(0, dot), field: name.slice(dot + 1), name, bytes: take(at, entry.size) };
      at += entry.size + padding(entry.size);
    }
  } finally {
    closeSync(opened);
  }
}

/** The files of each sample together, as a reader of the stream puts them. */
function* samplesIn(file: string): Generator<Member[]> {
  let sample: Member[] = [];
  for (const member of membersOf(file)) {
    if (sample.length > 0 && sample[0]!.key !== member.key) {
      yield sample;
      sample = [];
    }
    sample.push(member);
    // As many as a reader would hold of one key: else a shard of one key were held whole.
    if (sample.length > MOST_FIELDS) throw new Error(`more than ${MOST_FIELDS} files of it are called ${member.key}`);
  }
  if (sample.length > 0) yield sample;
}
const MOST_FIELDS = 8;

export async function checkWebdataset(check: CheckedFolder): Promise<Record<string, number>> {
  const shards = check.found.filter((name) => /^shard-\d{6}\.tar$/.test(name));
  const keys = new Set<string>();
  const counts: Record<string, number> = { 'shard-*.tar': 0 };
  for (const [index, file] of shards.entries()) {
    const wanted = `shard-${String(index).padStart(6, '0')}.tar`;
    if (file !== wanted) check.report('SHARD_NAME', file, '', `it should be ${wanted}: no number is left out`);
    try {
      for (const members of samplesIn(path.join(check.dir, file))) {
        refuseCancelled(check.signal);
        const { key } = members[0]!;
        const place: PlaceReport = (code, message) => check.report(code, file, key, message);
        if (keys.has(key)) place('ID_TWICE', 'a sample of this key stands here, or in a shard before, already');
        keys.add(key);
        for (const field of await checkSample(check, file, members, place)) {
          const name = `*.${field}`;
          counts[name] = (counts[name] ?? 0) + 1;
        }
        counts['shard-*.tar']!++;
      }
    } catch (error) {
      if (error instanceof StudioError && error.code === 'CANCELLED') throw error;
      check.report('SHARD_DAMAGED', file, '', whyNot(error));
    }
  }
  return counts;
}

const PICTURE = /^(?:after\.)?(?:png|jpe?g)$/;

/** Gives back the endings of its pictures. */
async function checkSample(
  check: CheckedFolder,
  file: string,
  members: readonly Member[],
  place: PlaceReport,
): Promise<string[]> {
  const { key } = members[0]!;
  const pictures = members.filter(({ field }) => PICTURE.test(field));
  const roles = pictures.map(({ field }) => (field.startsWith('after.') ? 'after' : 'before'));
  const wanted = check.manifest?.options.after === 'yes' ? 'before, after' : 'before';
  const texts = members.filter(({ field }) => field === 'json');
  const isWhole = texts.length === 1 && roles.join(', ') === wanted && members.length === pictures.length + 1;
  if (!isWhole)
    place(
      'MARKS_WRONG',
      `it has ${members.map(({ field }) => field).join(', ')}; not a picture of ${wanted}, and json`,
    );
  let size: { width: number; height: number } | null = null;
  for (const { name, field, bytes } of pictures) {
    const checked = await checkImage(bytes);
    if ('damage' in checked) place('IMAGE_DAMAGED', `${name}: ${checked.damage}`);
    else if (!field.startsWith('after.')) size = checked;
  }
  for (const { bytes } of texts) {
    const value = parsedJson(bytes.toString('utf8'), file, key, check.report);
    const sample = value === undefined ? undefined : fitting(value, webdatasetSampleSchema, file, key, check.report);
    if (!sample) continue;
    const { task_id, subtask_id, action_id } = sample;
    if (key !== `${task_id}_${subtask_id}_${action_id}`)
      place('REFERENCE_WRONG', `it is step ${task_id}/${subtask_id}/${action_id}, whose key is another`);
    checkStep(check, sample, size, place);
  }
  return pictures.map(({ field }) => field);
}
