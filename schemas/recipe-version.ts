/**
 * Of recipes (schemas/play.ts), without the schemas' library. 2 added archives that are unpacked and empty folders, 3 services and a
 * clock; files of older versions are read as they are.
 */
export const RECIPE_VERSION = 3;
