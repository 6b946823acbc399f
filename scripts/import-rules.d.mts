import type { Rooms } from './rooms.mjs';

export const PAGES: string;
export function checkImports(
  root: string,
  rooms?: Rooms,
): {
  files: number;
  violations: { file: string; rule: string; message: string }[];
  used: Set<string>;
};
