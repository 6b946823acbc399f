/**
 * The errors that judges of trajectories tell apart: NaturalGAIA's (naturalgaia.txt D), its execution errors in three. In the
 * order in which they are shown. Apart from the schemas, because pages filter by them and leave zod out.
 */
export const ERROR_IDS = ['planning', 'structural', 'operational', 'knowledge', 'perceptual'] as const;
export type ErrorId = (typeof ERROR_IDS)[number];
