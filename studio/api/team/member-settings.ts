import { changedSettings, type Settings } from '../../session/settings.ts';
import { findMember, writeMember } from '../../store/members.ts';
import type { Store } from '../../store/store.ts';

/** A member's own settings, which go with them from browser to browser. `json`: as they are now. */
export function memberSettings(json: string, member: string, store: () => Promise<Store>): Settings {
  return {
    get: () => settingsIn(json),
    async set(values) {
      return (await store()).transaction(async (trx) => {
        const before = settingsIn((await findMember(trx, member))?.settings ?? '{}');
        const { next, text } = changedSettings(before, values);
        await writeMember(trx, member, { settings: text });
        return { ...next };
      });
    },
  };
}

function settingsIn(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
