import { FORMATS } from '../../../core/export/formats.ts';
import { bytesInWords, plural } from '../../../core/words.ts';
import { formatSchema } from '../../../schemas/api/datasets.ts';
import { isActive } from '../../../schemas/api/job-state.ts';
import { dismissGroup, readDuplicates } from '../../datasets/duplicates.ts';
import { getExport, listExports, requestsOf, suggestOut } from '../../datasets/export/exports.ts';
import { assignSplits, tagRecordings } from '../../datasets/tags.ts';
import { readTerms, writeTerms } from '../../datasets/terms.ts';
import { listVersions } from '../../datasets/versions.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import type { Work } from '../../store/jobs/queue.ts';
import { passedOn } from '../write-slowly.ts';
import { api, askedBy, OK, tell } from './base.ts';

/** Recordings are counted while a page waits for its rows, ms; what is left is a job's. */
const COUNT_MS = 1500;
const COUNTING = 'count';

/** Data sets: studio/datasets does the work, here it meets the wire. */
export const datasetRoutes = {
  dataset: {
    rows: api.dataset.rows.handler(async ({ context, input }) => {
      const open = await context.workspaces.get(input.ws);
      await open.refresh();
      const found = await counted(open, input.person, COUNT_MS);
      if (found.uncounted > 0) await countInJob(open);
      return found;
    }),
    tag: api.dataset.tag.handler(async ({ context, input: { ws, ...wanted } }) => {
      const open = await context.workspaces.get(ws);
      await tagRecordings(open.workspace, wanted);
      tell(open, 'recordings');
      return OK;
    }),
    split: api.dataset.split.handler(async ({ context, input: { ws, tasks, split } }) => {
      const open = await context.workspaces.get(ws);
      await assignSplits(
        open.workspace,
        tasks.map((task) => ({ task, split })),
        'hand',
      );
      tell(open, 'recordings');
      return OK;
    }),
    planSplit: api.dataset.planSplit.handler(async ({ context, input: { ws, rule, filter } }) =>
      (await context.workspaces.get(ws)).background.run('split', { rule, filter, apply: false }),
    ),
    applySplit: api.dataset.applySplit.handler(async ({ context, input: { ws, rule, filter } }) => {
      const open = await context.workspaces.get(ws);
      const plan = await open.background.run('split', { rule, filter, apply: true });
      tell(open, 'recordings');
      return plan;
    }),
    leaks: api.dataset.leaks.handler(async ({ context, input: { ws, ...limits }, signal }) =>
      (await context.workspaces.get(ws)).background.run('leaks', limits, { signal }),
    ),
    findDuplicates: api.dataset.findDuplicates.handler(async ({ context, input }) => {
      const open = await context.workspaces.get(input.ws);
      const asked = askedBy(context, 'dataset.findDuplicates', input);
      const work: Work = async (tools) => {
        const { goals, screens } = await open.background.run('duplicates', input.wishes, { ...tools, alone: true });
        tell(open, 'recordings');
        return `${plural(goals, 'group')} of tasks, ${screens} of screens`;
      };
      return open.jobs.add('duplicates', 'data set', work, asked);
    }),
    duplicates: api.dataset.duplicates.handler(async ({ context, input }) =>
      readDuplicates((await context.workspaces.get(input.ws)).workspace),
    ),
    dismiss: api.dataset.dismiss.handler(async ({ context, input: { ws, group, dismissed } }) => {
      await dismissGroup((await context.workspaces.get(ws)).workspace, group, dismissed);
      return OK;
    }),
    statistics: api.dataset.statistics.handler(async ({ context, input: { ws, person, source }, signal }) => {
      const open = await context.workspaces.get(ws);
      await open.refresh();
      return open.as(person).dataset.statistics(source, { signal });
    }),
    terms: api.dataset.terms.handler(async ({ context, input }) =>
      readTerms((await context.workspaces.get(input.ws)).workspace.store),
    ),
    setTerms: api.dataset.setTerms.handler(async ({ context, input: { ws, terms } }) => {
      const open = await context.workspaces.get(ws);
      const kept = await writeTerms(open.workspace.store, terms);
      tell(open, 'recordings');
      return kept;
    }),
    freeze: api.dataset.freeze.handler(async ({ context, input }) => {
      const { ws, ...wishes } = input;
      const open = await context.workspaces.get(ws);
      const work: Work = async (tools) => {
        const { name, counts, hash } = await open.background.run(
          'freeze',
          { wishes, toolVersion: context.version },
          { ...tools, alone: true },
        );
        return `Froze ${name}: ${plural(counts.tasks, 'task')}, ${plural(counts.actions, 'action')} (${hash.slice(0, 12)})`;
      };
      return open.jobs.add('freeze', wishes.name, work, askedBy(context, 'dataset.freeze', input));
    }),
    versions: api.dataset.versions.handler(async ({ context, input }) =>
      listVersions((await context.workspaces.get(input.ws)).workspace),
    ),
    version: api.dataset.version.handler(async ({ context, input: { ws, name } }) =>
      (await context.workspaces.get(ws)).background.run('version', { name }),
    ),
    compare: api.dataset.compare.handler(async ({ context, input: { ws, from, to } }) =>
      (await context.workspaces.get(ws)).background.run('compare', { from, to }),
    ),
  },
  exports: {
    formats: api.exports.formats.handler(() => FORMATS.map((format) => formatSchema.parse(format))),
    suggest: api.exports.suggest.handler(async ({ context, input }) => {
      const { workspace, background } = await context.workspaces.get(input.ws);
      // A page of exports is being opened: a preview is asked for next.
      background.warm('preview');
      return { out: await suggestOut(workspace) };
    }),
    preview: api.exports.preview.handler(async ({ context, input: { ws, person, wishes }, signal }) =>
      passedOn(await (await context.workspaces.get(ws)).as(person).dataset.preview(wishes, { signal })),
    ),
    start: api.exports.start.handler(async ({ context, input }) => {
      const { ws, wishes, out } = input;
      const open = await context.workspaces.get(ws);
      const target = context.path(out, 'out');
      // Refused here, so that a wrong choice is an answer and not a job that fails.
      const names = requestsOf(wishes).map(({ format }) => format.name);
      const work: Work = async (tools) => {
        const { bytes } = await open.background.run(
          'export',
          { wishes, out: target, toolVersion: context.version },
          { ...tools, alone: true },
        );
        return `Wrote ${target} (${bytesInWords(bytes)})`;
      };
      return open.jobs.add(
        'export',
        names.join(', '),
        work,
        askedBy(context, 'exports.start', { ...input, out: target }),
      );
    }),
    list: api.exports.list.handler(async ({ context, input }) =>
      listExports((await context.workspaces.get(input.ws)).workspace),
    ),
    validate: api.exports.validate.handler(async ({ context, input }) => {
      const { ws, export: id } = input;
      const open = await context.workspaces.get(ws);
      const { folder } = await getExport(open.workspace, id);
      const work: Work = async ({ signal }) => {
        const { ok, problems } = await open.background.run('validate', { id }, { signal, alone: true });
        return ok ? `${folder} is sound` : `${plural(problems, 'problem')} in ${folder}`;
      };
      return open.jobs.add('validate', id, work, askedBy(context, 'exports.validate', input));
    }),
  },
};

/** A few recordings are counted at once; many, or long ones, by a thread. */
const FEW_MS = 20;

/** The rows, counted for as long as `budgetMs`. */
async function counted(open: OpenWorkspace, person: string | undefined, budgetMs: number) {
  const { rows } = open.as(person).dataset;
  const found = await rows({ budgetMs: FEW_MS, short: true });
  if (found.uncounted === 0) return found;
  await open.background.run('count', { budgetMs });
  // Recordings that were not counted in that time stay uncounted.
  return rows({ budgetMs: -1 });
}

/** Counts what a page did not wait for; once at a time. */
async function countInJob(open: OpenWorkspace): Promise<void> {
  const jobs = await open.jobs.list();
  if (jobs.some((job) => job.kind === COUNTING && isActive(job))) return;
  await open.jobs.add(COUNTING, 'data set', async ({ signal, report }) => {
    await open.background.run('count', {}, { signal, report, alone: true });
    tell(open, 'recordings');
    return null;
  });
}
