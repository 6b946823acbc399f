export function importedFirst(root: string, file: string): string[];
export function loadedBy(root: string, file: string): { files: Set<string>; packages: Set<string> };
