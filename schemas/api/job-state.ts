import type { Job } from './models.ts';

/** Whether work still waits or runs, so that there is something to stop. */
export const isActive = ({ state }: Pick<Job, 'state'>): boolean => state === 'waiting' || state === 'running';

/** Jobs that make what pages show of a recording: its keyframes and its playback copy. */
export const isPreparing = ({ kind }: Pick<Job, 'kind'>): boolean => kind === 'prepare' || kind === 'playback';
