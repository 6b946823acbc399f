/** Options of Node for a process or a thread of ours: it loads large packages as they were built (built-packages.ts). */
export const WITH_BUILT_PACKAGES: readonly string[] = [
  '--import',
  new URL('./built-packages.ts', import.meta.url).href,
];
