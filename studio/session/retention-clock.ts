import { log, passedOver } from '../../native/log/log.ts';
import { dropMeta, listMeta, writeMeta } from '../store/meta.ts';
import type { Workspace } from '../store/workspace.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { type Deleted, deleteExpired, type Expired, planRetention, type RetentionRules } from './retention.ts';

/** A team's server keeps the rules by itself: what goes is listed some days before, so that people can still freeze or work on it. */

const NOTICES = 'retention:';
/** Between the first list that names a recording and its end, days. */
export const NOTICE_DAYS = 7;
const DAY_MS = 86_400_000;
/** Between two looks, ms. */
const LOOK_MS = 3_600_000;
const FIRST_MS = 60_000;

/** A recording that goes, and when at the earliest, ISO time in UTC. */
export type Coming = Expired & { goesAt: string };

/** Those that a server has listed, the first to go first. */
export async function comingOf(workspace: Workspace, expired: readonly Expired[]): Promise<Coming[]> {
  const noticed = await noticesIn(workspace);
  return expired
    .flatMap((one) => {
      const at = noticed.get(one.id);
      return at === undefined ? [] : [{ ...one, goesAt: goesAt(at) }];
    })
    .sort((a, b) => (a.goesAt < b.goesAt ? -1 : 1));
}

const goesAt = (noticedAt: string): string => new Date(Date.parse(noticedAt) + NOTICE_DAYS * DAY_MS).toISOString();

async function noticesIn({ store }: Workspace): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [id, value] of await listMeta(store, NOTICES)) {
    const at: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'at') : null;
    if (typeof at === 'string' && Number.isFinite(Date.parse(at))) found.set(id, at);
  }
  return found;
}

/**
 * One look: lists what goes by the rules, forgets what no longer does, and deletes what was listed `NOTICE_DAYS` days ago and still
 * goes. Throws what planRetention throws; nothing is deleted then.
 */
export async function keepRules(workspace: Workspace, rules: RetentionRules, now = Date.now()): Promise<Deleted> {
  const { expired } = await planRetention(workspace, rules, now);
  const noticed = await noticesIn(workspace);
  const ids = new Set(expired.map(({ id }) => id));
  for (const id of noticed.keys()) if (!ids.has(id)) await dropMeta(workspace.store, NOTICES + id);
  const due: Expired[] = [];
  for (const one of expired) {
    const at = noticed.get(one.id);
    if (at !== undefined) {
      if (Date.parse(goesAt(at)) <= now) due.push(one);
      continue;
    }
    const first = new Date(now).toISOString();
    await writeMeta(workspace.store, NOTICES + one.id, { at: first });
    log.info('recording will be deleted', { recording: one.id, why: one.why, by: 'server' });
  }
  const done = await deleteExpired(workspace, due, { by: 'server', now });
  for (const { id } of done.deleted) await dropMeta(workspace.store, NOTICES + id);
  return done;
}

/** Looks once an hour, as long as the workspace is open. */
export function retainByItself(open: OpenWorkspace, rules: RetentionRules): { close(): void } {
  if (rules.olderDays === null && rules.rejectedDays === null) return { close: () => undefined };
  let looking = false;
  const look = (): void => {
    if (looking || open.isClosed()) return;
    looking = true;
    keepRules(open.workspace, rules)
      .then(({ deleted }) => {
        if (deleted.length > 0) open.changes.publish({ what: 'recordings' });
      })
      .catch(passedOver('retention not kept', { workspace: open.id }))
      .finally(() => {
        looking = false;
      });
  };
  const first = setTimeout(look, FIRST_MS);
  const timer = setInterval(look, LOOK_MS);
  for (const one of [first, timer]) one.unref();
  return {
    close() {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}
