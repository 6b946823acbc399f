/**
 * A folder, its rooms from the ground up, and the rooms that each may import; null: what is directly in it may import and be
 * imported by all.
 */
export type Rooms = Record<string, Record<string, string[] | null>>;
export const ROOMS: Rooms;
