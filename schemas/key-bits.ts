/** Held modifiers as the OS reported them with an event: bits 1 Shift, 2 Ctrl, 4 Alt (or AltGr), 8 Meta. Absent = 0. */
export const MOD_BITS = { shift: 1, ctrl: 2, alt: 4, meta: 8 } as const;

/** Parts of the index of a key's characters in a layout; they are added up. */
export const LEVEL = { shift: 1, altGr: 2, caps: 4 } as const;
