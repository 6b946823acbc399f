import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import type { ExportPreview, ExportWishes } from '../../schemas/api/datasets.ts';
import { isActive } from '../../schemas/api/job-state.ts';
import { client } from '../client/api.ts';
import { askerOf, queries } from '../client/queries.ts';
import { datasetQueries, useJob } from '../datasets/queries.ts';
import { useProposal } from '../ui/use-proposal.ts';
import { readPreview } from './read-preview.ts';

/** What an export of these wishes would contain; asked for a moment after they were changed. */
export function useExportPreview(ws: string, wishes: ExportWishes, enabled: boolean) {
  const now = JSON.stringify(wishes);
  const [asked] = useDebouncedValue(now, 300);
  return useQuery<ExportPreview>({
    queryKey: [...datasetQueries.all(ws), 'preview', asked],
    // The wishes only travelled as text.
    queryFn: ({ signal }) => readPreview(ws, { wishes: JSON.parse(asked) as ExportWishes, ...askerOf(ws) }, signal),
    enabled: enabled && asked === now,
    placeholderData: keepPreviousData,
  });
}

/** The folder that an export is written to, and its job once it was started. */
export function useExport(ws: string, wishes: ExportWishes, folder: RefObject<HTMLInputElement | null>) {
  const cache = useQueryClient();
  const [typed, setOut] = useState<string | null>(null);
  const suggested = useQuery({
    queryKey: [...datasetQueries.all(ws), 'suggest'],
    queryFn: ({ signal }) => client.exports.suggest({ ws }, { signal }),
  }).data?.out;
  useProposal(folder, suggested, typed !== null);
  const start = useMutation({
    mutationFn: (to: string) => client.exports.start({ ws, wishes, out: to }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const job = useJob(ws, start.data);
  const out = typed ?? suggested ?? '';
  return { out, setOut, target: out.trim(), start, job, busy: start.isPending || (job !== undefined && isActive(job)) };
}
