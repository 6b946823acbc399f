import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { CUA_VERIFIER_BENCH } from '../../../core/export/cua-verifier/log.ts';
import {
  ANNOTATION_COLUMNS,
  standingJudging,
  TRAJECTORY_COLUMNS,
  verifierRows,
} from '../../../core/export/cua-verifier/rows.ts';
import type { LeftOut } from '../../../core/export/model.ts';
import type { NamedPicture } from '../../../core/export/pictures.ts';
import { plainWords } from '../../../core/export/plain.ts';
import { append } from '../../../core/lists.ts';
import { plural } from '../../../core/words.ts';
import type { PanelShown } from '../../../schemas/api/judges.ts';
import { keyOfPanel } from '../../recordings/judge-log.ts';
import { openShards } from './parquet.ts';
import type { FormatWriter, WriterContext } from './writer.ts';

/** CUAVerifierBench: two tables, as its maker's builder writes them (`trajectories/train-00000-of-00001.parquet`). */

/** The split of rows that stand in none. */
const WHOLE = 'train';
/**
 * The pictures of a trajectory stand in one cell, which is read as a whole by every reader, ours too: more than this is no row,
 * bytes.
 */
const MOST_OF_A_ROW = 256_000_000;

export async function openCuaVerifierBench(folder: string, context: WriterContext): Promise<FormatWriter> {
  const split = context.split ?? WHOLE;
  const open = async (name: string, columns: typeof TRAJECTORY_COLUMNS) => {
    await mkdir(path.join(folder, name), { recursive: true });
    const { sizes, signal, pictures } = context;
    const shards = openShards(path.join(folder, name), split, columns, { ...sizes, signal, pictures });
    return { ...shards, counted: `${name}/${split}-*.parquet` };
  };
  const trajectories = await open('trajectories', TRAJECTORY_COLUMNS);
  const annotations = await open('annotations', ANNOTATION_COLUMNS);
  const counts = { [trajectories.counted]: 0, [annotations.counted]: 0, images: 0, comments: 0 };
  const leftOut: LeftOut[] = [];
  const panels = new Map<string, PanelShown['panel']>();
  return {
    async add(task) {
      const made = verifierRows(task, { comments: context.options.comments !== 'no' });
      append(leftOut, made.leftOut);
      if (made.trajectory === null) return;
      const bytes = await bytesOf(made.trajectory.screenshots, context);
      if (bytes > MOST_OF_A_ROW) {
        const reason = `its screenshots are ${Math.round(bytes / 1e6)} MB, and a row holds ${MOST_OF_A_ROW / 1e6} MB`;
        leftOut.push({ item: task.id, from: CUA_VERIFIER_BENCH, reason });
        return;
      }
      await trajectories.write(made.trajectory);
      counts[trajectories.counted]!++;
      counts.images! += made.trajectory.n_screenshots;
      for (const { name } of made.trajectory.screenshots) context.tick(name);
      // In an order that is no one's: neither by name nor by who reviewed first.
      const order = (person: string): string => createHash('sha256').update(`${task.id} ${person}`).digest('hex');
      for (const { person, ...row } of made.annotations.toSorted((a, b) =>
        order(a.person) < order(b.person) ? -1 : 1,
      )) {
        await annotations.write({ ...row, annotator: `Judge${context.numberOf(person)}` });
        counts[annotations.counted]!++;
        counts.comments! += [row.outcome_comment, row.process_comment].filter((text) => text !== '').length;
      }
      const standing = standingJudging(task);
      if (standing) panels.set(keyOfPanel(standing.panel), standing.panel);
    },
    async finish() {
      await trajectories.finish();
      await annotations.finish();
      return { counts, leftOut, about: await panelLines([...panels.values()], context.panels) };
    },
    // Parquet files are opened for each write and held open by nobody.
    abandon: async () => undefined,
  };
}

async function bytesOf(pictures: readonly NamedPicture[], context: WriterContext): Promise<number> {
  let bytes = 0;
  for (const { picture, name } of pictures) bytes += await context.pictures.size(picture.path, name);
  return bytes;
}

/** The worth of each panel whose verdicts stand in the rows, as far as that is known. */
async function panelLines(
  panels: readonly PanelShown['panel'][],
  worth: WriterContext['panels'],
): Promise<readonly string[]> {
  if (panels.length === 0) return [];
  const known = new Map((await worth?.())?.map((one) => [keyOfPanel(one.panel), one.card]));
  const sorted = panels.map((panel) => ({ panel, key: keyOfPanel(panel) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  return sorted.map(({ panel, key }) => {
    const models = panel.models.map((name) => plainWords(name)).join(', ');
    const who = `- Panel of ${models}, ${plural(panel.prompts, 'wording')} each, at ${plainWords(panel.origin)}`;
    return `${who}: ${worthOf(known.get(key))}`;
  });
}

const share = (value: number): string => value.toFixed(3);

function worthOf(card: PanelShown['card'] | undefined): string {
  if (!card) return 'nothing is known here of what it is worth.';
  const { labels, figures } = card;
  if (figures === null)
    return `nothing can be said of what it is worth: ${plural(labels.all, 'recording')} that it judged ${labels.all === 1 ? 'has' : 'have'} a label by plays or reviews, and ${labels.needed} are needed.`;
  const said = (name: string, one: typeof figures.precision): string =>
    one === null
      ? `${name} unknown (n = 0)`
      : `${name} ${share(one.value)} (95 % ${share(one.low)} to ${share(one.high)}, n = ${one.n})`;
  return `${said('precision', figures.precision)}, ${said('NPV', figures.npv)}, by ${plural(labels.all, 'recording')} that it judged and plays (${labels.verify}) or reviews (${labels.review}) label; unsure of ${figures.unsure} of them.`;
}
