export type Said = { text: string | null; names: string[] | null; rich: boolean; line: number };
export type Loose = { text: string; kind: 'jsx' | 'literal' | 'template' | 'plural'; line: number };
export function textsIn(file: string, source: string): { said: Said[]; loose: Loose[] };
/** The pages' own files, with their texts. */
export function textsOfPages(root: string): { file: string; said: Said[]; loose: Loose[] }[];
/** The translations of a language by file: English to the other. */
export function catalogueOf(root: string, language: string): Map<string, Record<string, string>>;
