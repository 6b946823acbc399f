import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { Job } from '../../schemas/api/models.ts';
import { untilOver, withJob } from './changes.ts';
import { queries } from './queries.ts';

const job = (id: string, changes: Partial<Job> = {}): Job => ({
  id,
  kind: 'export',
  subject: id,
  state: 'running',
  progress: 0,
  message: null,
  error: null,
  createdAt: '2026-05-04T10:20:30.456Z',
  ...changes,
});

it('has a job as it is now in its place, and a new one first', () => {
  const jobs = [job('b'), job('a')];
  expect(withJob(jobs, job('a', { progress: 0.5 }))?.map(({ id, progress }) => [id, progress])).toEqual([
    ['b', 0],
    ['a', 0.5],
  ]);
  expect(withJob(jobs, job('c'))?.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  expect(withJob(undefined, job('c'))).toBeUndefined();
});

it('waits for the end of a job in the list that the page has', async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const { queryKey } = queries.jobs('w');
  cache.setQueryData(queryKey, [job('a')]);
  const told: number[] = [];
  const over = untilOver(cache, 'w', job('a'), ({ progress }) => told.push(progress));
  cache.setQueryData(queryKey, [job('a', { progress: 0.5 })]);
  await expect.poll(() => told).toContain(0.5);
  cache.setQueryData(queryKey, [job('b'), job('a', { state: 'done', progress: 1 })]);
  expect(await over).toMatchObject({ id: 'a', state: 'done' });
});
