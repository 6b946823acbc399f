import { type Composition, compositionSchema } from '../../schemas/composition.ts';

/** A pathway of two tasks of GIMP, in which the author that the first names stands in the question of the second. */
export const NOVELS: Composition = compositionSchema.parse({
  schema: 'trajectory-studio/composition',
  version: 1,
  id: 'novels',
  kind: 'pathway',
  title: 'A novel and its author',
  task: 'When was the author of The Trial born?',
  level: 1,
  members: [
    {
      id: 'author',
      task: 'GIMP_1',
      instructions: { base: 'Who wrote The Trial?' },
      apps: { Linux: ['Notes'] },
      outputs: [{ name: 'name', value: 'Kafka' }],
    },
    {
      id: 'born',
      task: 'GIMP_2',
      instructions: { base: 'When was {{author.name}} born?' },
      apps: { Linux: ['Notes'] },
      outputs: [{ name: 'year', value: 1883, tolerance: 0.5 }],
    },
  ],
  edges: [{ kind: 'data', from: 'author', to: 'born', output: 'name' }],
});
