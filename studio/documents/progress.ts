/** How far the annotation of a recording is: kept steps, and those of them that are confirmed and not flagged. */
export type Progress = { steps: number; done: number };
