import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { plainPart } from '../../core/play/eyes-for-tests.ts';
import type { PlayPart } from '../../core/play/part.ts';
import { startXvfb } from '../../native/linux/xvfb-for-tests.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { runPlayer } from './run-player.ts';

/** The process that plays, on a display with nothing on it. */

const VIEW = { x: 0, y: 0, width: 320, height: 240 };

async function played(partsOf: (black: PlayPart, grey: string) => PlayPart[], patienceMs: number) {
  const server = await startXvfb('320x240x24');
  onTestFinished(server.close);
  const folders = temporaryFolders();
  onTestFinished(folders.clean);
  const folder = folders.make();
  const drawn = async (background: string): Promise<string> => {
    const file = join(folder, `${background.slice(1)}.png`);
    await sharp({ create: { width: VIEW.width, height: VIEW.height, channels: 3, background } })
      .png()
      .toFile(file);
    return file;
  };
  const plain = plainPart(VIEW);
  const picture = { file: await drawn('#000'), ...VIEW };
  const tap = [
    { type: 'keydown' as const, t: 0, code: 'KeyA' },
    { type: 'keyup' as const, t: 20_000, code: 'KeyA' },
  ];
  const parts = partsOf({ ...plain, before: picture, after: picture, events: tap }, await drawn('#888'));
  const said: string[] = [];
  const ended = await runPlayer(
    { parts, restless: null, pace: 'ready', patienceMs, startNs: String(process.hrtime.bigint()), clock: [] },
    { ...process.env, ...server.env },
    { onBegan: (step) => said.push(`began ${step}`), onStep: ({ step, verdict }) => said.push(`${step} ${verdict}`) },
    AbortSignal.timeout(60_000),
  );
  return { said, ended };
}

test('PL1, PL8: steps are told as they begin and are judged, in order, and each has its looks in the play’s own time', async () => {
  const { said, ended } = await played((black) => ['a', 'b'].map((step) => ({ ...black, step })), 3000);
  expect(said).toEqual(['began a', 'a same', 'began b', 'b same']);
  expect(ended.stopped).toBeNull();
  for (const { seen } of ended.steps) {
    expect(seen?.before).toBeGreaterThan(0);
    expect(seen?.after).toBeGreaterThan(seen?.before ?? 0);
  }
});

test('PL2: a change that does not come is waited for, and the play stops at its step', async () => {
  const { said, ended } = await played(
    (black, grey) => [
      { ...black, step: 'a' },
      { ...black, step: 'b', after: { file: grey, ...VIEW } },
      { ...black, step: 'c' },
    ],
    300,
  );
  expect(said).toEqual(['began a', 'a same', 'began b', 'b different']);
  expect(ended.stopped).toEqual({ step: 'b', why: expect.stringMatching(/^1200 of the 1,200 parts/) });
  expect(ended.took).toBeGreaterThanOrEqual(300);
});
