import { expect, it } from 'vitest';
import { downloadName } from './download.ts';

const DAY = new Date('2026-11-22T10:00:00Z');

it('a file is named after what is in it, of which software, and the day', () => {
  expect(downloadName('pairs', 'Stable Diffusion WebUI', DAY, 'csv')).toBe(
    'pairs-Stable-Diffusion-WebUI-2026-11-22.csv',
  );
  expect(downloadName('insights', null, DAY, 'json')).toBe('insights-2026-11-22.json');
});

it('a software’s name cannot lead out of the folder', () => {
  expect(downloadName('pairs', '../../etc/pass:wd', DAY, 'csv')).toBe('pairs-etc-pass-wd-2026-11-22.csv');
});
