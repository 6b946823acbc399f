/** Words about models' drafts that pages filter by, apart from the schemas, because pages leave zod out. */

/** How words of drafts stand in an annotation: as the model wrote them, or changed by a person since. */
export const DRAFT_ORIGINS = ['taken', 'edited'] as const;
export type DraftOriginWord = (typeof DRAFT_ORIGINS)[number];
