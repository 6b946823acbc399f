import type { Job } from '../../schemas/api/models.ts';

/** Whether work still waits or runs, so that there is something to stop. */
export function isActive(job: Pick<Job, 'state'>): boolean {
  return job.state === 'waiting' || job.state === 'running';
}

/** Whether it can be begun again from the list: nothing but its recording is needed for it. */
export function canTryAgain({ kind, state }: Pick<Job, 'kind' | 'state'>): boolean {
  return (kind === 'prepare' || kind === 'playback') && (state === 'failed' || state === 'cancelled');
}

const KINDS: Readonly<Record<string, string>> = {
  import: 'Import',
  arrival: 'Take annotation and history of',
  task: 'Another task for',
  export: 'Export',
  archive: 'Write the archive',
  keyframes: 'Keyframes of',
  prepare: 'Pictures of',
  playback: 'Playback copy of',
  duplicates: 'Search near duplicates of the',
  freeze: 'Freeze',
  validate: 'Validate',
  count: 'Count the',
  play: 'Play',
  questions: 'Questions',
  score: 'Score',
  judge: 'Judge the plans of',
};

/** The work of a job in words, as the beginning of a sentence; a kind that has no words yet is its own name. */
export function jobKindName(kind: string): string {
  const name = KINDS[kind] ?? KINDS[kind.split(/[.\-:]/)[0] ?? ''];
  return name ?? kind.charAt(0).toUpperCase() + kind.slice(1);
}
