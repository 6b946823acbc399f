import { sqlOf } from '../../studio/store/store.ts';
import { openWorkspace } from '../../studio/store/workspace.ts';

/** A workspace with many tasks, as a team's library grows to. The same each time. */

const VERBS = ['Crop', 'Brighten', 'Duplicate', 'Align', 'Export', 'Animate', 'Trim', 'Subtitle', 'Recolour', 'Mask'];
const THINGS = ['the title slide', 'a portrait', 'two clips', 'the logo', 'every layer', 'the chart', 'a landscape'];
const WAYS = [
  'without losing quality',
  'for a talk',
  'to half its size',
  'in black and white',
  'and save it as a copy',
];
const PLATFORMS = ['Windows', 'macOS', 'Linux', ''];

/** A goal that only task `n` (from 0) has. */
export const goalOf = (n: number): string =>
  `${VERBS[n % VERBS.length]} ${THINGS[n % THINGS.length]} ${WAYS[n % WAYS.length]} (number ${n + 1})`;

/** Makes the workspace, or adds to one, `count` tasks over the software it knows. Gives how many each software got. */
export async function fillLibrary(dir: string, count: number): Promise<Map<string, number>> {
  const workspace = openWorkspace(dir, { create: true });
  try {
    const software = await workspace.listSoftware();
    const made = new Map<string, number>();
    const rows = Array.from({ length: count }, (_, n) => {
      const { id, prefix } = software[n % software.length] ?? { id: '', prefix: '' };
      const number = (made.get(id) ?? 0) + 1;
      made.set(id, number);
      return {
        id: `${prefix}_${number}`,
        prefix,
        number,
        software_id: id,
        goal: goalOf(n),
        state: n % 11 === 0 ? ('closed' as const) : ('open' as const),
        created_by: null,
        created_at: new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString(),
        platform: PLATFORMS[n % PLATFORMS.length] ?? '',
      };
    });
    // SQLite takes a limited number of values in one statement.
    for (let at = 0; at < rows.length; at += 500) {
      await sqlOf(workspace.store)
        .insertInto('tasks')
        .values(rows.slice(at, at + 500))
        .execute();
    }
    return made;
  } finally {
    workspace.close();
  }
}
