export function unusedExports(root: string): string[];
export function unusedIn(sources: ReadonlyMap<string, string>): string[];
