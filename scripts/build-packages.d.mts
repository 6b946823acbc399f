export const MODULES: readonly string[];
