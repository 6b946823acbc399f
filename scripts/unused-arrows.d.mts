import type { Rooms } from './rooms.mjs';

export function unusedArrows(used: ReadonlySet<string>, rooms?: Rooms): string[];
export const MOST_ARROWS: Record<string, number>;
export function tooManyArrows(rooms?: Rooms, most?: Record<string, number>): string[];
