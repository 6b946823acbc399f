import { isDeepStrictEqual } from 'node:util';
import { stageNameOf } from '../../../core/compositions/stages.ts';
import { looksAtElements } from '../../../core/play/checks.ts';
import type { Composition } from '../../../schemas/composition.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { type Recipe, recipeSchema } from '../../../schemas/play.ts';
import { RECIPE_VERSION } from '../../../schemas/recipe-version.ts';
import { checksOfTask } from '../../play/checks/checks-file.ts';
import { filesOfTask } from '../../play/recipe.ts';
import { copiesOf } from '../../play/stage/copies.ts';
import type { FileOf } from '../../play/stage/home.ts';
import { type SetStage, setStage } from '../../play/stage/set-stage.ts';
import type { Workspace } from '../../store/workspace.ts';

/**
 * One stage for all tasks of a composition, or for those of them that name it. The files of all recipes are there from the
 * beginning, since it is never set back; each task's programs are started when it begins.
 */

/** What one task needs of the stage. */
export type MemberStage = {
  member: string;
  /** The name of the stage of the composition that it is done on. */
  stage: string;
  task: string;
  recipe: Recipe;
  hasChecks: boolean;
  elements: boolean;
  fileOf: FileOf;
};

/** A task's recipe, given by who asks about it before it is run. Throws USAGE where it has none. */
export type RecipeFor = (task: string) => Promise<Recipe>;

/** Of every member, in the order in which they are done. Throws USAGE for one without a task or recipe; UNKNOWN_TASK, BAD_FILE. */
export async function stagesOfMembers(
  workspace: Workspace,
  composition: Composition,
  order: readonly string[],
  recipeFor: RecipeFor,
): Promise<MemberStage[]> {
  const all: MemberStage[] = [];
  for (const id of order) {
    const member = composition.members.find((one) => one.id === id);
    const task = member?.task ?? null;
    if (!member) continue;
    if (task === null)
      throw new StudioError('USAGE', `“${id}” is no task of the library yet, so it cannot be run. Name its task.`, {
        member: id,
      });
    const recipe = await recipeFor(task);
    const checks = await checksOfTask(workspace, task);
    const fileOf = await filesOfTask(workspace.store, workspace.dir, task);
    const stage = stageNameOf(composition, member);
    all.push({
      member: id,
      stage,
      task,
      recipe,
      hasChecks: checks !== null,
      elements: looksAtElements(checks),
      fileOf,
    });
  }
  return all;
}

/**
 * The recipes as one: all files and services, without programs. Of two files at one path the first task's stays, as its result would. `notes`:
 * what is not as a recipe wants it.
 */
export function commonRecipe(stages: readonly MemberStage[]): { recipe: Recipe; fileOf: FileOf; notes: string[] } {
  const notes: string[] = [];
  const files = new Map<string, { of: MemberStage; file: Recipe['files'][number] }>();
  const places = new Map<string, { stage: MemberStage; name: string }>();
  for (const stage of stages) {
    for (const file of stage.recipe.files) {
      // Several archives may be unpacked in one folder, which may be made before; of two files only one can be there.
      const isOne = !('unpack' in file || 'folder' in file);
      const place = isOne ? file.to : JSON.stringify([stage.task, file]);
      const there = files.get(place);
      if (!there) files.set(place, { of: stage, file });
      else if (there.of.task !== stage.task && !isDeepStrictEqual(there.file, file))
        notes.push(`${file.to} is that of “${there.of.member}”; the one of “${stage.member}” is not put there`);
    }
  }
  const put = [...files.values()].map(({ of, file }, n): Recipe['files'][number] => {
    if (!('attachment' in file)) return file;
    const attachment = `${n}`;
    places.set(attachment, { stage: of, name: file.attachment });
    return { ...file, attachment };
  });
  const services = new Map<string, { of: MemberStage; service: Recipe['services'][number] }>();
  for (const stage of stages) {
    for (const service of stage.recipe.services) {
      const there = services.get(service.name);
      if (!there) services.set(service.name, { of: stage, service });
      else if (!isDeepStrictEqual(there.service, service))
        notes.push(
          `the service ${service.name} is that of “${there.of.member}”; the one of “${stage.member}” is not started`,
        );
    }
  }
  const [first] = stages;
  const screens = stages.flatMap(({ member, recipe: { screen } }) => (screen ? [{ member, screen }] : []));
  const odd = screens.find(({ screen }) => !isDeepStrictEqual(screen, screens[0]?.screen));
  if (odd) notes.push(`the screen is as “${screens[0]?.member}” has it; “${odd.member}” has another size`);
  const layouts = stages.flatMap(({ recipe: { layout } }) => (layout ? [layout] : []));
  if (layouts.some((layout) => !isDeepStrictEqual(layout, layouts[0])))
    notes.push('the keyboard has the first layout that a recipe names');
  const recipe = recipeSchema.parse({
    schema: first?.recipe.schema,
    version: RECIPE_VERSION,
    files: put,
    programs: [],
    services: [...services.values()].map(({ service }) => service),
    network: stages.some((stage) => stage.recipe.network),
    ...(screens[0] && { screen: screens[0].screen }),
    ...(layouts[0] && { layout: layouts[0] }),
  });
  const fileOf: FileOf = (name) => {
    const place = places.get(name);
    return place ? place.stage.fileOf(place.name) : null;
  };
  return { recipe, fileOf, notes };
}

export type CommonStage = {
  size: { width: number; height: number };
  layout: { layout: string; variant: string };
  /** The home begins as this copy of one was; null: with the recipes' files. */
  copy: string | null;
  /** The time that its programs see, ms since 1970; null: the machine's. */
  clock: number | null;
  /** Programs tell of their elements, also where no check asks for them. */
  elements: boolean;
  withoutCage: boolean;
  signal: AbortSignal;
};

/** Sets it up. Throws as setting any stage up does. */
export async function setCommonStage(
  workspace: Workspace,
  stages: readonly MemberStage[],
  { size, layout, copy, clock, elements: asked, withoutCage, signal }: CommonStage,
  tell: (text: string) => void,
): Promise<SetStage> {
  const { recipe, fileOf, notes } = commonRecipe(stages);
  for (const note of notes) tell(`note: ${note}`);
  const stage = await setStage({
    recipe,
    ...size,
    layout,
    fileOf,
    task: stages[0]?.task ?? null,
    workspace: workspace.dir,
    later: stages.map((one) => one.recipe),
    elements: asked || stages.some(({ elements }) => elements),
    withoutCage,
    signal,
    ...(clock !== null && { clock }),
    ...(copy !== null && { from: { root: copiesOf(workspace.dir), copy } }),
  });
  for (const note of stage.notes) tell(`note: ${note}`);
  return stage;
}
