import { fileURLToPath } from 'node:url';
import type { SessionClock } from '../clock.ts';
import type { PatchProgram } from '../patch-process.ts';

/** The patch program for Windows: PowerShell, part of every Windows 10 and 11, shows a borderless topmost window. */
export function windowsPatch(clock: SessionClock, at: { x: number; y: number; size: number }): PatchProgram {
  const script = fileURLToPath(new URL('./patch.ps1', import.meta.url));
  return {
    command: 'powershell.exe',
    args: [
      ...['-NoLogo', '-NoProfile', '-NonInteractive', '-STA', '-ExecutionPolicy', 'Bypass', '-File', script],
      ...['-X', `${at.x}`, '-Y', `${at.y}`, '-Size', `${at.size}`],
    ],
    toSession: (ns) => clock.fromNs(BigInt(ns)),
  };
}
