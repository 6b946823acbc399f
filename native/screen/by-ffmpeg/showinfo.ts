import { KEPT, TICK } from './args.ts';

type ShownFrame = { kind: 'tick' | 'kept'; ptsUs: number };

const LINE = new RegExp(`^\\[(${TICK}|${KEPT}) @ [^\\]]*\\] n: *\\d+ pts: *(-?\\d+) `);

/** A line of ffmpeg's log as a frame: every one grabbed (`tick`), every one kept; null for any other line. */
export function parseShowinfo(line: string): ShownFrame | null {
  const found = LINE.exec(line);
  return found === null ? null : { kind: found[1] === TICK ? 'tick' : 'kept', ptsUs: Number(found[2]) };
}

/** True for log lines worth keeping as the reason of a failure. */
export function isComplaint(line: string): boolean {
  return !/^\[showinfo@/.test(line) && line.trim() !== '';
}
