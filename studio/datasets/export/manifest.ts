import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ACTION_RULES_VERSION } from '../../../schemas/actions.ts';
import { EXPORT_SCHEMA, EXPORT_VERSION, type ExportManifest, exportManifestSchema } from '../../../schemas/export.ts';
import { KEYFRAME_RULES_VERSION } from '../../../schemas/recording.ts';
import { hashFile, type KnownHashes, listTargetFiles } from './target.ts';

const MANIFEST_FILE = 'manifest.json';

type ManifestParts = Pick<
  ExportManifest,
  | 'format'
  | 'parts'
  | 'options'
  | 'filters'
  | 'newestRecording'
  | 'splits'
  | 'splitFolders'
  | 'proof'
  | 'runs'
  | 'drafts'
  | 'terms'
  | 'counts'
  | 'leftOut'
> & { toolVersion: string };

/**
 * Hashes every file of the finished `folder` and writes manifest.json beside them. Holds no clock: bytes repeat. `known`
 * spares hashing a picture again that another format of the run shares.
 */
export async function writeManifest(
  folder: string,
  parts: ManifestParts,
  known: KnownHashes,
  onFile: () => void,
): Promise<ExportManifest> {
  const files = [];
  for (const name of await listTargetFiles(folder)) {
    onFile();
    files.push(await hashFile(folder, name, known));
  }
  const { toolVersion, ...rest } = parts;
  const manifest = exportManifestSchema.parse({
    schema: EXPORT_SCHEMA,
    version: EXPORT_VERSION,
    tool: { name: 'trajectory-studio', version: toolVersion },
    rules: { actions: ACTION_RULES_VERSION, keyframes: KEYFRAME_RULES_VERSION },
    ...rest,
    files,
  } satisfies ExportManifest);
  await writeFile(path.join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}
