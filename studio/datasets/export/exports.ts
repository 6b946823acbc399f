import { join } from 'node:path';
import { CUA_VERIFIER_BENCH } from '../../../core/export/cua-verifier/log.ts';
import { type FormatName, findFormat } from '../../../core/export/formats.ts';
import {
  type ExportPreview,
  type ExportWishes,
  type PastExport,
  pastExportSchema,
} from '../../../schemas/api/datasets.ts';
import { errorBody, StudioError } from '../../../schemas/errors.ts';
import { withoutEndSlashes } from '../../files/blobs/blobs.ts';
import { isS3 } from '../../files/blobs/open.ts';
import { pathExists } from '../../files/folder.ts';
import { currentKeyframes, plannedKeyframes } from '../../recordings/stills.ts';
import { notedExports, noteValidation } from '../../store/exports.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type CollectOptions, collectExport } from '../collect.ts';
import { exportSource } from '../source.ts';
import { type FormatRequest, formatOf, requestOf } from './formats.ts';
import { previewExport } from './preview.ts';
import { type ExportFilters, type ExportProgress, type ExportResult, exportFormats } from './run.ts';
import { exportSkills, type SkillWishes, type WrittenSkill } from './skill.ts';
import { validateApart } from './validate/apart.ts';
import type { Validation } from './validate.ts';

/** Exports of a workspace: what would be written, writing it, and what was written before. */

type ExportTools = {
  toolVersion: string;
  signal?: AbortSignal | undefined;
  report?(share: number, message: string): void;
  /** The same by tasks. */
  onProgress?(progress: ExportProgress): void;
};

/** Throws UNKNOWN_FORMAT, USAGE. */
export function requestsOf({ formats }: Pick<ExportWishes, 'formats'>): FormatRequest[] {
  const twice = formats.find(({ name }, at) => formats.findIndex((other) => other.name === name) !== at);
  if (twice) throw new StudioError('USAGE', `The format ${twice.name} is named twice.`, { format: twice.name });
  return formats.map(({ name, parts, options }) => requestOf(name, { parts, ...(options && { options }) }));
}

/**
 * A version goes out as it was frozen, in whatever state its recordings were: that is what its name stands for. Nobody approves
 * runs: their checks say what came of them.
 */
const everyState = ({ all, source }: Pick<ExportWishes, 'all' | 'source'>): boolean => all || source.kind !== 'filter';

/** Formats that tell what judges and single people say. */
const TELLS_WORDS: ReadonlySet<string> = new Set<FormatName>([CUA_VERIFIER_BENCH]);
const needsWords = (requests: readonly FormatRequest[]): boolean =>
  requests.some(({ format }) => TELLS_WORDS.has(format.name));

/** The content of an export before it is written, as far as `mask` lets it be seen. Stills that are not cut yet count as there: an export cuts them. */
export async function previewOf(
  workspace: Workspace,
  wishes: ExportWishes,
  { signal, mask }: Pick<CollectOptions, 'signal' | 'mask'> = {},
): Promise<ExportPreview> {
  const requests = requestsOf(wishes);
  const { recordings, proof, steps } = wishes;
  const all = everyState(wishes);
  const source = await exportSource(workspace, wishes.source, {
    all,
    recordings,
    proof,
    steps,
    said: needsWords(requests),
    keyframes: plannedKeyframes,
    moved: 'planned',
    signal,
    mask,
  });
  return previewExport(source, requests, { all, proof, steps, signal });
}

/** Writes and notes it. Throws what exportFormats and exportSource throw. */
export async function runExport(
  workspace: Workspace,
  wishes: ExportWishes,
  out: string,
  { toolVersion, signal, report, onProgress }: ExportTools,
): Promise<ExportResult[]> {
  const requests = requestsOf(wishes);
  const { recordings, proof, steps, source: wanted } = wishes;
  const all = everyState(wishes);
  const filters: ExportFilters = {
    ...(all ? { all } : { states: ['approved' as const] }),
    ...(recordings === 'every' && { recordings }),
    ...(proof && { proof }),
    ...(steps && { steps }),
    ...(wanted.kind === 'version' ? { version: wanted.name } : filterNote(wanted)),
  };
  const said = needsWords(requests);
  const options = { all, recordings, proof, steps, said, keyframes: currentKeyframes, signal };
  const source = await exportSource(workspace, wanted, options);
  const write = (folder: string): Promise<ExportResult[]> =>
    exportFormats(source, folder, requests, {
      toolVersion,
      filters,
      signal,
      onProgress: onProgress ?? (({ done, total, step }) => report?.(total === 0 ? 0 : done / total, step)),
    });
  // Not noted: the list of exports is of folders of this machine, which can be read back.
  if (isS3(out)) return await runToBucket(workspace, out, write, signal);
  const results = await write(out);
  try {
    for (const { format, out: folder, counts } of results)
      await workspace.noteExport({ format, folder, filters, counts });
  } catch (error) {
    const { code, message, details } = errorBody(error);
    const text = `${out} is written and whole, but the list of exports does not name all of it: ${message}`;
    throw new StudioError(code, text, details, { cause: error });
  }
  return results;
}

async function runToBucket(
  { exportsDir }: Workspace,
  out: string,
  write: (folder: string) => Promise<ExportResult[]>,
  signal: AbortSignal | undefined,
): Promise<ExportResult[]> {
  const { writeToBucket } = await import('./to-bucket.ts');
  const results = await writeToBucket(out, exportsDir, write, signal);
  const place = withoutEndSlashes(out);
  return results.map((result) => ({ ...result, out: results.length > 1 ? `${place}/${result.format}` : place }));
}

/** Writes skills of these recordings, in whatever state they are. Throws what exportSkills throws. */
export async function runSkills(workspace: Workspace, out: string, wishes: SkillWishes): Promise<WrittenSkill[]> {
  const source = await collectExport(workspace, {
    all: true,
    recordings: 'every',
    only: new Set(wishes.recordings),
    keyframes: currentKeyframes,
    signal: wishes.signal,
  });
  return exportSkills(source, out, wishes);
}

function filterNote({ kind, filter }: Exclude<ExportWishes['source'], { kind: 'version' }>): object {
  if (kind === 'runs') return { runs: filter };
  return Object.keys(filter).length > 0 ? { filter } : {};
}

/** The newest first. */
export async function listExports({ store }: Pick<Workspace, 'store'>): Promise<PastExport[]> {
  const noted = await notedExports(store);
  const areThere = await Promise.all(noted.map(({ folder }) => pathExists(folder)));
  return noted.map((row, at) => {
    const filters: unknown = JSON.parse(row.filters);
    const version: unknown = typeof filters === 'object' && filters !== null ? Reflect.get(filters, 'version') : null;
    return pastExportSchema.parse({
      id: row.id,
      format: row.format,
      folder: row.folder,
      exists: areThere[at],
      version: typeof version === 'string' ? version : null,
      counts: JSON.parse(row.counts),
      createdAt: row.created_at,
      validation: row.validation === null ? null : JSON.parse(row.validation),
    });
  });
}

/** Throws UNKNOWN_FILE for an export that is not noted, and one whose format is no longer known. */
export async function getExport(workspace: Pick<Workspace, 'store'>, id: string): Promise<PastExport> {
  const found = (await listExports(workspace)).find((one) => one.id === id);
  if (found && findFormat(found.format)) return found;
  throw new StudioError('UNKNOWN_FILE', `There is no export "${id.slice(0, 60)}" in this workspace.`, {
    export: id.slice(0, 60),
  });
}

const MOST_PROBLEMS = 200;

/** Reads a noted export back and notes what was found. Throws UNKNOWN_FILE, BAD_FILE when its folder is gone, CANCELLED. */
export async function checkExport(
  workspace: Pick<Workspace, 'store'>,
  id: string,
  signal?: AbortSignal | undefined,
): Promise<Validation> {
  const { format, folder } = await getExport(workspace, id);
  const found = await validateApart(formatOf(format).name, folder, { signal });
  const validation: PastExport['validation'] = {
    at: new Date().toISOString(),
    ok: found.ok,
    problems: found.problems.slice(0, MOST_PROBLEMS).map(({ code, file, where, message }) => ({
      code,
      file,
      where,
      message,
    })),
    count: found.problems.length,
  };
  await noteValidation(workspace.store, id, validation);
  return found;
}

/** A folder for a new export that is not there yet. */
export async function suggestOut({ exportsDir }: Pick<Workspace, 'exportsDir'>): Promise<string> {
  for (let n = 1; ; n++) {
    const out = join(exportsDir, `export-${n}`);
    if (!(await pathExists(out))) return out;
  }
}
