export function electronProgram(folder?: string): string | null;
export function wayToStart(
  words: readonly string[],
  here: { program: string | null; platform: string; env: NodeJS.ProcessEnv; root: boolean },
): 'desktop' | 'browser';
