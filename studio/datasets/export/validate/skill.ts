import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseShallow } from '../../../../core/json-depth.ts';
import { SKILL_FILE, STEPS_FILE_OF_SKILL, skillProblems } from '../../../../core/skill/rules.ts';
import { checksSchema } from '../../../../schemas/checks.ts';
import { StudioError, whyNot } from '../../../../schemas/errors.ts';
import { recipeSchema } from '../../../../schemas/play.ts';
import { readBoundedIn } from '../../../files/bounded.ts';
import { hasFile } from '../../../files/inside.ts';

export type SkillValidation = {
  ok: boolean;
  skills: number;
  problems: { file: string; message: string }[];
};

/** The largest text of a skill, bytes. */
const MOST_TEXT = 4_000_000;

/** The schemas of files that a skill may hold beside its texts. */
const FILES = { 'checks.json': checksSchema, 'recipe.json': recipeSchema } as const;

/**
 * Reads a skill, or a folder of skills, back: the public rules of agent skills, and ours for what a demonstration's says. Throws
 * BAD_FILE where there is none.
 */
export function validateSkills(dir: string): SkillValidation {
  const folders = skillFolders(dir);
  const problems = folders.flatMap((folder) =>
    problemsOf(folder).map(({ file, why }) => ({
      file: path.relative(dir, path.join(folder, file)) || file,
      message: why,
    })),
  );
  return { ok: problems.length === 0, skills: folders.length, problems };
}

function skillFolders(dir: string): string[] {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch (error) {
    throw new StudioError('BAD_FILE', `${dir} cannot be read: ${whyNot(error)}. Check its path.`, { dir });
  }
  const root = path.resolve(dir);
  if (names.includes(SKILL_FILE)) return [root];
  const found = names
    .sort()
    .map((name) => path.join(root, name))
    .filter((folder) => hasFile(folder, SKILL_FILE));
  if (found.length > 0) return found;
  throw new StudioError('BAD_FILE', `${dir} holds no skill: neither it nor a folder in it has a ${SKILL_FILE}.`, {
    dir,
  });
}

function problemsOf(folder: string): { file: string; why: string }[] {
  const read = (name: string): string | null =>
    hasFile(folder, name) ? readBoundedIn(folder, name, MOST_TEXT).toString('utf8') : null;
  const problems = skillProblems({
    folder: path.basename(folder),
    skill: read(SKILL_FILE) ?? '',
    steps: read(STEPS_FILE_OF_SKILL),
    has: (file) => hasFile(folder, file),
  });
  for (const [file, schema] of Object.entries(FILES)) {
    const text = read(file);
    if (text === null) continue;
    try {
      schema.parse(parseShallow(text));
    } catch (error) {
      problems.push({ file, why: whyNot(error) });
    }
  }
  return problems;
}
