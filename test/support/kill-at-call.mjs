import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before a program (`node --import`) that is to be killed at a certain moment of its work, or under which something else is to
 * be killed then. The moment is counted by calls of the disk and of the database, not by time. At SIGUSR2 it reads KILL_NOTE.at (a
 * number, and `self` or `other`), writes KILL_NOTE.armed and counts from 0. Just before that call it ends itself by SIGKILL, or writes
 * KILL_NOTE.now and stands still until that file is removed. KILL_NOTE.count is how many there were by the next SIGUSR2.
 * With KILL_FROM, for a program that ends by itself, it reads KILL_NOTE.at at the beginning and counts from the first call that names
 * such a file; KILL_NOTE.count is how many there were until its end.
 */
if (isMainThread && process.env.KILL_NOTE) {
  const note = process.env.KILL_NOTE;
  const { writeFileSync, readFileSync, existsSync } = fs;
  const still = new Int32Array(new SharedArrayBuffer(4));
  let [count, at, who] = [-1, 0, 'self'];
  const from = process.env.KILL_FROM;
  const arm = () => {
    const [number, whom] = readFileSync(`${note}.at`, 'utf8').split(' ');
    [count, at, who] = [0, Number(number), whom];
  };
  process.on('SIGUSR2', () => {
    writeFileSync(`${note}.count`, String(count));
    arm();
    writeFileSync(`${note}.armed`, '');
  });
  if (from) process.on('exit', () => writeFileSync(`${note}.count`, String(count)));
  const called = (first) => {
    if (count < 0 && from && String(first).includes(from)) arm();
    if (count < 0) return;
    count++;
    if (count !== at) return;
    if (who === 'self') process.kill(process.pid, 'SIGKILL');
    writeFileSync(`${note}.now`, '');
    while (existsSync(`${note}.now`)) Atomics.wait(still, 0, 0, 20);
  };
  const counted = (owner, names) => {
    for (const name of names) {
      const own = owner[name];
      if (typeof own !== 'function') continue;
      owner[name] = function (...args) {
        called(args[0]);
        return own.apply(this, args);
      };
    }
  };
  counted(fs, ['openSync', 'writeSync', 'writeFileSync', 'renameSync', 'linkSync', 'fsyncSync', 'rmSync', 'mkdirSync']);
  counted(fs.promises, ['open', 'rename', 'rm', 'writeFile', 'appendFile', 'mkdir']);
  const handle = await fs.promises.open(process.execPath);
  counted(Object.getPrototypeOf(handle), ['write', 'datasync', 'sync']);
  await handle.close();
  syncBuiltinESMExports();
  const require = createRequire(import.meta.url);
  const Sqlite = require('better-sqlite3');
  const memory = new Sqlite(':memory:');
  counted(Object.getPrototypeOf(memory.prepare('select 1')), ['run', 'all', 'get']);
  memory.close();
  counted(require('pg').Client.prototype, ['query']);
}
