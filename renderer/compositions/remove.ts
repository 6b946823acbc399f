import type { QueryClient } from '@tanstack/react-query';
import { client } from '../client/api.ts';
import { askerOf } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { tellDone } from '../ui/toast.ts';
import { dropDraft } from './drafts.ts';

/** Deletes one as it is now; undo has it again as it was. Its runs stay in any case. Throws what the studio says. */
export async function deleteComposition(cache: QueryClient, ws: string, id: string): Promise<void> {
  const { version } = await client.compositions.edit({ ws, ...askerOf(ws), composition: id });
  const { composition } = await client.compositions.remove({ ws, ...askerOf(ws), composition: id, version });
  dropDraft(ws, id);
  const isStale = (): Promise<void> => cache.invalidateQueries({ queryKey: ['of', ws, 'recordings', 'compositions'] });
  await isStale();
  const undo = async (): Promise<void> => {
    await client.compositions.save({ ws, ...askerOf(ws), composition: id, content: composition, version: null });
    await isStale();
  };
  tellDone(tr('“{title}” was deleted.', { title: composition.title }), undo, 'compositions');
}
