import type { Check, Checks } from '../../../schemas/checks.ts';
import { checksSchema } from '../../../schemas/checks.ts';
import { type Recipe, recipeSchema } from '../../../schemas/play.ts';
import type { Step } from '../../support/person.ts';

/** A demonstration of the bench: a task with its recipe and checks, and what the person does. */
export type Demonstration = {
  name: string;
  app: App;
  goal: string;
  recipe: Recipe;
  checks: Checks;
  /** Places are px of the screen. */
  steps: readonly Step[];
  /** The same stage with another word in the surroundings of a step's target, and the index of that step; null: that is not tried. */
  relabelled: { recipe: Recipe; step: number } | null;
  /** Index of the first step with which the program writes to the disk: on a full one it cannot; null: that is not tried. */
  saves: number | null;
};

const FIRST_APPS = ['gimp', 'mousepad', 'chromium', 'calc', 'writer', 'impress', 'inkscape'] as const;
const MORE_APPS = [
  'geany',
  'pluma',
  'zim',
  'kcalc',
  'gnumeric',
  'sqlitebrowser',
  'xournalpp',
  'evince',
  'thunar',
  'featherpad',
] as const;
const NEWEST_APPS = ['scite', 'kolourpaint'] as const;
export const APPS = [...FIRST_APPS, ...MORE_APPS, ...NEWEST_APPS] as const;
export type App = (typeof APPS)[number];

export const SCREEN = { width: 1280, height: 800 };
/** Leaves room for a window that is put 40 px further. */
export const PLACE = { x: 0, y: 0, width: 1200, height: 720 };

type Files = Recipe['files'];
type Program = { command: string; args: string[]; window: string; env?: Record<string, string> };

export const recipeOf = (files: Files, { command, args, window, env }: Program): Recipe =>
  recipeSchema.parse({
    schema: 'trajectory-studio/recipe',
    version: 1,
    screen: SCREEN,
    files,
    programs: [{ command, args, window, place: PLACE, ...(env && { env }) }],
  });

type CheckInput = { id: string; kind: Check['kind'] } & Record<string, unknown>;
export const checksOf = (...checks: CheckInput[]): Checks =>
  checksSchema.parse({ schema: 'trajectory-studio/checks', version: 1, checks });

/** A recipe whose files have one word instead of another; an attachment is another file. */
export function withWord(recipe: Recipe, from: string, to: string): Recipe {
  const files = recipe.files.map((file) => {
    if ('text' in file) return { ...file, text: file.text.replaceAll(from, to) };
    if (!('attachment' in file)) return file;
    return file.attachment === from ? { ...file, attachment: to } : file;
  });
  if (JSON.stringify(files) === JSON.stringify(recipe.files)) throw new Error(`no file of the recipe has “${from}”`);
  return { ...recipe, files };
}

/** Without a text beside a target that a fault could change, and nothing written to the disk. */
export const PLAIN = { relabelled: null, saves: null } as const;
