import { describe, expect, it } from 'vitest';
import { safeLink } from './links.ts';
import { transcriptLines } from './transcript.ts';

describe('a transcript', () => {
  it('is read from WebVTT without its tags and repeated lines', () => {
    const file =
      'WEBVTT\n\n00:01.500 --> 00:03.000\n<c>Open</c> the tab\n\n00:03.000 --> 00:04.000\nOpen the tab\n\n01:00:00.000 --> 01:00:02.000\nDone';
    expect(transcriptLines(file)).toEqual([
      { start: 1.5, text: 'Open the tab' },
      { start: 3600, text: 'Done' },
    ]);
  });

  it('is read from SubRip with its numbers left out and its lines joined', () => {
    expect(transcriptLines('1\r\n00:00:02,250 --> 00:00:04,000\r\nInsert\r\nthe picture\r\n')).toEqual([
      { start: 2.25, text: 'Insert the picture' },
    ]);
  });

  it('is read from plain text with and without times', () => {
    expect(transcriptLines('\uFEFF[1:05] Crop it\n\nNo time here\n0:07 and go on')).toEqual([
      { start: 65, text: 'Crop it' },
      { start: null, text: 'No time here' },
      { start: 7, text: 'and go on' },
    ]);
  });

  it('never takes markup for anything but text', () => {
    expect(transcriptLines('<img src=x onerror=alert(1)>')).toEqual([
      { start: null, text: '<img src=x onerror=alert(1)>' },
    ]);
  });
});

it('links only to web addresses', () => {
  expect(safeLink(' https://example.org/v?x=1 ')).toBe('https://example.org/v?x=1');
  expect(safeLink('javascript:alert(1)')).toBeNull();
  expect(safeLink('/etc/passwd')).toBeNull();
  expect(safeLink('')).toBeNull();
});
