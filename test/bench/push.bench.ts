/**
 * A recording to a team's server over a connection that is cut twenty times, with what was sent again.
 *
 *     node test/bench/push.bench.ts [--gigabytes 2] [--cuts 20]
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pushRecording } from '../../studio/session/push/push.ts';
import { QUICK, teamWithWire } from '../../studio/session/push/team-for-tests.ts';
import { flag, machine, machineLine } from '../support/bench.ts';

const BYTES = Math.round(Number(flag('gigabytes') ?? 2) * 1e9);
const CUTS = Number(flag('cuts') ?? 20);
const CHUNK = 8 * 1024 ** 2;
const ID = '20260504-102030-bench001';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'push-bench-'));
const team = await teamWithWire(folder);
try {
  const workspace = await team.machine([ID], BYTES);
  const { token } = await team.token('recorder', ['see', 'record']);
  let cut = 0;
  // Spread over the whole, each at another place within its piece.
  team.wire.cutAfter(() => BYTES / (CUTS + 1) - 1_000_000 + ((cut++ * 777_777) % 2_000_000), CUTS);
  const begun = performance.now();
  const pushed = await pushRecording(workspace, ID, {
    server: { origin: team.origin, token },
    voice: false,
    free: true,
    version: '0.1.0',
    signal: new AbortController().signal,
    report: () => undefined,
    patience: QUICK,
  });
  const seconds = (performance.now() - begun) / 1000;
  const again = pushed.sentBytes - pushed.bytes;
  const lines = [
    `A recording of ${(pushed.bytes / 1e9).toFixed(2)} GB to a team's server on the same machine, cut ${team.wire.cuts()} times`,
    machineLine(await machine()),
    '',
    `  sent again           ${(again / 1e6).toFixed(1)} MB: ${(again / CHUNK).toFixed(1)} pieces of 8 MiB (target: at most ${team.wire.cuts()})`,
    `  files confirmed      ${pushed.confirmed} by their hashes; the copy was freed then: ${pushed.freed}`,
    `  time                 ${seconds.toFixed(0)} s with packing, sending, checking, taking in and reading again`,
  ];
  console.log(lines.join('\n'));
  if (again > team.wire.cuts() * CHUNK || !pushed.freed) process.exitCode = 1;
} finally {
  await team.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
