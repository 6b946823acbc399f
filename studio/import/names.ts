/**
 * Left out of imports and exports: hidden files (a live capture's pid, temporary files) and what is made again when it is
 * wanted (derived/, which is trusted as it is and so never taken from others).
 */
export const isLeftOut = (parts: readonly string[]): boolean =>
  parts.some((part) => part.startsWith('.') || part.endsWith('.part')) || parts[0]?.toLowerCase() === 'derived';
