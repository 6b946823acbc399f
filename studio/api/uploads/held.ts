import { folderBytes } from '../../files/kept/size.ts';
import { sentBy } from '../../store/senders.ts';
import type { Workspace } from '../../store/workspace.ts';

/** What a member has sent and the workspace still holds. */
export type MemberHolds = { recordings: number; bytes: number };
export type HeldBy = {
  of(member: string): Promise<MemberHolds>;
  /** Something of theirs came. */
  changed(member: string): void;
};

/** So long a count holds, ms: somebody with a thousand recordings sends them one after another. */
const COUNTED_MS = 60_000;

/** Recordings in the trash do not count: whoever empties it frees their room. */
export function heldIn(workspace: Workspace, now: () => number = () => performance.now()): HeldBy {
  const last = new Map<string, { at: number; held: Promise<MemberHolds> }>();
  return {
    of(member) {
      const known = last.get(member);
      if (known && now() - known.at < COUNTED_MS) return known.held;
      const mine = { at: now(), held: count(workspace, member) };
      last.set(member, mine);
      mine.held.catch(() => {
        if (last.get(member) === mine) last.delete(member);
      });
      return mine.held;
    },
    changed: (member) => void last.delete(member),
  };
}

async function count(workspace: Workspace, member: string): Promise<MemberHolds> {
  const ids = await sentBy(workspace.store, member);
  const held: MemberHolds = { recordings: 0, bytes: 0 };
  if (ids.size === 0) return held;
  for (const { id, folder } of await workspace.listAll()) {
    if (!ids.has(id)) continue;
    held.recordings++;
    held.bytes += await folderBytes(folder);
  }
  return held;
}
