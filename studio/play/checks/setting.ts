import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { valueOfSetting } from '../../../core/play/setting.ts';
import type { Check } from '../../../schemas/checks.ts';
import { readBoundedIn } from '../../files/bounded.ts';
import { hasFile } from '../../files/inside.ts';
import { STAGE_MARK } from '../stage/processes.ts';

/** Where programs on a stage keep their settings, in its home: its GSETTINGS_BACKEND says so. */
const KEPT = '.config/glib-2.0/settings/keyfile';
const MOST_BYTES = 4_000_000;
const MOST_PRINTED = 1_000_000;
/** Less than one check may take: so that the program ends before the process that waits for it is ended. */
const MOST_MS = 10_000;

/**
 * The value of a setting, as `gsettings get` prints it; on a stage of that stage, otherwise of the person's session. The
 * stage's file is copied first, and no schemas are taken from its home: programs on it may have put anything there. Throws an
 * Error whose message is a part of a sentence.
 */
export function settingOnStage({ schema, key }: Check & { kind: 'setting' }, home: string | null): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'trajectory-studio-check-'));
  try {
    const env = { ...process.env };
    if (env[STAGE_MARK] !== undefined && home !== null) {
      const copy = join(folder, KEPT);
      mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
      if (hasFile(home, KEPT)) writeFileSync(copy, readBoundedIn(home, KEPT, MOST_BYTES), { mode: 0o600 });
      Object.assign(env, { HOME: folder, XDG_CONFIG_HOME: join(folder, '.config'), XDG_DATA_HOME: folder });
      env.GSETTINGS_BACKEND = 'keyfile';
    }
    const { status, stdout, stderr, error } = spawnSync('gsettings', ['get', schema, key], {
      env,
      encoding: 'utf8',
      timeout: MOST_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MOST_PRINTED,
    });
    if (error && 'code' in error && error.code === 'ENOENT')
      throw new Error('gsettings is not installed here; install it: "apt install libglib2.0-bin"');
    if (error) throw error;
    if (status !== 0) throw new Error(stderr.trim() || `gsettings ended with status ${status}`);
    return valueOfSetting(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
