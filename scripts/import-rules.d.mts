export const MAY_IMPORT: Record<string, string[]>;
export const PAGES: string;
export function checkImports(root: string): {
  files: number;
  violations: { file: string; rule: string; message: string }[];
};
