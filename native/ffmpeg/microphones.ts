import { soundsOf } from './input.ts';
import { soundReaders } from './microphone.ts';
import { runFfmpeg } from './run.ts';

/** The microphones of this machine, as ffmpeg's readers name them. */

export type FoundMicrophone = {
  /** The device's name, as `soundSources` takes it. */
  device: string;
  name: string;
  /** The one that the system takes where none is named. */
  usual: boolean;
};

/** A sound server that does not answer is one that is not there, ms. */
const WITHIN_MS = 5000;
const MOST_LOG = 100_000;
const MOST = 100;

/** `why`: the reason, in ffmpeg's words, where none was found. Never throws. */
export async function findMicrophones(
  ffmpeg: { path: string },
  platform: NodeJS.Platform = process.platform,
): Promise<{ found: FoundMicrophone[]; why: string }> {
  let why = '';
  for (const reader of soundReaders(platform)) {
    try {
      const args = ['-hide_banner', '-nostdin', ...soundsOf(reader)];
      const { out, log } = await runFfmpeg(ffmpeg, args, {
        logBytes: MOST_LOG,
        signal: AbortSignal.timeout(WITHIN_MS),
      });
      // Its output comes byte by byte, its log as text.
      const found = microphonesIn(reader, `${Buffer.from(out, 'latin1').toString('utf8')}\n${log}`);
      if (found.length > 0) return { found, why: '' };
      why ||= log.trim().split('\n').at(-1)?.trim() ?? '';
    } catch (error) {
      why ||= error instanceof Error ? error.message : String(error);
    }
  }
  return { found: [], why };
}

/** What ffmpeg printed, as of versions 4 to 8. */
export function microphonesIn(reader: string, printed: string): FoundMicrophone[] {
  const found = new Map<string, FoundMicrophone>();
  const put = (device: string, name: string, usual = false): void => {
    if (device !== '' && !found.has(device) && found.size < MOST)
      found.set(device, { device, name: name || device, usual });
  };
  let isAudio = false;
  for (const line of printed.split(/\r?\n/)) {
    if (reader === 'pulse' || reader === 'alsa') {
      const [, star, device = '', name = ''] = /^([* ]) (\S+) \[(.*)\]/.exec(line) ?? [];
      // Only the plain ways into a card: the others change the sound.
      if (star !== undefined && (reader === 'pulse' || /^(?:default$|hw:|sysdefault:)/.test(device)))
        put(reader === 'pulse' ? device : `${reader}:${device}`, name, star === '*');
      continue;
    }
    const [, head] = /(?:AVFoundation|DirectShow) (audio|video) devices/.exec(line) ?? [];
    if (head !== undefined) {
      isAudio = head === 'audio';
      continue;
    }
    if (reader === 'avfoundation') {
      const [, name] = /\] \[\d+\] (.+)$/.exec(line) ?? [];
      if (isAudio && name !== undefined) put(name, name);
      continue;
    }
    const [, name, kind] = /^\[[^\]]*\]\s+"([^"]+)"(?: \((\w+)(?:, \w+)*\))?$/.exec(line) ?? [];
    if (name !== undefined && (kind === undefined ? isAudio : kind === 'audio')) put(name, name);
  }
  return [...found.values()];
}
