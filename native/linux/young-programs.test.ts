import { expect, test } from 'vitest';
import { followYoungPrograms } from './young-programs.ts';

const STARTED = 5_000;
function machine({ up = STARTED + 1, maps = '/usr/lib/libatk-bridge-2.0.so.0.0.0', environ = 'HOME=/h' } = {}) {
  const read: string[] = [];
  const fields = Array.from({ length: 40 }, (_, n) => (n === 19 ? STARTED * 100 : 'S'));
  const files: Record<string, string> = {
    '/proc/7/stat': `7 (a) b) ${fields.join(' ')}`,
    '/proc/7/maps': maps,
    '/proc/7/environ': environ,
    '/proc/uptime': `${up} 1`,
  };
  const young = followYoungPrograms((file) => {
    read.push(file);
    const text = files[file];
    if (text === undefined) throw new Error('ENOENT');
    return text;
  });
  return { young, read };
}

test('a program of GTK that was started just now may yet speak', () => {
  expect(machine().young.mayYetSpeak(7)).toBe(true);
  expect(machine({ maps: '/usr/lib/libgtk-4.so.1' }).young.mayYetSpeak(7)).toBe(true);
});

test('one that is there for long, one that has nothing to speak by, and one that is told not to, will not', () => {
  expect(machine({ up: STARTED + 6 }).young.mayYetSpeak(7)).toBe(false);
  expect(machine({ maps: '/usr/lib/libX11.so.6' }).young.mayYetSpeak(7)).toBe(false);
  expect(machine({ environ: 'A=1\0NO_AT_BRIDGE=1\0B=2' }).young.mayYetSpeak(7)).toBe(false);
  expect(machine({ environ: 'XNO_AT_BRIDGE=1' }).young.mayYetSpeak(7)).toBe(true);
  expect(machine().young.mayYetSpeak(0)).toBe(false);
});

test('a process that is gone is none, and one that is known is not looked at again', () => {
  const { young, read } = machine();
  expect([young.mayYetSpeak(8), young.mayYetSpeak(8)]).toEqual([false, false]);
  expect(read).toEqual(['/proc/8/stat']);
});

test('this very process is none', () => {
  expect(followYoungPrograms().mayYetSpeak(process.pid)).toBe(false);
});
