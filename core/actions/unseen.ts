import type { Action } from '../../schemas/actions.ts';

/** A16: the id of the action that a `step` line makes; `index` is the line's raw index. */
export const unseenId = (recording: string, index: number): string => `${recording}:${index}s`;

/** A16: whether an action stands for something that was done without recorded input. */
export const isUnseen = ({ kind, id }: Pick<Action, 'kind' | 'id'>): boolean => kind === 'wait' && id.endsWith('s');
