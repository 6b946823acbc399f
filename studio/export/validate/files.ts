import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ExportManifest, exportManifestSchema } from '../../../schemas/export.ts';
import { hashFile } from '../target.ts';
import { messageOf, type Report } from './problems.ts';

const MANIFEST = 'manifest.json';

/** Reads the manifest and holds every file against it; null (and a problem) when it cannot be read. */
export async function checkFiles(
  dir: string,
  found: readonly string[],
  report: Report,
): Promise<ExportManifest | null> {
  const manifest = await readManifest(dir, found, report);
  if (!manifest) return null;
  const listed = new Set(manifest.files.map((file) => file.path));
  for (const name of found) {
    if (name !== MANIFEST && !listed.has(name)) {
      report('FILE_UNLISTED', name, '', 'the manifest does not list this file');
    }
  }
  const present = new Set(found);
  for (const expected of manifest.files) {
    if (!present.has(expected.path)) {
      report('FILE_MISSING', expected.path, '', 'the manifest lists this file, it is not there');
      continue;
    }
    const actual = await hashFile(dir, expected.path);
    if (actual.bytes !== expected.bytes) {
      report('FILE_CHANGED', expected.path, '', `${actual.bytes} bytes, the manifest says ${expected.bytes}`);
    } else if (actual.sha256 !== expected.sha256) {
      report('FILE_CHANGED', expected.path, '', `its SHA-256 is ${actual.sha256}, not the manifest's`);
    }
  }
  return manifest;
}

async function readManifest(dir: string, found: readonly string[], report: Report): Promise<ExportManifest | null> {
  if (!found.includes(MANIFEST)) {
    report('MANIFEST_MISSING', MANIFEST, '', 'there is no manifest, so nothing says which files belong here');
    return null;
  }
  try {
    return exportManifestSchema.parse(JSON.parse(await readFile(path.join(dir, MANIFEST), 'utf8')));
  } catch (error) {
    report('MANIFEST_BAD', MANIFEST, '', messageOf(error));
    return null;
  }
}

/**
 * Whether the manifest says why `item` (`TASK/SUBTASK/ACTION`) is not in `part`: itself, or its subtask or task, is listed
 * as left out of that part or of everything.
 */
export function explainedBy(manifest: ExportManifest | null): (part: string, item: string) => boolean {
  const known = new Set((manifest?.leftOut ?? []).map(({ from, item }) => `${from} ${item}`));
  return (part, item) => {
    const names = item.split('/');
    return names.some((_, index) => {
      const upTo = names.slice(0, index + 1).join('/');
      return known.has(`${part} ${upTo}`) || known.has(`* ${upTo}`);
    });
  };
}
