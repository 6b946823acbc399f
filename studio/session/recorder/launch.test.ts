import { expect, test } from 'vitest';
import { speakingArgs, speakingEnv } from '../../../native/elements/speaking.ts';
import { launchCommandOf, launchSpeaking } from './launch.ts';

test('a command line is taken apart as it was typed', () => {
  expect(launchCommandOf(`gimp "my photo.png" --new '' a=b`)).toEqual({
    program: 'gimp',
    args: ['my photo.png', '--new', '', 'a=b'],
  });
  expect(() => launchCommandOf('  ')).toThrow('names no program');
});

test('what keeps a toolkit silent is taken out, and what makes it speak is put beside what is there', () => {
  const env = speakingEnv({ NO_AT_BRIDGE: '1', GTK_A11Y: 'none', GTK_MODULES: 'canberra:gail', HOME: '/h' });
  expect(env).toMatchObject({
    HOME: '/h',
    GTK_MODULES: 'canberra:gail:atk-bridge',
    QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
  });
  expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['NO_AT_BRIDGE']));
  expect(speakingArgs(launchCommandOf('/usr/bin/chromium a'))).toEqual(['--force-renderer-accessibility', 'a']);
  expect(speakingArgs(launchCommandOf('gimp a'))).toEqual(['a']);
});

test('a program that is not there is said by its name', async () => {
  await expect(launchSpeaking(launchCommandOf('no-such-program-4711'), process.env)).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('no-such-program-4711 cannot be started'),
  });
});
