import { tr } from '../language/tr.ts';

/** What a gesture did, in the language shown: the workspace keeps it in English. */
export function labelWords(label: string): string {
  const many = /^Remove (\d+) steps$/.exec(label);
  return many ? tr('Remove {chosen} steps', { chosen: Number(many[1]) }) : tr(label);
}
