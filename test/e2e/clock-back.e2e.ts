import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { reduceResultSchema } from '../../schemas/actions.ts';
import { isInput } from '../../schemas/events.ts';
import { type NewWorkspace, startRecorder, studioMust } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { onDisplay } from '../support/on-display.ts';
import { click, handsFor, perform } from '../support/person.ts';
import { problemsOf, readEvents, readFrames, readRecording } from '../support/recordings.ts';

/** The machine's clock is set back while something is recorded, as by a time server or by hand (C1: times are of a clock that only goes on). */

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 640, height: 480 }, (made) => {
  ({ display, workspace } = made);
});

it.runIf(fs.existsSync(LIBRARY))(
  'a clock that is set back by two hours moves no event and no picture, and the next recording has an id of its own',
  async () => {
    const clock = path.join(workspace.path, '..', 'clock');
    fs.writeFileSync(clock, '+0\n');
    const env = {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
    const hands = await handsFor(display, 'human');
    const record = async (meanwhile: () => void) => {
      const recorder = await startRecorder(display, { workspace: workspace.path, syncCheck: true, env });
      await perform(display, hands, [click(200, 200)]);
      meanwhile();
      await perform(display, hands, [click(300, 200)]);
      return (await recorder.stop()).line;
    };
    const first = await record(() => fs.writeFileSync(clock, '-2h\n'));
    const second = await record(() => undefined);
    try {
      for (const { folder } of [first, second]) {
        const { verdict, sync } = readRecording(folder);
        expect(await problemsOf(folder)).toEqual([]);
        expect(verdict).toMatchObject({ kind: 'complete', endedBy: 'signal' });
        expect(sync?.verdict).not.toBe('failed');
        for (const times of [readEvents(folder).filter(isInput), readFrames(folder)].map((lines) =>
          lines.map(({ t }) => t),
        )) {
          expect(times).toEqual(times.toSorted((a, b) => a - b));
          expect((times.at(-1) ?? 0) / 1e6).toBeLessThan(600);
        }
      }
      const started = [first, second].map(({ folder }) => Date.parse(readRecording(folder).clock.startedAt));
      expect((started[0] ?? 0) - (started[1] ?? 0)).toBeGreaterThan(3_600_000);
      const { stdout } = await studioMust(['recordings', '--workspace', workspace.path, '--json']);
      for (const { recording } of [first, second]) expect(stdout).toContain(`"${recording}"`);
      expect(first.recording).not.toBe(second.recording);
      const { json } = await studioMust(['actions', first.recording, '--workspace', workspace.path, '--json']);
      expect(reduceResultSchema.parse(json).actions.map(({ kind }) => kind)).toEqual(['click', 'click']);
    } finally {
      fs.rmSync(clock, { force: true });
    }
  },
);
