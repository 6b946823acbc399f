import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';

/** A program whose words nobody reads any more. */

const folders = temporaryFolders();
afterEach(() => folders.clean());

const here = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

async function unread(folder: string, work: string): Promise<{ status: number | null; logged: string }> {
  const code = `import { writeFileSync } from 'node:fs';
    import { openLogFile } from ${here('../../native/log/log.ts')};
    import { endWithReader } from ${here('./reader-gone.ts')};
    openLogFile(${JSON.stringify(folder)}, 'commands');
    endWithReader();
    const talking = setInterval(() => { process.stdout.write('x'); process.stderr.write('y'); }, 10);
    ${work}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.stdout.destroy();
  child.stderr.destroy();
  const status = await ended;
  const logged = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return { status, logged: logged.join('\n') };
}

test('one that ends with its terminal closes what it has begun, says no more, and ends by itself', async () => {
  const folder = folders.make();
  const kept = join(folders.make(), 'kept');
  const { status, logged } = await unread(
    folder,
    `process.on('SIGHUP', () => setTimeout(() => {
      writeFileSync(${JSON.stringify(kept)}, 'all of it', { flag: 'wx' });
      clearInterval(talking);
      process.exitCode = 7;
    }, 100));`,
  );
  expect([status, existsSync(kept) && readFileSync(kept, 'utf8')]).toEqual([7, 'all of it']);
  expect(logged).toContain('nobody reads what is said');
});

test('all else ends at once, and the log says why', async () => {
  const { status, logged } = await unread(folders.make(), '');
  expect(status).toBe(0);
  expect(logged).toContain('nobody reads what is said');
});
