import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ArchiveReport } from '../../schemas/api/archives.ts';
import type { DatasetSource, ExportFormat, PastExport } from '../../schemas/api/datasets.ts';
import { isActive } from '../../schemas/api/job-state.ts';
import type { Job } from '../../schemas/api/models.ts';
import type { DatasetStatistics, DatasetVersion, Duplicates } from '../../schemas/dataset.ts';
import type { DatasetTerms } from '../../schemas/dataset-terms.ts';
import { client } from '../client/api.ts';
import { whileActive } from '../client/changes.ts';
import { askerOf, queries } from '../client/queries.ts';

type Context = { signal: AbortSignal };
/** The questions of the data set's pages to the studio; all under `[of, ws, dataset]`, which one gesture may change. */
export const datasetQueries = {
  all: (ws: string) => ['of', ws, 'dataset'],
  terms: (ws: string) => ({
    queryKey: ['of', ws, 'dataset', 'terms'],
    queryFn: ({ signal }: Context): Promise<DatasetTerms> => client.dataset.terms({ ws }, { signal }),
  }),
  versions: (ws: string) => ({
    queryKey: ['of', ws, 'dataset', 'versions'],
    queryFn: ({
      signal,
    }: Context): Promise<{ versions: DatasetVersion[]; unreadable: { name: string; message: string }[] }> =>
      client.dataset.versions({ ws }, { signal }),
  }),
  duplicates: (ws: string) => ({
    queryKey: ['of', ws, 'dataset', 'duplicates'],
    queryFn: ({ signal }: Context): Promise<Duplicates> => client.dataset.duplicates({ ws }, { signal }),
  }),
  statistics: (ws: string, source: DatasetSource) => ({
    queryKey: ['of', ws, 'dataset', 'statistics', source],
    queryFn: ({ signal }: Context): Promise<DatasetStatistics> =>
      client.dataset.statistics({ ws, source, ...askerOf(ws) }, { signal }),
  }),
  formats: () => ({
    queryKey: ['formats'],
    queryFn: ({ signal }: Context): Promise<ExportFormat[]> => client.exports.formats(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }),
  exports: (ws: string) => ({
    queryKey: ['of', ws, 'dataset', 'exports'],
    queryFn: ({ signal }: Context): Promise<PastExport[]> => client.exports.list({ ws }, { signal }),
  }),
  archives: (ws: string) => ({
    queryKey: ['of', ws, 'dataset', 'archives'],
    queryFn: ({ signal }: Context): Promise<ArchiveReport[]> => client.archives.list({ ws }, { signal }),
  }),
} as const;

/** The name of each software, by its id. */
export function useSoftwareNames(ws: string): ReadonlyMap<string, string> {
  const { data } = useQuery(queries.software(ws));
  return useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data]);
}

/** A job that was started here, as it goes; what it changed is fetched again when it ends. */
export function useJob(ws: string, started: Job | undefined): Job | undefined {
  const cache = useQueryClient();
  const jobs = useQuery({
    ...queries.jobs(ws),
    enabled: started !== undefined,
    refetchInterval: whileActive,
  });
  const job = started && (jobs.data?.find(({ id }) => id === started.id) ?? started);
  const ended = job !== undefined && !isActive(job);
  useEffect(() => {
    if (ended) void cache.invalidateQueries({ queryKey: datasetQueries.all(ws) });
  }, [ended, cache, ws]);
  return job;
}
