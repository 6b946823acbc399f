import { createContext, useContext } from 'react';
import type { Reviewing } from './actions.ts';
import type { Judging } from './judging.ts';

/** A reviewer's acts on the recording that is open. */
type ReviewTools = { reviewing: Reviewing; judging: Judging };

export const ReviewContext = createContext<ReviewTools | null>(null);

export function useReviewing(): ReviewTools {
  const tools = useContext(ReviewContext);
  if (!tools) throw new Error('No review is open here.');
  return tools;
}
