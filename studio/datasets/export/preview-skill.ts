import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SKILL_FILE } from '../../../core/skill/rules.ts';
import type { SkillPreview, SkillRequest } from '../../../schemas/api/skills.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { readBoundedIn } from '../../files/bounded.ts';
import type { Workspace } from '../../store/workspace.ts';
import { runSkills } from './exports.ts';
import type { WrittenSkill } from './skill.ts';
import { type SkillValidation, validateSkills } from './validate/skill.ts';

/** The largest SKILL.md that is shown, bytes; fewer than 500 lines are its rule. */
const MOST_SHOWN = 4_000_000;

type WrittenAndRead = { skill: WrittenSkill; problems: SkillValidation['problems'] };

/**
 * A skill as it would be written: it is written into a temporary folder, read back by the validator, and removed, so that what
 * is shown is what goes out. Throws what exportSkills throws.
 */
export async function previewSkill(
  workspace: Workspace,
  wishes: SkillRequest,
  signal?: AbortSignal,
): Promise<SkillPreview> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-skill-'));
  try {
    const out = join(folder, 'skills');
    const { skill, problems } = await writeOneSkill(workspace, wishes, out, signal);
    const document = readBoundedIn(join(out, skill.name), SKILL_FILE, MOST_SHOWN).toString('utf8');
    const { name, steps, pictures, recordings, inputs, leftOutSteps, withheld, proof } = skill;
    return { name, document, steps, pictures, recordings, inputs, leftOut: leftOutSteps, withheld, proof, problems };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the one skill of these recordings into the folder `out`, and reads it back. Throws what exportSkills throws. */
export async function writeOneSkill(
  workspace: Workspace,
  { recordings, name }: SkillRequest,
  out: string,
  signal?: AbortSignal,
): Promise<WrittenAndRead> {
  const [skill] = await runSkills(workspace, out, { recordings, name, progress: () => undefined, signal });
  // Where there is none, runSkills has said why.
  if (!skill) throw new StudioError('NOTHING_TO_EXPORT', 'No skill can be made of these recordings.', {});
  return { skill, problems: validateSkills(out).problems };
}
