import { expect, test } from 'vitest';
import { microphoneArgs, openMicrophone, soundSources } from './microphone.ts';

const inputOf = (args: string[]): string => args.slice(args.indexOf('-f'), args.indexOf('-map')).join(' ');

test.each([
  ['linux', null, ['pulse default', 'alsa default']],
  ['linux', 'Headset', ['pulse Headset']],
  ['linux', 'alsa:hw:1,0', ['alsa hw:1,0']],
  ['darwin', null, ['avfoundation :default']],
  ['darwin', 'USB Audio', ['avfoundation :USB Audio']],
  ['win32', 'Microphone (USB)', ['dshow audio=Microphone (USB)']],
] as const)('on %s %s is read by %j', (platform, device, ways) => {
  expect(soundSources(device, platform).map(({ reader, name }) => `${reader} ${name}`)).toEqual(ways);
});

test('a name that names nothing, a system without a usual one, one that is not known', () => {
  expect(() => soundSources('alsa:', 'linux')).toThrow('"alsa:" names no microphone.');
  expect(() => soundSources(null, 'win32')).toThrow('Name the microphone: --voice');
  expect(() => soundSources(null, 'freebsd')).toThrow('No microphone can be recorded on freebsd.');
});

test('ffmpeg is told to read the microphone alone, in one channel of 16,000 samples', () => {
  const pulse = microphoneArgs({ reader: 'pulse', name: 'default' });
  expect(inputOf(pulse)).toBe(
    '-f pulse -name Trajectory Studio -sample_rate 16000 -channels 1 -fragment_size 640 -i default',
  );
  expect(pulse.join(' ')).toContain('-map 0:a:0 -ac 1 -ar 16000 -f s16le');
  expect(inputOf(microphoneArgs({ reader: 'avfoundation', name: ':default' }))).toBe('-f avfoundation -i :default');
});

test('a program that is not there ends with the reason', async () => {
  const microphone = openMicrophone({ path: '/nowhere/ffmpeg' }, { reader: 'pulse', name: 'x' }, () => undefined);
  expect(await microphone.ended).toContain('ENOENT');
});
