import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type NewWorkspace, startRecorder } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { loudest, onsetsIn, type SoundServer, startMicrophone } from '../support/microphone.ts';
import { onDisplay } from '../support/on-display.ts';
import { openPainter } from '../support/paints.ts';
import { chord, click, handsFor, perform, type Step } from '../support/person.ts';
import { readEvents, readFrames, readRecording, sessionUs } from '../support/recordings.ts';
import { SHORTCUTS } from '../support/shortcuts.ts';
import { until } from '../support/until.ts';

/** The voice beside a recording: on its clock, not in a pause, and nothing that the recording itself hangs on. */

let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 1024, height: 768 }, (made) => {
  ({ display, workspace } = made);
});
const play = async (...steps: Step[]) => perform(display, await handsFor(display, 'fast'), steps);
/** Sound is on the recording's clock by this at least; test/bench/voice.bench.ts prints by how much. µs. */
const NEAR = 250_000;

it('a click that is heard and seen lies at one time; nothing of a pause is in the sound; without the microphone it goes on', () =>
  heardAndSeen('pulseaudio'));

it('the same on PipeWire', () => heardAndSeen('pipewire'));

async function heardAndSeen(server: SoundServer): Promise<void> {
  const painter = await openPainter(display, 300, 200, 300, 300);
  const microphone = await startMicrophone(display, server);
  const { env, device } = microphone;
  const recorder = await startRecorder(display, { workspace: workspace.path, env, args: ['--voice', device] });
  const { started, folder } = recorder;
  await until('the voice', () => started.stderr().includes('your voice is recorded'), { seen: started.stderr });

  await play(click(450, 350));
  const heard = await microphone.click();
  await until('the flash', () => painter.paints().length === 1);
  const isPaused = (type: 'pause' | 'resume') => () =>
    readEvents(folder, 'torn-end-allowed').some((event) => event.type === type && event.reason === 'user');
  await play(chord(...SHORTCUTS.pause));
  await until('the pause', isPaused('pause'));
  const secret = await microphone.click();
  await play(chord(...SHORTCUTS.pause));
  await until('the end of the pause', isPaused('resume'));
  const again = await microphone.click();

  await microphone.server.stop();
  const lost = () => started.stderr().includes('notice voice-lost');
  await until('the loss to be noticed', lost, { timeoutMs: 60_000, seen: started.stderr });
  await play(click(460, 360));
  await until('the second flash', () => painter.paints().length === 2);
  const { line } = await recorder.stop();

  const recording = readRecording(line.folder);
  expect(recording.verdict).toMatchObject({ kind: 'complete', missing: [] });
  expect(recording.voice).toEqual({ rate: 16_000 });
  expect(recording.warnings.map(({ code }) => code)).toContain('voice-lost');
  const session = (us: number): number => sessionUs(recording, us);
  const onsets = onsetsIn(line.folder);
  const onsetOf = ({ asked, over }: { asked: number; over: number }) =>
    onsets.find((t) => t > session(asked) - NEAR && t < session(over) + NEAR);
  const [paint] = painter.paints();
  const seen = readFrames(line.folder).find(({ t }) => t >= session(paint!.before))!;
  const onset = onsetOf(heard)!;
  const [sound, picture] = [onset - session(heard.asked), seen.t - session(paint!.before)].map((us) => us / 1000);
  process.stdout.write(`heard ${sound!.toFixed(1)} ms after it was asked for, seen ${picture!.toFixed(1)} ms after\n`);
  expect(onset).toBeDefined();
  expect(onsetOf(again)).toBeDefined();
  const [pause, resume] = ['pause', 'resume'].map(
    (type) => readEvents(line.folder).find((one) => one.type === type && 'reason' in one && one.reason === 'user')!.t,
  );
  // The click of the pause was played in it, and is not there.
  expect(session(secret.asked)).toBeGreaterThan(pause!);
  expect(session(secret.over)).toBeLessThan(resume!);
  expect(loudest(line.folder, pause!, resume!)).toBe(0);
  expect(fs.statSync(path.join(line.folder, 'voice.wav')).mode & 0o077).toBe(0);
}
