import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Keyframe, KeyframeIndex } from '../../../schemas/recording.ts';
import { writeFileAtomic } from '../../files/atomic.ts';
import { copyFrom } from '../../files/inside.ts';
import { cutKeyframes } from '../../recordings/cut.ts';
import { type CliContext, examples } from '../context.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type Options = WorkspaceOption & { out?: string; anew?: boolean };

/** `keyframes ID`: the screen before and after each action (K1, K2). */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('keyframes')
    .argument('<id>', "the recording's id or its beginning")
    .description('cut the screen before and after each action as lossless pictures')
    .option('--out <dir>', 'write 0001-before.png, 0001-after.png, … and index.json there')
    .option('--anew', 'cut all pictures again from the master recording')
    .action((id: string, options: Options) => keyframes(id, options, context));
  workspaceOption(command);
  examples(command, [['keyframes 2026 --workspace W --out frames', 'the one recording whose id starts with 2026']]);
}

async function keyframes(id: string, options: Options, context: CliContext): Promise<void> {
  const out = options.out === undefined ? null : resolve(options.out);
  if (out !== null && existsSync(out) && readdirSync(out).length > 0) {
    throw new StudioError('TARGET_EXISTS', `${out} is not empty. Give another --out, or remove it.`, { out });
  }
  await inWorkspace(options.workspace, async (workspace) => {
    const entry = await workspace.resolveRecording(id);
    const { folder } = entry;
    const ffmpeg = await findFfmpeg();
    const derived = await cutKeyframes(folder, ffmpeg, {
      anew: options.anew === true,
      onProgress: (done, all) => {
        if (done === all || done % 50 === 0) context.progress(`${done} of ${plural(all, 'picture')}`);
      },
    });
    const index =
      out === null
        ? derived.keyframes
        : copyOut(
            derived.keyframes,
            derived.actions.map((a) => a.id),
            folder,
            out,
          );
    const target = out ?? join(folder, 'keyframes');
    context.result(
      { ...index, folder: target },
      `${plural(index.keyframes.length, 'picture')} of ${plural(derived.actions.length, 'action')} in ${target}`,
    );
  });
}

/** Copies the stills under names that sort by action: 0001-before.png, 0001-after.png. */
function copyOut(index: KeyframeIndex, order: readonly string[], folder: string, out: string): KeyframeIndex {
  mkdirSync(out, { recursive: true });
  const rank = new Map(order.map((id, at) => [id, at + 1]));
  const digits = Math.max(4, String(order.length).length);
  const keyframes = index.keyframes.map((keyframe): Keyframe => {
    const file = `${String(rank.get(keyframe.action) ?? 0).padStart(digits, '0')}-${keyframe.role}.png`;
    copyFrom(folder, `keyframes/${keyframe.file}`, join(out, file));
    return { ...keyframe, file };
  });
  const copy = { ...index, keyframes };
  writeFileAtomic(join(out, 'index.json'), `${JSON.stringify(copy, null, 2)}\n`);
  return copy;
}
