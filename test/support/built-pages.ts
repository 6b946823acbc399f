import { ensurePages } from '../../studio/api/build-pages.ts';

/** Before the first page test: two studios that are started at once would build the pages over each other. */
export default async function setup(): Promise<void> {
  await ensurePages(() => {});
}
