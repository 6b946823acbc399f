import type { RecordOf } from '../../schemas/annotation.ts';

/** Ids of records of which an action has at most one, so that two people who say the same of it meet in one record. */
export const GOAL_ID = 'goal';
export const labelId = (action: string): string => `label:${action}`;
export const boxId = (action: string, role: RecordOf<'box'>['role']): string => `box:${action}:${role}`;
export const removalId = (action: string): string => `removal:${action}`;
export const keyframeId = (action: string, role: RecordOf<'keyframe'>['role']): string => `keyframe:${action}:${role}`;
export const reasoningId = (action: string): string => `reasoning:${action}`;
export const stepRecordId = (action: string): string => `step:${action}`;
/** The id of a subtask that a document begins with; later ones get an id from whoever makes them. */
export const firstSubtaskId = (action: string): string => `subtask:${action}`;
