import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  AID_PROMPTS,
  FRAME_PROMPTS,
  PROMPT_NAMES,
  type PromptName,
  type Prompts,
  promptProblems,
} from '../../../core/evaluate/prompts.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Aid } from '../../../schemas/questions.ts';

const OWN = fileURLToPath(new URL('../../../assets/prompts', import.meta.url));

export type LoadedPrompts = {
  prompts: Prompts;
  /**
   * SHA-256 of the prompts for the models under test (with an aid's own, where one helps, and those for videos, where one is
   * shown by so many frames), and of the critic's.
   */
  questionsHash(aid: Aid | null, frames?: number | null): string;
  criticHash: string;
};

/**
 * The prompts: ours, and in their place those that the folder has (`click.txt`, `critic.txt`, …). Throws BAD_FILE naming
 * the file and the field that is missing or unknown.
 */
export function loadPrompts(folder: string | null): LoadedPrompts {
  const replaced = folder === null ? new Set<string>() : foundIn(folder);
  const read = (name: PromptName): string => {
    const file = join(replaced.has(`${name}.txt`) && folder !== null ? folder : OWN, `${name}.txt`);
    const text = readFileSync(file, 'utf8').replace(/\r\n?/g, '\n').trim();
    const problems = promptProblems(name, text);
    if (problems.length === 0) return text;
    throw new StudioError('BAD_FILE', `${file}: ${problems.join('; ')}. Mend the prompt or remove the file.`, { file });
  };
  const texts = PROMPT_NAMES.map((name) => [name, read(name)] as const);
  const aided = Object.values(AID_PROMPTS).flat();
  const usual = texts.filter(([name]) => name !== 'critic' && !aided.includes(name) && !FRAME_PROMPTS.includes(name));
  return {
    // Every name of PROMPT_NAMES was read.
    prompts: Object.fromEntries(texts) as Prompts,
    // Another number of frames is another question, as another prompt is.
    questionsHash: (aid, frames = null) =>
      hashOf([
        ...usual,
        ...texts.filter(([name]) => aid && AID_PROMPTS[aid].includes(name)),
        ...(frames === null ? [] : texts.filter(([name]) => FRAME_PROMPTS.includes(name))),
        ...(frames === null ? [] : [['frames', String(frames)] as const]),
      ]),
    criticHash: hashOf(texts.filter(([name]) => name === 'critic')),
  };
}

function foundIn(folder: string): Set<string> {
  if (!existsSync(folder)) {
    throw new StudioError(
      'USAGE',
      `The folder of prompts ${folder} does not exist. Give one that holds click.txt and the like.`,
      {
        folder,
      },
    );
  }
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  const known = PROMPT_NAMES.map((name) => `${name}.txt`);
  const strange = files.filter((name) => !known.some((one) => one === name));
  if (strange.length === 0 && files.length > 0) return new Set(files);
  const what = files.length === 0 ? 'holds no prompt' : `holds ${strange.join(', ')}, which replaces no prompt`;
  throw new StudioError('BAD_FILE', `${folder} ${what}. The names are: ${known.join(', ')}.`, { folder });
}

const hashOf = (texts: readonly (readonly [string, string])[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex');
