import { openWorkspace } from '../workspace.ts';
import { callMarks } from './call-marks.ts';
import { openJobs } from './queue.ts';

/** Does small jobs one after another until it is killed: each says its id before it begins, and when its end is stored. */

const [dir = '', config = ''] = process.argv.slice(2);
const jobs = await openJobs(openWorkspace(dir, { create: false }), callMarks(config));
for (let n = 0; ; n++) {
  const asked = { name: 'exports.start', input: { out: `/exports/${n}` }, person: 'Ada' };
  const { id } = await jobs.add(
    'export',
    `of ${n}`,
    async ({ report }) => {
      for (let part = 0; part < 4; part++) {
        report(part / 4, `part ${part}`);
        await new Promise((go) => setTimeout(go, 15));
      }
      return { message: `Wrote ${n}`, result: { n } };
    },
    asked,
  );
  process.stdout.write(`began ${id}\n`);
  await jobs.finished(id);
  process.stdout.write(`ended ${id}\n`);
}
