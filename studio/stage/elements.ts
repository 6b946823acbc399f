import { fork } from 'node:child_process';

/** How long the accessibility bus may take to start, ms. */
const START_MS = 30_000;
const MOST_SAID = 300;

/** Makes the programs that are started next on a stage tell of their elements. Gives why that cannot be; null when it can. */
export async function wantElements(env: Readonly<Record<string, string>>): Promise<string | null> {
  const child = fork(new URL('./elements-main.ts', import.meta.url), [], {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString('utf8')}`.slice(0, MOST_SAID);
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const status = await new Promise<number | null>((done) => {
    child.once('exit', done);
    child.once('error', (error) => {
      said = error.message;
      done(null);
    });
  });
  clearTimeout(timer);
  if (status === 0) return null;
  return `The programs on the stage tell nothing of their elements: the accessibility bus does not answer (${said.trim() || 'it says nothing'}). Install it: "apt install at-spi2-core".`;
}
