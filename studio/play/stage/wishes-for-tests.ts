import { recipeSchema } from '../../../schemas/play.ts';
import type { StageWishes } from './set-stage.ts';

/** A small stage of no task, with what its recipe says beside the screen. */
export const stageWishes = (more: object = {}): StageWishes => ({
  recipe: recipeSchema.parse({
    schema: 'trajectory-studio/recipe',
    version: 1,
    screen: { width: 640, height: 480 },
    ...more,
  }),
  width: 640,
  height: 480,
  layout: { layout: 'us', variant: '' },
  task: null,
  workspace: null,
  fileOf: () => null,
});
