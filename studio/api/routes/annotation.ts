import type { StoredTransaction } from '../../../schemas/annotation.ts';
import type { OpenWorkspace } from '../../library/open-workspace.ts';
import { beginningOf, firstLines } from '../../review/beginning.ts';
import { api, safely } from './base.ts';

/** Annotation documents: studio/annotate does the work, here it meets the wire. */
export const annotationRoutes = {
  annotation: {
    get: api.annotation.get.handler(async ({ context, input: { ws, recording, document, person } }) => {
      const { documents, reviews } = await context.workspaces.get(ws);
      const { what } = await reviews.mayRead(recording, document, person);
      return what === 'all' ? documents.get(recording, person, document) : beginningOf(documents, recording);
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
        const { what } = await reviews.mayRead(recording, document, person);
        if (what === 'all') return documents.history(recording, { ...rest, document });
        return rest.action === undefined ? firstLines(documents, recording, 0) : [];
      },
    ),
    watch: api.annotation.watch.handler(async ({ context, input: { ws, ...asked }, signal }) => {
      const open = await context.workspaces.get(ws);
      // Asked here, so that an unknown recording is an answer and not a stream that breaks.
      const { what } = await open.reviews.mayRead(asked.recording, asked.document, asked.person);
      return safely(follow(open, { ...asked, whole: what === 'all' }, signal));
    }),
    // What is proposed was learnt from a person's own names, and begins their document when they have none.
    proposals: api.annotation.proposals.handler(
      async ({ context, input: { ws, recording, document, person, action } }) => {
        const { documents, reviews } = await context.workspaces.get(ws);
        const readable = await reviews.mayRead(recording, document, person);
        return documents.proposals(recording, action, readable.what === 'all' ? document : readable.own);
      },
    ),
    grow: api.annotation.grow.handler(async ({ context, input: { ws, recording, document, person, action, x, y } }) => {
      const { documents, reviews } = await context.workspaces.get(ws);
      const readable = await reviews.mayRead(recording, document, person);
      return documents.grow(recording, action, { x, y }, readable.what === 'all' ? document : readable.own);
    }),
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
  asked: { recording: string; document?: string | undefined; since: number; whole: boolean },
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredTransaction> {
  // Before the first look: nothing can come between the look and the listening.
  const stirred = open.annotated.subscribe(signal);
  const { recording, document, whole } = asked;
  let version = asked.since;
  const newer = (): Promise<StoredTransaction[]> =>
    whole ? open.documents.since(recording, version, document) : firstLines(open.documents, recording, version);
  for (;;) {
    for (const transaction of await newer()) {
      version = transaction.version;
      yield transaction;
    }
    if ((await stirred.next()).done) return;
  }
}
