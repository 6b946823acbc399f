import type { CaseFilter, CasePage, QuestionSet, Run } from '../../schemas/api/evaluate.ts';
import type { ScoredCase } from '../../schemas/evaluate.ts';
import { client } from '../client/api.ts';

type Context = { signal: AbortSignal };

/** Cases that are fetched at once. */
export const CASES_A_PAGE = 50;

export const evaluateQueries = {
  sets: (ws: string) => ({
    queryKey: ['of', ws, 'question-sets'],
    queryFn: ({ signal }: Context): Promise<QuestionSet[]> => client.evaluate.questionSets({ ws }, { signal }),
  }),
  runs: (ws: string) => ({
    queryKey: ['of', ws, 'runs'],
    queryFn: ({ signal }: Context): Promise<Run[]> => client.evaluate.runs({ ws }, { signal }),
  }),
  /** A scored run never changes. */
  cases: (ws: string, run: string, filter: CaseFilter, page: number) => ({
    queryKey: ['of', ws, 'runs', run, 'cases', filter, page],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }: Context): Promise<CasePage> =>
      client.evaluate.cases({ ws, run, filter, from: page * CASES_A_PAGE, count: CASES_A_PAGE }, { signal }),
  }),
  caseOf: (ws: string, run: string, id: string) => ({
    queryKey: ['of', ws, 'runs', run, 'case', id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }: Context): Promise<ScoredCase | null> => client.evaluate.caseOf({ ws, run, id }, { signal }),
  }),
} as const;
