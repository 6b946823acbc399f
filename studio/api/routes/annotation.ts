import type { StoredTransaction } from '../../../schemas/annotation.ts';
import type { OpenWorkspace } from '../../library/open-workspace.ts';
import { api, safely } from './base.ts';

/** Annotation documents: studio/annotate does the work, here it meets the wire. */
export const annotationRoutes = {
  annotation: {
    get: api.annotation.get.handler(async ({ context, input: { ws, recording } }) =>
      (await context.workspaces.get(ws)).documents.get(recording),
    ),
    apply: api.annotation.apply.handler(async ({ context, input: { ws, recording, transaction, person } }) =>
      (await context.workspaces.get(ws)).documents.apply(recording, transaction, person),
    ),
    undo: api.annotation.undo.handler(async ({ context, input: { ws, recording, person } }) =>
      (await context.workspaces.get(ws)).documents.undo(recording, person),
    ),
    redo: api.annotation.redo.handler(async ({ context, input: { ws, recording, person } }) =>
      (await context.workspaces.get(ws)).documents.redo(recording, person),
    ),
    history: api.annotation.history.handler(async ({ context, input: { ws, recording, action, limit } }) =>
      (await context.workspaces.get(ws)).documents.history(recording, { action, limit }),
    ),
    watch: api.annotation.watch.handler(async ({ context, input: { ws, recording, since }, signal }) => {
      const open = await context.workspaces.get(ws);
      // Asked here, so that an unknown recording is an answer and not a stream that breaks.
      await open.workspace.getRecording(recording);
      return safely(follow(open, recording, since, signal));
    }),
    proposals: api.annotation.proposals.handler(async ({ context, input: { ws, recording, action } }) =>
      (await context.workspaces.get(ws)).documents.proposals(recording, action),
    ),
    grow: api.annotation.grow.handler(async ({ context, input: { ws, recording, action, x, y } }) =>
      (await context.workspaces.get(ws)).documents.grow(recording, action, x, y),
    ),
    vocabulary: api.annotation.vocabulary.handler(async ({ context, input: { ws, software } }) =>
      (await context.workspaces.get(ws)).documents.vocabulary(software),
    ),
  },
};

/**
 * Every transaction after `since`, in order, each once. What is sent is always read from the database, so that a
 * transaction of another process (the command line) comes like one of this.
 */
async function* follow(
  open: OpenWorkspace,
  recording: string,
  since: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredTransaction> {
  // Before the first look: nothing can come between the look and the listening.
  const stirred = open.annotated.subscribe(signal);
  let version = since;
  for (;;) {
    for (const transaction of await open.documents.since(recording, version)) {
      version = transaction.version;
      yield transaction;
    }
    if ((await stirred.next()).done) return;
  }
}
