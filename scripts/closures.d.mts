export type LongFunction = {
  file: string;
  line: number;
  name: string;
  lines: number;
  kind: 'closure' | 'component';
};
export const MOST_CLOSURE_LINES: number;
export function longFunctions(root: string): LongFunction[];
export function longFunctionsIn(file: string, source: string): LongFunction[];
export function closureFaults(long: LongFunction[]): string[];
