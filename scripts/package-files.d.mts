type Manifest = { name: string; version: string };
export type PackagedFile = { path: string; bytes: number };
export function studioFiles(root: string): {
  scripts: Map<string, string>;
  data: string[];
  packages: Map<string, Manifest>;
};
export function missingFor(root: string, packages: Map<string, Manifest>, platform: string, arch: string): string[];
export function stageStudio(root: string, to: string): PackagedFile[];
