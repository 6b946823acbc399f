import { buildDesktop } from '../../scripts/desktop-build.mjs';
import setup from './built-pages.ts';

/** Once before all tests of the desktop app: its bundle, from which the preload script is taken, and the pages. */
export default async function setupDesktop(): Promise<void> {
  await setup();
  await buildDesktop();
}
