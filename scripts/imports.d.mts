export type Named = { to: string; start: number; end: number };
export function importsOf(file: string, source: string): (Named & { typeOnly: boolean })[];
export function filesBeside(file: string, source: string): Named[];
