import { readdirSync, readFileSync } from 'node:fs';

/** Every program on a stage, and what it starts, carries this in its environment: so all are found when the stage ends. */
export const STAGE_MARK = 'TRAJECTORY_STAGE';

/** How long programs may take to end by themselves, ms, and how often what is left is killed. */
const GRACE_MS = 1500;
const ROUNDS = 40;
const ROUND_MS = 50;

/** The name of a stage's folder in the temporary folder. */
export const stageFolderName = (id: string): string => `trajectory-studio-stage-${id}`;

/**
 * Processes of a stage that run now. Linux: read from /proc. Some write over their environment (Chromium puts its title
 * there) or start others with an empty one: those are known by the stage's home, which is mounted for them alone.
 */
export function processesOf(id: string): number[] {
  const mark = `${STAGE_MARK}=${id}\0`;
  const mounted = `${stageFolderName(id)}/home `;
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const ours =
        `${readFileSync(`/proc/${name}/environ`, 'latin1')}\0`.includes(mark) ||
        readFileSync(`/proc/${name}/mountinfo`, 'latin1').includes(mounted);
      return ours && alive(name) ? [Number(name)] : [];
    } catch {
      return []; // It ended meanwhile, or is somebody else's.
    }
  });
}

const SERVER = 'Xvfb';
function isServer(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'latin1').trim() === SERVER;
  } catch {
    return false; // It ended meanwhile.
  }
}

/** Whether the server of a stage's display runs. */
export const hasDisplayServer = (id: string): boolean => processesOf(id).some(isServer);

/** Programs that see the stage's home as theirs, without its display's server, which writes nothing there. */
export function programsInside(id: string): number[] {
  const mounted = `${stageFolderName(id)}/home `;
  return processesOf(id).filter((pid) => {
    try {
      const isInside = readFileSync(`/proc/${pid}/mountinfo`, 'latin1').includes(mounted);
      return isInside && !isServer(pid);
    } catch {
      return false; // It ended meanwhile.
    }
  });
}

/** A process that has ended and that nobody asked for yet has no environment of its own any more. */
function alive(pid: string): boolean {
  return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
}

/**
 * Ends every process of a stage: asked first, killed then, until none is left, however often they fork. Gives those that
 * are left all the same.
 */
export async function endProcesses(id: string): Promise<number[]> {
  const asked = processesOf(id);
  signal(asked, 'SIGTERM');
  const until = performance.now() + GRACE_MS;
  while (performance.now() < until && processesOf(id).length > 0) await sleep(ROUND_MS);
  for (let round = 0; round < ROUNDS; round++) {
    const left = processesOf(id);
    if (left.length === 0) return [];
    // Stopped first, so that none of them forks while the others are killed.
    signal(left, 'SIGSTOP');
    signal(left, 'SIGKILL');
    await sleep(ROUND_MS);
  }
  return processesOf(id);
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // Gone.
    }
  }
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
