/**
 * The scales of a position's numbers: pixels of the picture, or parts of its width and height (core/evaluate/RULES.md, M29).
 */
export const SCALES = ['pixels', '0-1', '0-100', '0-1000'] as const;
export type CoordinateScale = (typeof SCALES)[number];
