import type { StoredTransaction } from '../../../schemas/annotation.ts';
import type { OpenWorkspace } from '../../library/open-workspace.ts';
import { api, safely } from './base.ts';

/** Annotation documents: studio/annotate does the work, here it meets the wire. */
export const annotationRoutes = {
  annotation: {
    get: api.annotation.get.handler(async ({ context, input: { ws, recording, document, person } }) => {
      const { documents, reviews } = await context.workspaces.get(ws);
      await reviews.mayRead(recording, document, person);
      return documents.get(recording, person, document);
    }),
    // Who may write is asked with the writing itself, in one SQL transaction.
    apply: api.annotation.apply.handler(async ({ context, input: { ws, recording, document, transaction, person } }) =>
      (await context.workspaces.get(ws)).documents.apply(recording, transaction, person, document),
    ),
    undo: api.annotation.undo.handler(async ({ context, input: { ws, recording, document, person } }) =>
      (await context.workspaces.get(ws)).documents.undo(recording, person, document),
    ),
    redo: api.annotation.redo.handler(async ({ context, input: { ws, recording, document, person } }) =>
      (await context.workspaces.get(ws)).documents.redo(recording, person, document),
    ),
    history: api.annotation.history.handler(
      async ({ context, input: { ws, recording, document, person, ...rest } }) => {
        const { documents, reviews } = await context.workspaces.get(ws);
        await reviews.mayRead(recording, document, person);
        return documents.history(recording, { ...rest, document });
      },
    ),
    watch: api.annotation.watch.handler(async ({ context, input: { ws, ...asked }, signal }) => {
      const open = await context.workspaces.get(ws);
      // Asked here, so that an unknown recording is an answer and not a stream that breaks.
      await open.reviews.mayRead(asked.recording, asked.document, asked.person);
      return safely(follow(open, asked, signal));
    }),
    proposals: api.annotation.proposals.handler(async ({ context, input: { ws, recording, document, action } }) =>
      (await context.workspaces.get(ws)).documents.proposals(recording, action, document),
    ),
    grow: api.annotation.grow.handler(async ({ context, input: { ws, recording, document, action, x, y } }) =>
      (await context.workspaces.get(ws)).documents.grow(recording, action, { x, y }, document),
    ),
    vocabulary: api.annotation.vocabulary.handler(async ({ context, input: { ws, software, person } }) =>
      (await context.workspaces.get(ws)).documents.vocabulary(software, person),
    ),
  },
};

/**
 * Every transaction after `since`, in order, each once. What is sent is always read from the database, so that a
 * transaction of another process (the command line) comes like one of this.
 */
async function* follow(
  open: OpenWorkspace,
  { recording, document, since }: { recording: string; document?: string | undefined; since: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredTransaction> {
  // Before the first look: nothing can come between the look and the listening.
  const stirred = open.annotated.subscribe(signal);
  let version = since;
  for (;;) {
    for (const transaction of await open.documents.since(recording, version, document)) {
      version = transaction.version;
      yield transaction;
    }
    if ((await stirred.next()).done) return;
  }
}
