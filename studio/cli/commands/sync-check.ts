import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { ERROR_EXIT } from '../../../schemas/errors.ts';
import type { SyncReport } from '../../../schemas/recording.ts';
import { FORGET_MINUTES } from '../../../schemas/shortcuts.ts';
import type { CaptureOrder } from '../../capture/protocol.ts';
import { newRecordingId, removeFolder, startRecording } from '../../capture/start.ts';
import { type CliContext, examples } from '../context.ts';
import { parseWhole } from '../values.ts';

type Options = { fps: string; paints: string; display?: string };

/** `sync-check`: does a frame's time tell when its picture was on the screen? (C4) */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('sync-check')
    .description('paint changes at known times, record them, and report how far off the frames are')
    .option('--fps <number>', 'frames a second, 5 to 60', '30')
    .option('--paints <number>', 'changes to paint', '100')
    .option('--display <id>', 'the display, from 1 (default: the primary one)')
    .action((options: Options) => check(options, context));
  examples(command, [
    ['sync-check', 'a hundred changes at 30 frames a second: about ten seconds'],
    ['sync-check --fps 60 --paints 20 --json', 'quicker, for a script'],
  ]);
}

async function check(options: Options, context: CliContext): Promise<void> {
  const fps = parseWhole('--fps', options.fps, 5, 60);
  const paints = parseWhole('--paints', options.paints, 4, 1000);
  const display = options.display === undefined ? null : parseWhole('--display', options.display, 1, 64);
  const parent = mkdtempSync(join(tmpdir(), 'trajectory-sync-'));
  try {
    const id = newRecordingId();
    const order: CaptureOrder = {
      id,
      folder: join(parent, id),
      app: { id: 'sync-check', name: 'sync-check' },
      task: { id: 'SYNC_1', goal: 'sync check' },
      person: null,
      tool: { name: 'trajectory-studio', version: context.version },
      target: { kind: 'display', display },
      fps,
      durationMs: 1,
      countdownSeconds: 0,
      shortcuts: {},
      forgetMs: FORGET_MINUTES.usual * 60_000,
      exclude: [],
      only: [],
      paints: { start: paints, end: 0 },
      minFreeBytes: 0,
    };
    context.progress(
      `painting ${plural(paints, 'change')} at ${fps} frames a second; a small square flickers in a corner …`,
    );
    const running = startRecording(order, (message) => {
      if (message.type === 'notice') context.progress(`notice ${message.code}: ${message.message}`);
    });
    const { sync, capture } = await running.result;
    if (sync?.verdict !== 'ok') context.setStatus(ERROR_EXIT.SYNC_FAILED);
    context.result({ fps, grabber: capture.grabber, mode: capture.mode, sync }, describe(sync, capture.grabber));
  } finally {
    await removeFolder(parent);
  }
}

/** For people: the verdict in words, and below it the figures; pictures that were dropped where there are any. */
export function describe(sync: SyncReport | null, grabber: string): string {
  if (!sync) return 'The sync check did not run.';
  const dropped = sync.dropped ? `; ${sync.dropped} dropped` : '';
  return [
    `sync ${sync.verdict} (${grabber}): ${sync.message}`,
    `  found ${sync.found} of ${sync.paints}; exact ${(sync.exact * 100).toFixed(1)} %; median ${ms(sync.offsetUs)}, 95 % within ${ms(sync.jitterUs)}, worst ${ms(sync.maxErrorUs)}${dropped}`,
  ].join('\n');
}

const ms = (us: number) => `${(us / 1000).toFixed(2)} ms`;
