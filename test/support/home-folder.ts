import fs from 'node:fs';
import path from 'node:path';

/**
 * The home of the studio for one test run, removed when the run ends: settings, what a person agreed to, caches. Tests leave the
 * home of whoever runs them as it is, and find nothing in it. Programs on a test's display have that display's home.
 */
export function homeFolder(within: string): string {
  const folder = fs.mkdtempSync(path.join(within, 'trajectory-studio-tests-home-'));
  // Some tests work as another user.
  fs.chmodSync(folder, 0o1777);
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}
