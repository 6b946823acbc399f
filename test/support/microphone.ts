import fs from 'node:fs';
import path from 'node:path';
import { voicePlace } from '../../studio/recordings/voice-file.ts';
import type { VirtualDisplay } from './display.ts';
import { must, run, type Started } from './process.ts';
import { monotonicUs, until } from './until.ts';

/** A sound server without a sound card: what is played into it is what its microphone hears (PulseAudio's null sink). */
export type Microphone = {
  /** For the program that is to hear it. */
  env: NodeJS.ProcessEnv;
  /** As `record --voice` takes it. */
  device: string;
  server: Started;
  /**
   * Plays a click. CLOCK_MONOTONIC µs: when it was asked for, some 15 ms before it begins, and when it was over. (What is rendered
   * is heard by the microphone a moment before it would be played.)
   */
  click(): Promise<{ asked: number; over: number }>;
};

const SINK = 'talk';
const RATE = 16_000;
/** How long a click is, ms. */
const CLICK_MS = 200;

/** Which of the two sound servers that speak PulseAudio's protocol. */
export type SoundServer = 'pulseaudio' | 'pipewire';

export async function startMicrophone(display: VirtualDisplay, kind: SoundServer = 'pulseaudio'): Promise<Microphone> {
  const runtime = fs.mkdtempSync(path.join(display.home, 'sound-'));
  const { server, env } = await (kind === 'pipewire' ? startPipeWire : startPulseAudio)(display, runtime);
  const file = path.join(runtime, 'click.raw');
  fs.writeFileSync(file, clickSamples());
  const format = ['--raw', `--rate=${RATE}`, '--channels=1', '--format=s16le', '--latency-msec=10'];
  return {
    env,
    device: `${SINK}.monitor`,
    server,
    async click() {
      const asked = monotonicUs();
      await must('pacat', ['--playback', `--device=${SINK}`, ...format, file], { env: { ...process.env, ...env } });
      return { asked, over: monotonicUs() };
    },
  };
}

type StartedServer = { env: NodeJS.ProcessEnv; server: Started };

async function startPulseAudio(display: VirtualDisplay, runtime: string): Promise<StartedServer> {
  const socket = path.join(runtime, 'native');
  const env = { PULSE_SERVER: `unix:${socket}`, XDG_RUNTIME_DIR: runtime, PULSE_RUNTIME_PATH: runtime };
  const modules = [
    `module-null-sink sink_name=${SINK}`,
    `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
  ];
  const words = [
    '-n',
    '-F',
    '/dev/null',
    '--daemonize=no',
    '--exit-idle-time=-1',
    '--use-pid-file=no',
    '--disable-shm=yes',
  ];
  const server = await display.launch('pulseaudio', [...words, ...modules.flatMap((one) => ['-L', one])], env);
  await answers(env, server);
  return { env, server };
}

/** PipeWire, its session manager and what speaks PulseAudio's protocol there; the last one is what is stopped. */
async function startPipeWire(display: VirtualDisplay, runtime: string): Promise<StartedServer> {
  const socket = path.join(runtime, 'pulse', 'native');
  const env = {
    PULSE_SERVER: `unix:${socket}`,
    XDG_RUNTIME_DIR: runtime,
    PIPEWIRE_RUNTIME_DIR: runtime,
    XDG_STATE_HOME: runtime,
    XDG_CONFIG_HOME: runtime,
  };
  const core = await display.launch('pipewire', [], env);
  await until('PipeWire', () => fs.existsSync(path.join(runtime, 'pipewire-0')), { seen: core.stderr });
  await display.launch('wireplumber', [], env);
  const server = await display.launch('pipewire-pulse', [], env);
  await answers(env, server);
  await must('pactl', ['load-module', 'module-null-sink', `sink_name=${SINK}`], { env: { ...process.env, ...env } });
  const has = async () =>
    (await must('pactl', ['list', 'short', 'sources'], { env: { ...process.env, ...env } })).includes(SINK);
  await until('the microphone', has);
  return { env, server };
}

async function answers(env: NodeJS.ProcessEnv, server: Started): Promise<void> {
  const asked = async () => (await run('pactl', ['info'], { env: { ...process.env, ...env } })).status === 0;
  await until('the sound server', asked, { seen: server.stderr });
}

/** A tone of 1 kHz at nearly full height. */
function clickSamples(): Buffer {
  const samples = new Int16Array((RATE * CLICK_MS) / 1000);
  for (let n = 0; n < samples.length; n++) samples[n] = Math.round(28_000 * Math.sin((2 * Math.PI * 1000 * n) / RATE));
  return Buffer.from(samples.buffer);
}

/** When sound begins after at least 50 ms of silence, session time, µs. */
export function onsetsIn(folder: string): number[] {
  const bytes = fs.readFileSync(path.join(folder, 'voice.wav'));
  const onsets: number[] = [];
  let still = RATE;
  for (let at = voicePlace(0), n = 0; at + 1 < bytes.length; at += 2, n++) {
    const isLoud = Math.abs(bytes.readInt16LE(at)) > 3000;
    if (isLoud && still > RATE / 20) onsets.push(Math.round((n * 1e6) / RATE));
    still = isLoud ? 0 : still + 1;
  }
  return onsets;
}

/** The loudest sample between two times, µs. */
export function loudest(folder: string, from: number, to: number): number {
  const bytes = fs.readFileSync(path.join(folder, 'voice.wav'));
  let most = 0;
  for (let at = voicePlace(from); at + 1 < Math.min(bytes.length, voicePlace(to)); at += 2)
    most = Math.max(most, Math.abs(bytes.readInt16LE(at)));
  return most;
}
