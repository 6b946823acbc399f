export type Package = {
  name: string;
  for: string;
  instead?: string;
  program?: string;
  library?: string;
  file?: string;
  /** Not to be had where this program is there and this file is not: it came from elsewhere. */
  beside?: { program: string; file: string };
};
export type Seen = {
  purpose: string;
  hasElectron: boolean;
  hasOwnFfmpeg: boolean;
  libraries: ReadonlySet<string> | null;
  hasProgram(name: string): boolean;
  hasFile(path: string): boolean;
};
export const NEED: string;
export const TEST: string;
export const BENCH: string;
export const PACKAGES: readonly Package[];
export function missingOf(packages: readonly Package[], seen: Seen): Package[];
export function lacking(missing: readonly Package[]): string[];
