import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { libc } from '../memory/libc.ts';
import { type XDisplay, x11 } from './x11.ts';

/**
 * The process of an X server that listens at a socket of this machine. One in a stage's cage or in a container counts processes
 * and memory by itself: its windows' numbers of processes, and its shared memory, are not ours.
 */

const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
const UCRED_BYTES = 12;

/** Its number as we count; 0: another machine, or not known. */
function serverPid(display: XDisplay): number {
  const cred = new Uint8Array(UCRED_BYTES);
  const length = new Uint32Array([UCRED_BYTES]);
  const status = libc().getsockopt(x11().connectionNumber(display), SOL_SOCKET, SO_PEERCRED, cred, length);
  return status === 0 ? new DataView(cred.buffer).getInt32(0, true) : 0;
}

type Namespace = 'ipc' | 'pid';
function namespaceOf(pid: number | 'self', name: Namespace): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/${name}`);
  } catch {
    return null; // It ended, or is somebody else's.
  }
}

/** The server's namespace where it is known to be another than ours; null otherwise. */
export function foreignNamespace(display: XDisplay, name: Namespace): string | null {
  const pid = serverPid(display);
  const its = pid > 0 ? namespaceOf(pid, name) : null;
  return its !== null && its !== namespaceOf('self', name) ? its : null;
}

/** What a window's program calls itself, as we count; 0 where there is none. `told`: the number that its window names. */
export function processAsWeCount(display: XDisplay, told: number): number {
  const space = told > 0 ? foreignNamespace(display, 'pid') : null;
  if (space === null) return told;
  const found = readdirSync('/proc').find(
    (name) => /^\d+$/.test(name) && namespaceOf(Number(name), 'pid') === space && innermostPid(name) === told,
  );
  return Number(found ?? 0);
}

function innermostPid(pid: string): number {
  try {
    const line = /^NSpid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '';
    return Number(line.split(/\s+/).at(-1));
  } catch {
    return 0; // It ended meanwhile.
  }
}
