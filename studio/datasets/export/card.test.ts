import { expect, test } from 'vitest';
import { draftLines } from '../../../core/export/drafts.ts';
import { countStatistics } from '../../../core/export/statistics.ts';
import { exportCard } from './card.ts';

/** A card is read as Markdown by sites that show it: names that members, recorders' programs and models chose stay words in it. */

const NAMES = [
  '<img src=x onerror=alert(1)>',
  '![seen](https://elsewhere.test/x.png)',
  '[Sign in](javascript:alert(1))',
  'a \\| b | c',
  'two\n\n# lines',
  '`code` **bold**',
];
/** Signs that would be mark-up. */
const MARKS = /(?<!\\)(?:\\\\)*[`*[\]<>]/;

test.each(NAMES)('%s in a table, in a sentence about runs and in one about drafts', (name) => {
  const none = countStatistics().result();
  const one = { ...none, sources: [{ task: name, source: name }], resolutions: [{ name, count: 1 }] };
  const head = { name: 'x', heading: 'X', configs: [], about: [] };
  const run = { model: name, agent: name, personSteps: [], success: true, helped: 0 };
  const card = exportCard(head, one, [], { runs: [run as never] }); // No more of a run is said.
  const rows = card.split('\n').filter((line) => line.startsWith('| ') && line.includes('a') && !line.includes('# '));
  const named = rows.filter((line) => MARKS.test(line));
  expect(named).toEqual([]);
  // A bar of a name is none of the table's.
  const [source] = card.split('\n').filter((_, n, lines) => lines[n - 2]?.startsWith('| Task | Source video'));
  expect(source?.match(/(?<!\\)(?:\\\\)*\|/g)).toHaveLength(3);
  const [runs] = card.split('\n').filter((line) => line.startsWith('They are runs of models'));
  expect(runs?.replaceAll('`runs`', '')).not.toMatch(MARKS);
  const [drafted] = draftLines([{ item: 'a', field: 'goal', by: name, draft: 'd', edited: false }]);
  expect(drafted?.replaceAll('`drafts`', '')).not.toMatch(MARKS);
});
