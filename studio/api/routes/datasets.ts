import { FORMATS } from '../../../core/export/formats.ts';
import { formatSchema } from '../../../schemas/api/datasets.ts';
import { dismissGroup, findDuplicates, readDuplicates } from '../../datasets/duplicates.ts';
import {
  checkExport,
  getExport,
  listExports,
  previewOf,
  requestsOf,
  runExport,
  suggestOut,
} from '../../datasets/exports.ts';
import { freezeVersion } from '../../datasets/freeze.ts';
import { datasetRows, maskDataRows } from '../../datasets/rows.ts';
import { rowOf } from '../../datasets/snapshot.ts';
import { applySplit, leaksOf, planSplit } from '../../datasets/splits.ts';
import { statisticsOf } from '../../datasets/statistics.ts';
import { assignSplits, tagRecordings } from '../../datasets/tags.ts';
import { compareVersions, listVersions, readVersion } from '../../datasets/versions.ts';
import type { OpenWorkspace } from '../../library/open-workspace.ts';
import { typedPath } from '../../library/recent.ts';
import { api, OK, tell } from './base.ts';

/** Recordings are counted while a page waits for its rows, ms; what is left is a job's. */
const COUNT_MS = 1500;
const COUNTING = 'count';

/** Data sets: studio/datasets does the work, here it meets the wire. */
export const datasetRoutes = {
  dataset: {
    rows: api.dataset.rows.handler(async ({ context, input }) => {
      const open = await context.workspaces.get(input.ws);
      await open.refresh();
      const found = await datasetRows(open.workspace, { budgetMs: COUNT_MS });
      if (found.uncounted > 0) await countInJob(open);
      const mask = await open.reviews.maskOf(input.person);
      return { ...found, rows: await maskDataRows(open.workspace, found.rows, mask) };
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
      planSplit((await context.workspaces.get(ws)).workspace, rule, filter),
    ),
    applySplit: api.dataset.applySplit.handler(async ({ context, input: { ws, rule, filter } }) => {
      const open = await context.workspaces.get(ws);
      const plan = await applySplit(open.workspace, rule, filter);
      tell(open, 'recordings');
      return plan;
    }),
    leaks: api.dataset.leaks.handler(async ({ context, input: { ws, ...limits }, signal }) =>
      leaksOf((await context.workspaces.get(ws)).workspace, limits, { signal, look: false }),
    ),
    findDuplicates: api.dataset.findDuplicates.handler(async ({ context, input: { ws, wishes } }) => {
      const open = await context.workspaces.get(ws);
      return open.jobs.add('duplicates', 'data set', async (tools) => {
        const { goals, screens } = await findDuplicates(open.workspace, wishes, tools);
        tell(open, 'recordings');
        return `${goals.length} groups of tasks, ${screens.length} of screens`;
      });
    }),
    duplicates: api.dataset.duplicates.handler(async ({ context, input }) =>
      readDuplicates((await context.workspaces.get(input.ws)).workspace),
    ),
    dismiss: api.dataset.dismiss.handler(async ({ context, input: { ws, group, dismissed } }) => {
      await dismissGroup((await context.workspaces.get(ws)).workspace, group, dismissed);
      return OK;
    }),
    statistics: api.dataset.statistics.handler(async ({ context, input: { ws, source }, signal }) => {
      const open = await context.workspaces.get(ws);
      await open.refresh();
      return statisticsOf(open.workspace, source, { signal });
    }),
    freeze: api.dataset.freeze.handler(async ({ context, input: { ws, ...wishes } }) => {
      const open = await context.workspaces.get(ws);
      return open.jobs.add('freeze', wishes.name, async (tools) => {
        const { name, counts, hash } = await freezeVersion(open.workspace, wishes, {
          toolVersion: context.version,
          ...tools,
        });
        return `Froze ${name}: ${counts.tasks} tasks, ${counts.actions} actions (${hash.slice(0, 12)})`;
      });
    }),
    versions: api.dataset.versions.handler(async ({ context, input }) =>
      listVersions((await context.workspaces.get(input.ws)).workspace),
    ),
    version: api.dataset.version.handler(async ({ context, input: { ws, name } }) => {
      const version = await readVersion((await context.workspaces.get(ws)).workspace, name);
      const rows = [];
      for await (const one of version.recordings()) rows.push(rowOf(one));
      return { version: version.info, rows };
    }),
    compare: api.dataset.compare.handler(async ({ context, input: { ws, from, to } }) =>
      compareVersions((await context.workspaces.get(ws)).workspace, from, to),
    ),
  },
  exports: {
    formats: api.exports.formats.handler(() => FORMATS.map((format) => formatSchema.parse(format))),
    suggest: api.exports.suggest.handler(async ({ context, input }) => ({
      out: suggestOut((await context.workspaces.get(input.ws)).workspace),
    })),
    preview: api.exports.preview.handler(async ({ context, input: { ws, wishes }, signal }) =>
      previewOf((await context.workspaces.get(ws)).workspace, wishes, signal),
    ),
    start: api.exports.start.handler(async ({ context, input: { ws, wishes, out } }) => {
      const open = await context.workspaces.get(ws);
      const target = typedPath(out, 'out');
      // Refused here, so that a wrong choice is an answer and not a job that fails.
      const names = requestsOf(wishes).map(({ format }) => format.name);
      return open.jobs.add('export', names.join(', '), async (tools) => {
        const results = await runExport(open.workspace, wishes, target, { toolVersion: context.version, ...tools });
        const bytes = results.reduce((sum, result) => sum + result.bytes, 0);
        return `Wrote ${target} (${(bytes / 1e6).toFixed(1)} MB)`;
      });
    }),
    list: api.exports.list.handler(async ({ context, input }) =>
      listExports((await context.workspaces.get(input.ws)).workspace),
    ),
    validate: api.exports.validate.handler(async ({ context, input: { ws, export: id } }) => {
      const open = await context.workspaces.get(ws);
      const { folder } = await getExport(open.workspace, id);
      return open.jobs.add('validate', id, async ({ signal }) => {
        const { ok, problems } = await checkExport(open.workspace, id, signal);
        return ok ? `${folder} is sound` : `${problems.length} problems in ${folder}`;
      });
    }),
  },
};

/** Counts what a page did not wait for; once at a time. */
async function countInJob(open: OpenWorkspace): Promise<void> {
  const jobs = await open.jobs.list();
  if (jobs.some(({ kind, state }) => kind === COUNTING && (state === 'waiting' || state === 'running'))) return;
  await open.jobs.add(COUNTING, 'data set', async ({ signal, report }) => {
    await datasetRows(open.workspace, {
      signal,
      report: (done, all) => report(done / all, `${done} of ${all} counted`),
    });
    tell(open, 'recordings');
    return null;
  });
}
