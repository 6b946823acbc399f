import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../../../schemas/errors.ts';
import type { Recipe, Service } from '../../../schemas/play.ts';
import type { StartedProgram } from './arrange.ts';
import { programsInside } from './processes.ts';

/**
 * Services of a stage: programs that others on it talk to, on the loopback address of its own network. Whether one is ready is
 * read from the kernel's list of sockets of that network, so that nobody connects to it who is no part of the scenario.
 */

/** How long a service may take until it listens, ms: Python's libraries alone take seconds on a busy machine. */
const READY_MS = 60_000;
const LOOK_MS = 50;
const LISTENS = '0A';

export type RunningService = Pick<StartedProgram, 'failed' | 'said'> & { name: string; command: string };

/** The ports that something listens on in the network of a process. */
function portsOf(pid: number): Set<number> {
  const ports = new Set<number>();
  for (const table of ['tcp', 'tcp6']) {
    let lines: string[] = [];
    try {
      lines = readFileSync(`/proc/${pid}/net/${table}`, 'latin1').split('\n').slice(1);
    } catch {
      continue; // It ended, or this system has no such addresses.
    }
    for (const line of lines) {
      const [, local = '', , state] = line.trim().split(/\s+/);
      if (state === LISTENS) ports.add(Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16));
    }
  }
  return ports;
}

/** On the stage's network; empty while no program of it is there. */
function openPorts(stage: string): Set<number> {
  const [pid] = programsInside(stage);
  return pid === undefined ? new Set() : portsOf(pid);
}

/** Starts them one after another, each when the one before it is ready. Throws CAPTURE_FAILED with the last that one printed. */
export async function startServices(
  stage: string,
  services: Recipe['services'],
  start: (service: Service) => RunningService,
  { signal, readyMs = READY_MS }: { signal?: AbortSignal; readyMs?: number },
): Promise<RunningService[]> {
  const running: RunningService[] = [];
  for (const service of services) {
    const { name, port } = service;
    if (openPorts(stage).has(port))
      throw odd(name, `its port ${port} is taken already. Give it another one in the recipe`);
    const one = start(service);
    running.push(one);
    const until = performance.now() + readyMs;
    while (!openPorts(stage).has(port)) {
      const how = one.failed();
      if (how !== null) throw odd(name, `“${one.command}” ended (${how}). ${printed(one.said())}`);
      if (performance.now() > until)
        throw odd(name, `nothing listened on its port ${port} within ${readyMs / 1000} s. ${printed(one.said())}`);
      signal?.throwIfAborted();
      await sleep(LOOK_MS);
    }
  }
  return running;
}

/** Throws CAPTURE_FAILED for one that ended since it was started: no task after that has the stage that it wants. */
export function needServices(running: readonly RunningService[]): void {
  for (const { name, command, failed, said } of running) {
    const how = failed();
    if (how !== null) throw odd(name, `“${command}” ended (${how}) while the stage was in use. ${printed(said())}`);
  }
}

const printed = (text: string): string => (text === '' ? 'It printed nothing.' : `It printed: “${text}”.`);

const odd = (name: string, why: string): StudioError =>
  new StudioError('CAPTURE_FAILED', `The service “${name}” of the stage: ${why.replace(/\.$/, '')}.`, {
    service: name,
  });
