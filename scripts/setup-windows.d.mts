/** Paths of this system: the packages' folder, Node and ffmpeg for Windows, the Wine prefix. */
export type WindowsPaths = { packages: string; node: string; ffmpeg: string; prefix: string };
/** What is missing to make a Windows here; empty when nothing is. */
export function missingForWindows(): string[];
/** Throws what npm or Wine said when one of them failed. */
export function setUpWindows(say?: (line: string) => void): WindowsPaths;
/** The studio's folder as Windows is to see it, with links into the working tree. */
export function linkTree(folder: string, paths: Pick<WindowsPaths, 'packages'>): void;
/** What Wine's programs need to know. */
export function wineEnvironment(prefix: string): NodeJS.ProcessEnv;
