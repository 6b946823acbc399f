import type { CliContext } from './context.ts';

/** How often a command that counts says where it is, ms. */
const TELL_EVERY_MS = 2000;

/**
 * Says how far a piece of work is: `writing 40 %`, a line for each tenth of each message, not for each call. `share` is
 * 0 to 1.
 */
export function reporter(context: Pick<CliContext, 'progress'>): (share: number, message: string) => void {
  let said = '';
  return (share, message) => {
    const text = `${message} ${Math.floor(share * 10) * 10} %`;
    if (text !== said) context.progress(text);
    said = text;
  };
}

/** Whether it is time for another line: once in two seconds. `anyway`: yes, whatever the time; the next waits again. */
export function everySoOften(): (anyway?: boolean) => boolean {
  let told = 0;
  return (anyway = false) => {
    if (!anyway && performance.now() - told < TELL_EVERY_MS) return false;
    told = performance.now();
    return true;
  };
}
