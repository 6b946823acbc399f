export type Named = { to: string; start: number; end: number };
export function namedIn(
  file: string,
  source: string,
): { imports: (Named & { typeOnly: boolean; lazy: boolean })[]; beside: Named[] };
