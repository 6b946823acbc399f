import { folderBytes } from '../../files/kept/size.ts';
import { sentBy } from '../../store/senders.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type KeptCount, keptCount } from './kept-count.ts';

/** Recordings that a member has sent and the workspace still holds. */
export type MemberHolds = { recordings: number; bytes: number };
export type HeldBy = {
  of(member: string): Promise<MemberHolds>;
  /** Something of theirs came. */
  changed(member: string): void;
};

/** Recordings in the trash do not count: whoever empties it frees their room. */
export function heldIn(workspace: Workspace): HeldBy {
  const counts = new Map<string, KeptCount<MemberHolds>>();
  return {
    of(member) {
      const known = counts.get(member) ?? keptCount(() => count(workspace, member));
      counts.set(member, known);
      return known.get();
    },
    changed: (member) => counts.get(member)?.changed(),
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
