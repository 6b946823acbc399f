/** A top folder, its rooms from the ground up, and the rooms that each may import. */
export type Rooms = Record<string, Record<string, string[]>>;
export const ROOMS: Rooms;
export const PAGES: string;
export function checkImports(
  root: string,
  rooms?: Rooms,
): {
  files: number;
  violations: { file: string; rule: string; message: string }[];
};
