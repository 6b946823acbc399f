import { join } from 'node:path';
import { type ArenaSet, type ArenaTable, arenaSets, arenaTable, type Ranking } from '../../core/agents/arena.ts';
import { agentName } from '../../core/agents/choose-runs.ts';
import { randomFrom, seedOf, shuffled } from '../../core/evaluate/random.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import type { ArenaOutcome, ArenaSetShown } from '../../schemas/api/arena.ts';
import { ARENA_FILE, type Ballot, NEWEST_ARENA_VERSION } from '../../schemas/arena.ts';
import { StudioError } from '../../schemas/errors.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { withFolderLock } from '../files/folder-lock.ts';
import { readRgb, smallJpeg } from '../files/picture.ts';
import { filesOfOutcome } from '../play/checks/outcome.ts';
import { newestBallots, readBallots } from '../store/ballots.ts';
import { taskById } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { endPicture } from './end-picture.ts';
import { agentRuns, type RunRow } from './runs.ts';

/** The arena: what came of runs is ranked by people who do not see whose it is. */

type Arena = Workspace;
type SetRun = { recording: string; task: string; name: string; at: string; answer: string | null };
type Sets = ArenaSet<SetRun>[];

/** Pictures are shown within this, px. */
const SHOWN = { width: 1280, height: 960 };
const LETTERS = 'ABCDE';

/** What a person has not ranked yet. Throws BAD_FILE, FUTURE_VERSION, and what cutting stills throws. */
export async function nextOfArena(
  workspace: Arena,
  person: string,
  ffmpeg: FfmpegInfo,
): Promise<{ done: number; left: number; set: ArenaSetShown | null }> {
  const { done, open } = await setsFor(workspace, person);
  const [set] = open;
  return {
    done: done.length,
    left: open.length,
    set: set ? await shown(workspace, set, person, ffmpeg) : null,
  };
}

/** Keeps a ranking. Throws USAGE where `order` does not have each letter once, CONFLICT for a set that is none any more. */
export async function rankInArena(
  workspace: Arena,
  person: string,
  id: string,
  order: readonly (readonly string[])[],
): Promise<void> {
  const { done, open } = await setsFor(workspace, person);
  const set = [...open, ...done].find((one) => one.id === id);
  if (!set)
    throw new StudioError('CONFLICT', 'These outcomes are not compared any more: newer runs are there. Rank those.', {
      set: id.slice(0, 200),
    });
  const runs = lettered(set, person);
  const letters = order.flat();
  if (letters.length !== runs.size || !letters.every((letter) => runs.has(letter)) || new Set(letters).size < runs.size)
    throw new StudioError('USAGE', `A ranking has each of ${[...runs.keys()].join(', ')} once.`, {
      set: id.slice(0, 200),
    });
  const named = order.map((group) =>
    group.map((letter) => {
      const { recording, name } = runs.get(letter)!; // Looked at above.
      return { recording, name };
    }),
  );
  const at = new Date().toISOString();
  const ballot: Ballot = { version: NEWEST_ARENA_VERSION, at, task: set.task, set: id, person, order: named };
  await changeBallots(workspace, (ballots) => [...ballots, ballot]);
}

/** Takes the person's newest ranking back. Throws USAGE where there is none. */
export async function undoInArena(workspace: Arena, person: string): Promise<void> {
  await changeBallots(workspace, (ballots) => {
    const at = ballots.findLastIndex((ballot) => ballot.person === person);
    if (at < 0) throw new StudioError('USAGE', 'You have ranked nothing yet, so nothing can be taken back.', {});
    return ballots.toSpliced(at, 1);
  });
}

/** What all rankings come to; the names are kept from a `person` who has something to rank. Null `person`: who asks ranks nothing. */
export async function resultOfArena(
  workspace: Arena,
  person: string | null,
): Promise<{ left: number; table: ArenaTable | null }> {
  const left = person === null ? 0 : (await setsFor(workspace, person)).open.length;
  return { left, table: left > 0 ? null : arenaTable(rankingsOf(readBallots(workspace))) };
}

/** A set is known by its runs: when a newer one is there, it is another. */
async function setsFor(workspace: Arena, person: string): Promise<{ done: Sets; open: Sets }> {
  const runs = await agentRuns(workspace);
  const sets = arenaSets(runs.filter(({ goneOnIn }) => goneOnIn === null).map(setRun));
  const ranked = new Set(readBallots(workspace).flatMap((ballot) => (ballot.person === person ? [ballot.set] : [])));
  return { done: sets.filter(({ id }) => ranked.has(id)), open: sets.filter(({ id }) => !ranked.has(id)) };
}

const setRun = ({ recording, head, at, answer }: RunRow): SetRun => ({
  recording,
  task: head.task,
  name: head.agent === 'human' ? 'human' : `${agentName(head)} ${head.model}`,
  at,
  answer: answer || null,
});

const rankingsOf = (ballots: readonly Ballot[]): Ranking[] =>
  newestBallots(ballots).map(({ set, person, order }) => ({
    set,
    person,
    order: order.map((group) => group.map(({ name }) => name)),
  }));

/** The order is each person's own, and stays when they look again. */
function lettered(set: ArenaSet<SetRun>, person: string): Map<string, SetRun> {
  const order = shuffled(set.runs, randomFrom(seedOf(`${person}\n${set.id}`, 0)));
  return new Map(order.map((run, n) => [LETTERS[n] ?? '', run]));
}

async function shown(
  workspace: Arena,
  set: ArenaSet<SetRun>,
  person: string,
  ffmpeg: FfmpegInfo,
): Promise<ArenaSetShown> {
  const { goal } = await taskById(workspace.store, set.task);
  const own = new Set(set.runs.map(({ recording }) => recording));
  const demonstrations = (await workspace.listRecordings()).filter(({ task, id }) => task === set.task && !own.has(id));
  const newest = demonstrations.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0];
  const outcomes: ArenaOutcome[] = [];
  // One after another: pictures take much memory.
  for (const [letter, { recording, answer }] of lettered(set, person)) {
    const { folder } = await workspace.resolveRecording(recording);
    outcomes.push({ letter, answer, ...(await endOf(folder, ffmpeg)) });
  }
  const demonstration = newest ? { answer: null, ...(await endOf(newest.folder, ffmpeg)) } : null;
  return { id: set.id, task: set.task, goal, demonstration, outcomes };
}

async function endOf(folder: string, ffmpeg: FfmpegInfo): Promise<Pick<ArenaOutcome, 'picture' | 'files'>> {
  const file = await endPicture(folder, ffmpeg);
  const jpeg = file ? await smallJpeg(await readRgb(file), SHOWN) : null;
  return { picture: jpeg ? `data:image/jpeg;base64,${jpeg.toString('base64')}` : null, files: filesOfOutcome(folder) };
}

async function changeBallots(workspace: Arena, change: (ballots: Ballot[]) => Ballot[]): Promise<void> {
  await withFolderLock(workspace.dir, 'arena', async () => {
    const ballots = change(readBallots(workspace));
    writeFileAtomic(
      join(workspace.dir, ARENA_FILE),
      ballots.map((ballot) => `${JSON.stringify(ballot)}\n`),
    );
  });
}
