import type { CliContext } from './context.ts';

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
