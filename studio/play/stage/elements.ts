import { endingInWords } from '../../../native/process/ending.ts';
import { startProcess } from '../../../native/process/start-process.ts';

/** How long the accessibility bus may take to start, ms. */
const START_MS = 30_000;
const MOST_SAID = 300;

/** Makes the programs that are started next on a stage tell of their elements. Gives why that cannot be; null when it can. */
export async function wantElements(env: Readonly<Record<string, string>>): Promise<string | null> {
  const entry = new URL('./elements-main.ts', import.meta.url);
  const isNone = (_message: unknown): _message is never => false;
  const ending = await startProcess(entry, {
    env,
    accepts: isNone,
    onMessage: () => undefined,
    silentMs: () => START_MS,
  }).ended;
  if (ending.why === 'ended' && ending.status === 0) return null;
  const said = ending.last || (ending.why === 'unstarted' ? endingInWords(ending) : 'it says nothing');
  return `The programs on the stage tell nothing of their elements: the accessibility bus does not answer (${said.slice(0, MOST_SAID)}). Install it: "apt install at-spi2-core".`;
}
