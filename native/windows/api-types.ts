export type Handle = bigint;
export type WinRect = { left: number; top: number; right: number; bottom: number };
