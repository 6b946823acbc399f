import { readFileSync } from 'node:fs';

/**
 * Programs that were started just now and will tell of their fields, but are not on the accessibility bus yet: their window is
 * there, and on a busy machine may be typed into, before the bus has taken them in.
 */
export type YoungPrograms = { mayYetSpeak(pid: number): boolean };

/** So long after its start a program may be on its way to the bus, s. */
const YOUNG_S = 5;
/** A process that was found to be no such one is not looked at again for so long, ms: its number may become another's. */
const KNOWN_MS = 60_000;
const MOST_KNOWN = 200;
/** Ticks of the kernel's counts, a second: the same on all machines that Node runs on. */
const TICKS = 100;
/** What speaks for the programs of GTK 3 and GTK 4, linked with them. */
const SPEAKERS = /\/libatk-bridge-2\.0\.so|\/libgtk-4\.so/;
/** The environment of a program that is told not to speak. */
const SILENCED = /(?:^|\0)(?:NO_AT_BRIDGE=1|GTK_A11Y=none)(?:\0|$)/;

export function followYoungPrograms(
  read: (file: string) => string = (file) => readFileSync(file, 'latin1'),
  now: () => number = () => performance.now(),
): YoungPrograms {
  const others = new Map<number, number>();

  function isOne(pid: number): boolean {
    try {
      const stat = read(`/proc/${pid}/stat`);
      // The name may hold spaces and brackets.
      const started = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]) / TICKS;
      const [up] = read('/proc/uptime').split(' ');
      if (!(Number(up) - started < YOUNG_S)) return false;
      return SPEAKERS.test(read(`/proc/${pid}/maps`)) && !SILENCED.test(read(`/proc/${pid}/environ`));
    } catch {
      // Gone, or another person's.
      return false;
    }
  }
  return {
    mayYetSpeak(pid) {
      if (pid <= 0 || now() - (others.get(pid) ?? Number.NEGATIVE_INFINITY) < KNOWN_MS) return false;
      if (isOne(pid)) return true;
      if (others.size > MOST_KNOWN) others.clear();
      others.set(pid, now());
      return false;
    },
  };
}
