import type { Job } from '../../schemas/api/models.ts';

/** Whether work still waits or runs, so that there is something to stop. */
export function isActive(job: Pick<Job, 'state'>): boolean {
  return job.state === 'waiting' || job.state === 'running';
}

const KINDS: Readonly<Record<string, string>> = {
  import: 'Import',
  export: 'Export',
  archive: 'Write the archive',
  keyframes: 'Keyframes of',
  playback: 'Playback copy of',
  duplicates: 'Search near duplicates of the',
  freeze: 'Freeze',
  validate: 'Validate',
  count: 'Count the',
  questions: 'Questions',
  score: 'Score',
  judge: 'Judge the plans of',
};

/** What a job does, as the beginning of a sentence; a kind that has no words yet is its own name. */
export function jobKindName(kind: string): string {
  const name = KINDS[kind] ?? KINDS[kind.split(/[.\-:]/)[0] ?? ''];
  return name ?? kind.charAt(0).toUpperCase() + kind.slice(1);
}
