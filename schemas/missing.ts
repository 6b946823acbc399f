/**
 * Kinds of gaps in an annotation (core/annotate/RULES.md, N11), in the order in which they are listed. Apart from the
 * schemas, because pages filter by them and leave zod out.
 */
export const MISSING_KINDS = ['goal', 'title', 'box', 'end-box', 'narration', 'pixels'] as const;
export type MissingKind = (typeof MISSING_KINDS)[number];
