import { type ExportWishes, exportPreviewSchema } from '../../schemas/api/datasets.ts';
import type { SkillPreview, SkillRequest } from '../../schemas/api/skills.ts';
import { checkExport, previewOf, runExport } from '../datasets/export/exports.ts';
import { previewSkill, writeOneSkill } from '../datasets/export/preview-skill.ts';
import type { BackgroundTask, MadeFor } from './background-task.ts';

/** Exports, their previews, and skills. */

/** Checked, and as JSON in UTF-8, for an answer that is only passed on: of long recordings it is megabytes. */
export const preview: BackgroundTask<ExportWishes & MadeFor, Uint8Array<ArrayBuffer>> = async (
  workspace,
  { mask, ...wishes },
  { signal },
) => {
  const found = exportPreviewSchema.parse(await previewOf(workspace, wishes, { signal, mask }));
  return new TextEncoder().encode(JSON.stringify(found));
};

type ExportInput = { wishes: ExportWishes; out: string; toolVersion: string };
export const writeExport: BackgroundTask<ExportInput, { bytes: number }> = async (
  workspace,
  { wishes, out, toolVersion },
  tools,
) => {
  const results = await runExport(workspace, wishes, out, { toolVersion, ...tools });
  return { bytes: results.reduce((sum, result) => sum + result.bytes, 0) };
};

export const validate: BackgroundTask<{ id: string }, { ok: boolean; problems: number }> = async (
  workspace,
  { id },
  { signal },
) => {
  const { ok, problems } = await checkExport(workspace, id, signal);
  return { ok, problems: problems.length };
};

export const skill: BackgroundTask<SkillRequest, SkillPreview> = (workspace, wishes, { signal }) =>
  previewSkill(workspace, wishes, signal);

export const writeSkill: BackgroundTask<
  SkillRequest & { out: string },
  { name: string; problems: SkillPreview['problems'] }
> = async (workspace, { out, ...wishes }, { signal }) => {
  const written = await writeOneSkill(workspace, wishes, out, signal);
  return { name: written.skill.name, problems: written.problems };
};
