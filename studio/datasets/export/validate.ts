import { stat } from 'node:fs/promises';
import type { FormatName } from '../../../core/export/formats.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { listStrangers, listTargetFiles } from './target.ts';
import { checkCard, checkFiles, explainedBy } from './validate/files.ts';
import { checkAtif } from './validate/formats/atif.ts';
import { checkDatasetInfo, checkLlamaFactory, checkMsSwift } from './validate/formats/chat.ts';
import { checkGroundcua, checkVideocua } from './validate/formats/cua-suite.ts';
import { checkCuaVerifierBench } from './validate/formats/cua-verifier.ts';
import { checkCoco, checkImagefolder, checkScreenspot, checkScreenspotPro } from './validate/formats/grounding.ts';
import { checkLerobot } from './validate/formats/lerobot.ts';
import { checkOsworld } from './validate/formats/osworld.ts';
import { checkAgentnet, checkAgentnetBench, checkOpencua } from './validate/formats/trajectories.ts';
import { checkVideogui } from './validate/formats/videogui.ts';
import { checkWebdataset } from './validate/formats/webdataset.ts';
import { type Problem, reportInto } from './validate/problems.ts';
import { type CheckedFolder, picturesIn } from './validate/reading.ts';
import { foldersToCheck, splitFoldersOf } from './validate/splits.ts';

export type Validation = {
  /** No problem was found. */
  ok: boolean;
  problems: Problem[];
  /** Rows as read back, by part and data set. */
  counts: Record<string, number>;
};

/** Reads a format back; gives the rows by part, under the names of the manifest's counts. */
type FormatCheck = (check: CheckedFolder) => Promise<Record<string, number>>;

const CHECKS: Readonly<Record<FormatName, FormatCheck>> = {
  videogui: checkVideogui,
  agentnet: checkAgentnet,
  opencua: checkOpencua,
  agentnetbench: checkAgentnetBench,
  atif: checkAtif,
  osworld: checkOsworld,
  'ms-swift': checkMsSwift,
  llamafactory: checkLlamaFactory,
  screenspot: checkScreenspot,
  'screenspot-pro': checkScreenspotPro,
  coco: checkCoco,
  imagefolder: checkImagefolder,
  webdataset: checkWebdataset,
  'cua-verifier-bench': checkCuaVerifierBench,
  lerobot: checkLerobot,
  videocua: checkVideocua,
  groundcua: checkGroundcua,
};

/** Rows as read back; of each split's folder with its name before them, as the manifest has them. */
async function checkContents(format: FormatName, whole: CheckedFolder): Promise<Record<string, number>> {
  const folders = splitFoldersOf(format, whole.manifest, whole.found);
  if (folders === null) return CHECKS[format](whole);
  const counts: Record<string, number> = {};
  if (format === 'llamafactory') await checkDatasetInfo(whole, folders);
  for (const check of foldersToCheck(whole, folders)) {
    for (const [name, count] of Object.entries(await CHECKS[format](check))) {
      // Before manifests named the folders, pictures were counted together.
      const together = name === 'images' && whole.manifest !== null && !whole.manifest.splitFolders;
      const key = together ? name : `${check.split}/${name}`;
      counts[key] = (counts[key] ?? 0) + count;
    }
  }
  return counts;
}

/** In every manifest; not read back from rows. */
const FIGURES: ReadonlySet<string> = new Set(['tasks', 'subtasks', 'actions']);

/**
 * Reads an export back from its files and reports everything that is wrong in it: files against the manifest, every row and
 * picture, and what rows say about each other. Uses none of the writer's code for reading.
 * Throws BAD_FILE only when `dir` is no folder, CANCELLED.
 */
export async function validateExport(format: FormatName, dir: string, signal?: AbortSignal): Promise<Validation> {
  const folder = await stat(dir).catch(() => null);
  if (!folder?.isDirectory()) {
    throw new StudioError('BAD_FILE', `${dir} is not a folder. Name the folder of an export.`, { dir });
  }
  const problems: Problem[] = [];
  const report = reportInto(problems);
  const found = await listTargetFiles(dir);
  const manifest = await checkFiles(dir, found, report);
  // Without a manifest the folder may be anything: naming what does not belong there would only bury the reason.
  for (const name of manifest ? await listStrangers(dir) : []) {
    report('FILE_UNLISTED', name, '', 'it is a link or a device, not a file; nothing follows it');
  }
  if (manifest && manifest.format !== format) {
    report('FORMAT_OTHER', 'manifest.json', '', `this is an export of ${manifest.format}, not of ${format}`);
    return { ok: false, problems, counts: {} };
  }
  for (const name of found) if (/(^|\/)README\.md$/.test(name)) await checkCard(dir, name, found, report);
  const present = new Set(found);
  const whole: CheckedFolder = {
    dir,
    found,
    has: (name) => present.has(name),
    report,
    manifest,
    explained: explainedBy(manifest),
    pictures: picturesIn(dir, found, signal),
    split: null,
    inSplit: () => undefined,
    signal,
  };
  const counts = await checkContents(format, whole);
  if (manifest) {
    for (const [name, count] of Object.entries(counts)) {
      const expected = manifest.counts[name];
      if (expected === count) continue;
      report('COUNT_WRONG', name, '', `${count} read back, the manifest says ${expected ?? 'nothing'}`);
    }
    for (const name of Object.keys(manifest.counts)) {
      if (name in counts || FIGURES.has(name)) continue;
      report('COUNT_WRONG', name, '', `nothing read back, the manifest says ${manifest.counts[name]}`);
    }
  }
  return { ok: problems.length === 0, problems, counts };
}
