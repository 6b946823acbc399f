import { plural } from '../../../../core/words.ts';
import { whyNot } from '../../../../schemas/errors.ts';
import { type ExportManifest, exportManifestSchema } from '../../../../schemas/export.ts';
import { hashFile } from '../target.ts';
import { wholeText } from './bounds.ts';
import type { Report } from './problems.ts';

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
      report('FILE_CHANGED', expected.path, '', `${plural(actual.bytes, 'byte')}, the manifest says ${expected.bytes}`);
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
    return exportManifestSchema.parse(JSON.parse(wholeText(dir, MANIFEST)));
  } catch (error) {
    report('MANIFEST_BAD', MANIFEST, '', whyNot(error));
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

/**
 * The card's `configs`: there when anything can be loaded, and each path names files that are here. A loader as strict as
 * Hugging Face's takes one kind of file a card.
 */
export async function checkCard(dir: string, card: string, found: readonly string[], report: Report): Promise<void> {
  let text: string;
  try {
    text = wholeText(dir, card);
  } catch (error) {
    report('CARD_BAD', card, '', whyNot(error));
    return;
  }
  const folder = card.slice(0, card.lastIndexOf('/') + 1);
  const front = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '';
  const paths = [...front.matchAll(/^ +path: "(.+)"$/gm)].map((match) => folder + match[1]);
  const endings = new Set<string>();
  for (const pattern of paths) {
    const fits = globRule(pattern);
    const names = found.filter((name) => fits.test(name));
    if (names.length === 0)
      report('CARD_BAD', card, '', `its path "${pattern}" names no file: load_dataset would fail`);
    for (const name of names) if (!/\.(png|jpe?g)$/.test(name)) endings.add(name.slice(name.lastIndexOf('.')));
  }
  const kinds = [...endings].map((ending) => (ending === '.jsonl' ? '.json' : ending));
  if (new Set(kinds).size > 1) {
    report(
      'CARD_BAD',
      card,
      '',
      `its configs name ${kinds.sort().join(' and ')} files: a loader takes one kind a card`,
    );
  }
}

/** `*` within a folder, `**` whatever follows. */
function globRule(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('**', '\u0000').replaceAll('*', '[^/]*').replaceAll('\u0000', '.*')}$`);
}
