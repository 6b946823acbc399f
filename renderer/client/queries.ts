import { QueryClient, useQuery } from '@tanstack/react-query';
import type {
  Job,
  Person,
  RecorderState,
  RecordingRow,
  SoftwareInfo,
  TaskInfo,
  TaskRow,
  WorkspaceInfo,
} from '../../schemas/api/models.ts';
import type { Dashboard, WorkItem } from '../../schemas/api/review-models.ts';
import type { VoiceState } from '../../schemas/api/voice.ts';
import type { DataRow } from '../../schemas/dataset.ts';
import type { RecordingMark } from '../../schemas/marks.ts';
import type { ReviewPolicy } from '../../schemas/review.ts';
import { client } from './api.ts';
import { keptPerson } from './kept-person.ts';

/**
 * The questions of the pages to the studio, and the key under which each is kept. Everything of a workspace is under `[ws,
 * …]`.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // The connection's own banner asks again and everything is fetched anew then; a second retry would only delay words.
      queries: { retry: false, staleTime: 5000, refetchOnWindowFocus: true, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Lists are as who is chosen is to see them; they are fetched anew when somebody else is (person-chooser.tsx). */
export function askerOf(ws: string): { person?: string } {
  const person = keptPerson(ws);
  return person === null ? {} : { person };
}

type Context = { signal: AbortSignal };
export const queries = {
  workspaces: () => ({
    queryKey: ['workspaces'],
    queryFn: ({ signal }: Context): Promise<WorkspaceInfo[]> => client.workspaces.recent(undefined, { signal }),
  }),
  tasks: (ws: string) => ({
    queryKey: ['of', ws, 'tasks'],
    queryFn: ({ signal }: Context): Promise<TaskRow[]> => client.tasks.list({ ws, ...askerOf(ws) }, { signal }),
  }),
  task: (ws: string, task: string) => ({
    queryKey: ['of', ws, 'tasks', task],
    queryFn: ({ signal }: Context): Promise<TaskInfo> => client.tasks.get({ ws, task, ...askerOf(ws) }, { signal }),
  }),
  software: (ws: string) => ({
    queryKey: ['of', ws, 'software'],
    queryFn: ({ signal }: Context): Promise<SoftwareInfo[]> => client.software.list({ ws }, { signal }),
  }),
  people: (ws: string) => ({
    queryKey: ['of', ws, 'people'],
    queryFn: ({ signal }: Context): Promise<Person[]> => client.people.list({ ws }, { signal }),
  }),
  recordings: (ws: string) => ({
    queryKey: ['of', ws, 'recordings'],
    queryFn: ({ signal }: Context): Promise<RecordingRow[]> =>
      client.recordings.list({ ws, ...askerOf(ws) }, { signal }),
  }),
  marks: (ws: string, recording: string) => ({
    queryKey: ['of', ws, 'marks', recording],
    queryFn: async ({ signal }: Context): Promise<RecordingMark[]> =>
      (await client.marks.list({ ws, recording }, { signal })).marks,
  }),
  voice: (ws: string, recording: string) => ({
    queryKey: ['of', ws, 'voice', recording],
    queryFn: ({ signal }: Context): Promise<VoiceState> => client.voice.get({ ws, recording }, { signal }),
  }),
  dataRows: (ws: string) => ({
    queryKey: ['of', ws, 'dataset', 'rows'],
    queryFn: ({ signal }: Context): Promise<{ rows: DataRow[]; uncounted: number }> =>
      client.dataset.rows({ ws, ...askerOf(ws) }, { signal }),
  }),
  work: (ws: string, person: string) => ({
    queryKey: ['of', ws, 'work', person],
    queryFn: ({ signal }: Context): Promise<WorkItem[]> => client.review.queue({ ws, person }, { signal }),
  }),
  insights: (ws: string, software: string | null) => ({
    queryKey: ['of', ws, 'insights', software],
    queryFn: ({ signal }: Context): Promise<Dashboard> =>
      client.review.dashboard({ ws, ...askerOf(ws), ...(software !== null && { software }) }, { signal }),
  }),
  policy: (ws: string) => ({
    queryKey: ['of', ws, 'policy'],
    queryFn: ({ signal }: Context): Promise<ReviewPolicy> => client.review.policy({ ws }, { signal }),
  }),
  jobs: (ws: string) => ({
    queryKey: ['of', ws, 'jobs'],
    queryFn: ({ signal }: Context): Promise<Job[]> => client.jobs.list({ ws }, { signal }),
  }),
  recorder: () => ({
    queryKey: ['recorder'],
    queryFn: ({ signal }: Context): Promise<RecorderState | null> => client.recorder.state(undefined, { signal }),
  }),
} as const;

/** The workspace of this id as the list of workspaces has it; undefined until it came or when it is not there. */
export function useWorkspace(ws: string | null): WorkspaceInfo | undefined {
  return useQuery(queries.workspaces()).data?.find((one) => one.id === ws);
}
