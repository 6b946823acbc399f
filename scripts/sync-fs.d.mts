export type SyncUse = { line: number; name: string };
export function syncUsesIn(file: string, source: string): SyncUse[];
export function syncUses(root?: string): (SyncUse & { room: string; file: string })[];
export function outsideTheSeam(uses: readonly { room: string }[]): [room: string, count: number][];
