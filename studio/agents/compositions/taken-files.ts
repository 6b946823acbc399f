import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { stageNameOf } from '../../../core/compositions/stages.ts';
import { filesTaken } from '../../../core/compositions/taken-files.ts';
import type { Composition, Member } from '../../../schemas/composition.ts';
import type { MemberResult } from '../../../schemas/composition-run.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { COMPOSITION_LIMITS } from '../../../schemas/limits.ts';
import { hashInside } from '../../files/hash.ts';
import { copyFrom, removeIn, statOf } from '../../files/inside.ts';
import { stageFolder } from '../../play/stage/home.ts';
import type { RunStages } from './run-stages.ts';

/**
 * Files that go over between the stages of a run (CP35). They are read by us, as plain files and never through a link, and put into the
 * other home by a program of that stage, in its cage: what is in a home may lead anywhere.
 */

/** The files that a member was given; or why it cannot begin, and whether that is because a stage gave out. */
type Taken = { files: NonNullable<MemberResult['files']> } | { why: string; stageGone: boolean };

type Wishes = {
  composition: Composition;
  member: Member;
  stages: Pick<RunStages, 'on' | 'hasGone' | 'gone'>;
  before: readonly MemberResult[];
  /** Each file that went over, in words. */
  tell(text: string): void;
};

const PUT_MS = 60_000;
/** $1: the file as it came, $2: its place. It is whole when it is there. */
const PUT = 'mkdir -p "$(dirname "$2")" && cp "$1" "$2.arriving" && mv -fT "$2.arriving" "$2"';

/** Throws what the member's own stage throws, DISK_FULL. */
export async function takeFiles({ composition, member, stages, before, tell }: Wishes): Promise<Taken> {
  const files: NonNullable<MemberResult['files']> = [];
  const own = stageNameOf(composition, member);
  for (const { from, file, to } of filesTaken(member)) {
    const no = (why: string, stageGone = false): Taken => ({ why: `its file ${file} of “${from}” ${why}`, stageGone });
    const source = composition.members.find(({ id }) => id === from);
    const done = before.find((result) => result.member === from);
    if (!source || !done || done.recording === null) return no('is not there, since that was not done');
    const name = stageNameOf(composition, source);
    if (name !== own && (await stages.hasGone(name))) return no(`is lost: ${stages.gone.get(name) ?? ''}`, true);
    const { home } = stages.on(name).stage;
    const found = statOf(home, file);
    if (found === null) return no('is not there: that left no plain file of this name');
    if (found.size > COMPOSITION_LIMITS.takenBytes)
      return no(
        `has ${Math.ceil(found.size / 2 ** 20)} MB, and at most ${COMPOSITION_LIMITS.takenBytes >> 20} MB go over`,
      );
    const { sha256, bytes } = await put(stages.on(own).stage, { home, file, to });
    files.push({ from, file, to, bytes, sha256 });
    const over = name === own ? '' : ` from “${name}”`;
    tell(`${file} of “${from}” is handed over${over} as ${to} (${bytes} bytes, SHA-256 ${sha256.slice(0, 12)}…)`);
  }
  return { files };
}

async function put(
  stage: ReturnType<RunStages['on']>['stage'],
  { home, file, to }: { home: string; file: string; to: string },
): Promise<{ sha256: string; bytes: number }> {
  const folder = join(stageFolder(stage.id), 'run');
  const waiting = `.handed-${randomUUID()}`;
  try {
    copyFrom(home, file, join(folder, waiting), { isNew: true, most: COMPOSITION_LIMITS.takenBytes });
    const sha256 = await hashInside(folder, waiting);
    const bytes = statOf(folder, waiting)?.size ?? 0;
    await stage.run({ command: 'sh', args: ['-c', PUT, 'sh', join(folder, waiting), `~/${to}`] }, PUT_MS);
    const came = statOf(stage.home, to) === null ? null : await hashInside(stage.home, to);
    if (came === sha256) return { sha256, bytes };
    throw new StudioError('CAPTURE_FAILED', `${to} did not come to the stage as it was: something there changes it.`, {
      file: to,
    });
  } finally {
    removeIn(folder, waiting);
  }
}
