import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CompositionEdited } from '../../schemas/api/compositions.ts';
import { client } from '../client/api.ts';
import { askerOf } from '../client/queries.ts';
import { toError } from '../ui/errors.ts';
import { editsOf, isUnsaved, kept, mineKept, orphaned, theirsTaken } from './draft.ts';
import { setDraft, updateDraft, useDraft } from './drafts.ts';

/** Nobody has such a composition in this workspace (any more). */
const isGone = (error: unknown): boolean => toError(error).code === 'UNKNOWN_COMPOSITION';

/**
 * The draft of a composition with what its file says meanwhile: a save of somebody else is taken where nothing is written here,
 * and is `theirs` to be decided about where something is.
 */
export function useSaving(ws: string, id: string) {
  const cache = useQueryClient();
  const draft = useDraft(ws, id);
  const [gone, setGone] = useState(false);
  const isNew = draft !== undefined && draft.version === null;
  const file = useQuery({
    queryKey: ['of', ws, 'recordings', 'compositions', id, 'content'],
    queryFn: ({ signal }) => client.compositions.edit({ ws, ...askerOf(ws), composition: id }, { signal }),
    enabled: !isNew,
  });
  const save = useMutation({
    mutationFn: async () => {
      if (!draft) return;
      const sent = draft.now;
      const answer = await client.compositions.save({
        ws,
        ...askerOf(ws),
        composition: id,
        content: sent,
        version: draft.version,
      });
      // What a question that was on its way meanwhile says is older.
      await cache.cancelQueries({ queryKey: ['of', ws, 'recordings', 'compositions', id, 'content'] });
      cache.setQueryData(['of', ws, 'recordings', 'compositions', id, 'content'], answer);
      updateDraft(ws, id, (now) => kept(now, sent, answer));
      setGone(false);
      await cache.invalidateQueries({ queryKey: ['of', ws, 'recordings', 'compositions'] });
    },
    onError: (error) => {
      if (toError(error).code === 'CONFLICT') void file.refetch();
    },
  });
  const read = file.data;
  const isOther = read !== undefined && draft !== undefined && !isNew && read.version !== draft.version;
  const unsaved = draft !== undefined && isUnsaved(draft);
  useEffect(() => {
    if (!read || save.isPending) return;
    if (draft === undefined || (isOther && !unsaved))
      setDraft(ws, id, draft ? theirsTaken(draft, read) : editsOf(read));
  }, [ws, id, read, draft, isOther, unsaved, save.isPending]);
  useEffect(() => {
    if (!isNew && draft !== undefined && file.error && isGone(file.error)) {
      // What is written here is all that is left of it.
      updateDraft(ws, id, orphaned);
      setGone(true);
    }
  }, [ws, id, isNew, draft, file.error]);
  const theirs: CompositionEdited | null = isOther && unsaved && !save.isPending ? read : null;
  return {
    draft,
    file,
    save,
    unsaved,
    /** Somebody removed it while it was edited here. */
    gone: gone && isNew,
    theirs,
    takeTheirs: () => theirs && updateDraft(ws, id, (now) => theirsTaken(now, theirs)),
    keepMine: () => theirs && updateDraft(ws, id, (now) => mineKept(now, theirs)),
  };
}
