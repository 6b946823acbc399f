/** `build/desktop/app`. */
export const APP: string;
/** Builds when what is there is missing or older than its sources. Gives the folder, which Electron can be started with. */
export function buildDesktop(): Promise<string>;
