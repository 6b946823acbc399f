import { rmSync } from 'node:fs';
import { bytesInWords } from '../../../core/words.ts';
import type { UploadWelcome } from '../../../schemas/api/uploads.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { isLive } from '../../capture/recover.ts';
import { withFolderLock } from '../../files/folder-lock.ts';
import { folderIn } from '../../files/inside.ts';
import { carriedTexts } from '../../import/carried.ts';
import { LIMITS } from '../../import/limits.ts';
import { listFiles } from '../../import/unpack.ts';
import { isOfVoice } from '../../recordings/voice.ts';
import type { Workspace } from '../../store/workspace.ts';
import { trashRecording } from '../recordings.ts';
import { type Journal, readJournal, tidyOutgoing, writeJournal } from './journal.ts';
import { OUTGOING_FOLDER, openParcel, type Parcel, packParcel } from './parcel.ts';
import {
  clockWarning,
  greet,
  greetAgain,
  type PushPatience,
  refuseUnreadable,
  type SentParcel,
  sendParcel,
} from './send.ts';
import type { TeamServer } from './wire.ts';

/** A recording of this machine to a team's server: as often as it is begun, from where it stopped, and once. */

export type PushWishes = {
  server: TeamServer;
  /** With what the person said while recording. */
  voice: boolean;
  /** The local copy is removed once the server has confirmed every hash. */
  free: boolean;
  /** This program's version. */
  version: string;
  signal: AbortSignal;
  report(share: number, message: string): void;
  patience?: PushPatience;
  chunkBytes?: number;
};

export type Pushed = {
  recording: string;
  to: string;
  /** Bytes of the archive, and how many were sent this time. */
  bytes: number;
  sentBytes: number;
  /** How often the connection was lost this time. */
  failures: number;
  /** The server had it already. */
  known: boolean;
  /** How many files the server confirmed by their hashes. */
  confirmed: number;
  /** Without annotation, tags and files of the task: the token may not bring them. */
  bare: boolean;
  freed: boolean;
  warnings: string[];
};

/**
 * Throws UNREACHABLE, SIGNED_OUT, FORBIDDEN, FUTURE_VERSION, UNKNOWN_RECORDING, WORKSPACE_BUSY while it is recorded, USAGE for one
 * that is larger than the server takes or cannot be freed without a loss, what the server refuses, CANCELLED.
 */
export async function pushRecording(workspace: Workspace, given: string, wishes: PushWishes): Promise<Pushed> {
  const { id, folder } = await workspace.resolveRecording(given);
  if (isLive(folder)) {
    throw new StudioError('WORKSPACE_BUSY', `${id} is being recorded. Stop the recording first.`, { recording: id });
  }
  if (wishes.free && !wishes.voice) refuseSilent(id, folder);
  const outgoing = folderIn(workspace.dir, OUTGOING_FOLDER);
  const { signal, report } = wishes;
  return withFolderLock(outgoing, `push-${id}`, () => pushOne(workspace, id, wishes), {
    signal,
    onWait: () => report(0, 'waiting for another program that sends this recording'),
  });
}

async function pushOne(workspace: Workspace, id: string, wishes: PushWishes): Promise<Pushed> {
  const { server, free, voice, signal, report } = wishes;
  const before = readJournal(workspace, id);
  const isSame = before !== null && before.to === server.origin && before.confirmedAt === null;
  const welcome = await (isSame && before.upload !== null ? greetAgain(server, wishes) : greet(server, signal));
  const parcel = await parcelFor(workspace, id, { ...wishes, isSame, welcome });
  refuseUnreadable(parcel, welcome, server.origin);
  if (parcel.bytes > welcome.mostBytes) {
    throw new StudioError(
      'USAGE',
      `${id} has ${bytesInWords(parcel.bytes)}, and ${server.origin} takes at most ${bytesInWords(welcome.mostBytes)}. Its administrator can raise it (serve --upload-limit).`,
      { bytes: parcel.bytes },
    );
  }
  let journal: Journal = {
    version: 1,
    to: server.origin,
    upload: isSame ? before.upload : null,
    free,
    voice,
    startedAt: new Date().toISOString(),
    confirmedAt: null,
  };
  writeJournal(workspace, id, journal);
  const sent = await sendParcel({
    server,
    ws: welcome.ws,
    parcel,
    upload: journal.upload,
    begun: (upload) => {
      journal = { ...journal, upload };
      writeJournal(workspace, id, journal);
    },
    signal,
    report: (share, message) => report(0.1 + 0.9 * share, message),
    ...(wishes.patience && { patience: wishes.patience }),
    ...(wishes.chunkBytes !== undefined && { chunkBytes: wishes.chunkBytes }),
  });
  journal = { ...journal, confirmedAt: new Date().toISOString() };
  writeJournal(workspace, id, journal);
  const freed = free && (await freeLocal(workspace, id, sent));
  journal = { ...journal, freed };
  tidyOutgoing(workspace, id, journal);
  report(1, 'confirmed');
  return pushedOf(id, { welcome, parcel, sent, freed, free, to: server.origin });
}

function pushedOf(
  recording: string,
  told: { welcome: UploadWelcome; parcel: Parcel; sent: SentParcel; freed: boolean; free: boolean; to: string },
): Pushed {
  const { welcome, parcel, sent, freed, to } = told;
  const { receipt, sentBytes, failures } = sent;
  const clock = clockWarning(welcome);
  const kept =
    told.free && !freed
      ? ['the local copy stays: the work on it went on differently at the server, which kept its own']
      : [];
  return {
    recording,
    to,
    bytes: parcel.bytes,
    sentBytes,
    failures,
    known: receipt.known.includes(recording),
    confirmed: receipt.files.length,
    bare: parcel.bare,
    freed,
    warnings: [...(clock === null ? [] : [clock]), ...parcel.leftOut, ...receipt.warnings, ...kept],
  };
}

type Fitting = PushWishes & { isSame: boolean; welcome: UploadWelcome };

/** The one that is on its way, where it is still what is wanted; else a new one. */
async function parcelFor(workspace: Workspace, id: string, wishes: Fitting): Promise<Parcel> {
  const { voice, version, signal, report, isSame, welcome } = wishes;
  const bare = !welcome.whole;
  const packed = isSame ? openParcel(workspace, id) : null;
  if (packed && packed.voice === voice && packed.bare === bare) return packed;
  const carried = (recording: string) => carriedTexts(workspace, recording);
  const packing = (share: number, message: string): void => report(0.1 * share, message);
  return packParcel(workspace, id, { bare, voice, carried, version, signal, report: packing });
}

/** Whether what a person said lies in this recording's folder. */
export const hasVoice = (folder: string): boolean => listFiles(folder, LIMITS).some(({ parts }) => isOfVoice(parts));

/** Throws USAGE rather than to remove what nobody else has. */
function refuseSilent(id: string, folder: string): void {
  if (!hasVoice(folder)) return;
  throw new StudioError(
    'USAGE',
    `${id} has a voice, which is not sent unless you say so; freed, it would be lost. Send it along with --voice, or leave out --free.`,
    { recording: id },
  );
}

/** Removes the folder; what was said of the recording stays in the database. False where the server kept other work. */
async function freeLocal(workspace: Workspace, id: string, { receipt }: SentParcel): Promise<boolean> {
  if (receipt.forked.includes(id)) return false;
  const { trash } = await trashRecording(workspace, id);
  rmSync(trash, { recursive: true, force: true });
  return true;
}
