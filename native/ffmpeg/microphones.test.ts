import { expect, test } from 'vitest';
import { findMicrophones, microphonesIn } from './microphones.ts';

/** The list of microphones, as ffmpeg 4 to 8 prints it. */
const PULSE = `Auto-detected sources for pulse:
* talk.monitor [Monitor of Null Output] (none)
  alsa_input.usb-1 [Blüe [USB]] (audio)
`;
const ALSA = `Auto-detected sources for alsa:
  null [Discard all samples (playback) or generate zero samples (capture)] (none)
* default [Playback/recording through the PulseAudio sound server] (none)
  jack [JACK Audio Connection Kit] (none)
  hw:CARD=PCH,DEV=0 [HDA Intel PCH, ALC256 Analog] (none)
`;
const MACOS = `[AVFoundation indev @ 0x7f8] AVFoundation video devices:
[AVFoundation indev @ 0x7f8] [0] FaceTime HD Camera
[AVFoundation indev @ 0x7f8] AVFoundation audio devices:
[AVFoundation indev @ 0x7f8] [0] MacBook Pro Microphone
[AVFoundation indev @ 0x7f8] [1] [Loop] back
: Input/output error
`;
const WINDOWS = `[dshow @ 000001] "Integrated Camera" (video)
[dshow @ 000001]   Alternative name "@device_pnp_1"
[dshow @ 000001] "Microphone (USB Audio)" (audio)
[dshow @ 000001]   Alternative name "@device_cm_2"
`;
const WINDOWS_BEFORE = `[dshow @ 000001] DirectShow video devices (some may be both video and audio devices)
[dshow @ 000001]  "Integrated Camera"
[dshow @ 000001] DirectShow audio devices
[dshow @ 000001]  "Microphone (USB Audio)"
`;

test.each([
  ['pulse', PULSE, ['*talk.monitor: Monitor of Null Output', 'alsa_input.usb-1: Blüe [USB]']],
  [
    'alsa',
    ALSA,
    [
      '*alsa:default: Playback/recording through the PulseAudio sound server',
      'alsa:hw:CARD=PCH,DEV=0: HDA Intel PCH, ALC256 Analog',
    ],
  ],
  ['avfoundation', MACOS, ['MacBook Pro Microphone: MacBook Pro Microphone', '[Loop] back: [Loop] back']],
  ['dshow', WINDOWS, ['Microphone (USB Audio): Microphone (USB Audio)']],
  ['dshow', WINDOWS_BEFORE, ['Microphone (USB Audio): Microphone (USB Audio)']],
  ['pulse', 'Cannot list sources: Generic error in an external library\n', []],
])('of %s those alone that hear', (reader, printed, wanted) => {
  const found = microphonesIn(reader, printed.replaceAll('\n', '\r\n'));
  expect(found.map(({ device, name, usual }) => `${usual ? '*' : ''}${device}: ${name}`)).toEqual(wanted);
});

test('without ffmpeg, or on a system without readers, there are none, and it is said why', async () => {
  const found = await findMicrophones({ path: '/nowhere/ffmpeg' }, 'linux');
  expect(found).toMatchObject({ found: [], why: expect.stringContaining('ENOENT') });
  expect(await findMicrophones({ path: '/nowhere/ffmpeg' }, 'freebsd')).toEqual({ found: [], why: '' });
});
