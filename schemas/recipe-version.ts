/** Of recipes (schemas/play.ts), without the schemas' library. 2 added archives that are unpacked and empty folders; files of version 1 are read as they are. */
export const RECIPE_VERSION = 2;
