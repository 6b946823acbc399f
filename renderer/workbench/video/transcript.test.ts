import { expect, test } from 'vitest';
import { cueAt, linkAt, parseTranscript } from './transcript.ts';

test('SubRip: numbers, commas, several lines, Windows line ends', () => {
  const srt =
    '1\r\n00:00:01,500 --> 00:00:04,000\r\nOpen the <i>Insert</i> tab\r\nand wait.\r\n\r\n2\r\n01:00:00,000 --> 01:00:01,000\r\nDone.\r\n';
  expect(parseTranscript(srt)).toEqual([
    { start: 1.5, end: 4, text: 'Open the Insert tab and wait.' },
    { start: 3600, end: 3601, text: 'Done.' },
  ]);
});

test('WebVTT: header, note, style, settings, minutes only, voice tags, entities', () => {
  const vtt =
    '\uFEFFWEBVTT - lesson\nKind: captions\n\nNOTE not said\n\nSTYLE\n::cue { color: red }\n\nintro\n00:02.000 --> 00:03.250 align:start\n<v Ann>Ben &amp; Jerry {not a tag}\n';
  expect(parseTranscript(vtt)).toEqual([{ start: 2, end: 3.25, text: 'Ben & Jerry {not a tag}' }]);
});

test('markup that is no tag of the format stays text', () => {
  expect(parseTranscript('00:01.000 --> 00:02.000\n1 < 2 and 3 > 2\n')[0]?.text).toBe('1 < 2 and 3 > 2');
});

test('a plain text gives its paragraphs', () => {
  expect(parseTranscript('First.\n\nSecond\nline.')).toEqual([
    { start: 0, end: 0, text: 'First.' },
    { start: 0, end: 0, text: 'Second line.' },
  ]);
  expect(parseTranscript('')).toEqual([]);
});

test('the cue being said is the last that began', () => {
  const cues = parseTranscript('00:01.000 --> 00:02.000\na\n\n00:05.000 --> 00:06.000\nb');
  expect([0, 1, 4.9, 5, 99].map((s) => cueAt(cues, s))).toEqual([-1, 0, 0, 1, 1]);
});

test('a link opens at the time, and only a link of the web is one', () => {
  expect(linkAt('https://www.youtube.com/watch?v=abc', 61.7)).toBe('https://www.youtube.com/watch?v=abc&t=61s');
  expect(linkAt('https://example.org/film.mp4', 5)).toBe('https://example.org/film.mp4#t=5');
  expect(linkAt('javascript:alert(1)', 5)).toBeNull();
  expect(linkAt('not a link', 5)).toBeNull();
});
