import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { studio } from '../support/cli.ts';
import { startDisplay } from '../support/display.ts';

/** `doctor --prove` on a real display: sixty inputs, made by the X server, on four layouts. */

it('brings back all sixty inputs and the text of each layout, and writes the report', async () => {
  const display = await startDisplay({ width: 1280, height: 800, layout: { layout: 'us,de,fr,ru' } });
  try {
    const out = path.join(display.home, 'proof.json');
    const said = await studio(['doctor', '--prove', '--yes', '--out', out, '--json'], { env: display.env });
    const proof = JSON.parse(fs.readFileSync(out, 'utf8'));
    expect(proof.failure).toBeNull();
    expect(proof.result.actions).toEqual({ exact: 60, of: 60, wrong: [] });
    expect(proof.result.texts).toEqual(
      ['us', 'de', 'fr', 'ru'].map((layout) => ({ layout, exact: 3, of: 3, characters: 36 })),
    );
    expect(proof.result.capture).toMatchObject({ grabber: 'x11-shm', lossless: true });
    expect(said.json).toMatchObject({ file: out, result: { actions: { exact: 60 } } });
  } finally {
    await display.stop();
  }
});

it('does nothing without consent', async () => {
  expect(await studio(['doctor', '--prove'], { env: process.env })).toMatchObject({
    status: 2,
    error: { code: 'USAGE', message: expect.stringContaining('--yes') },
  });
});
