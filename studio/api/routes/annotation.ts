import { api, safely } from './base.ts';

/** Annotation documents: the session answers as its person may see them, here it meets the wire. */
export const annotationRoutes = {
  annotation: {
    get: api.annotation.get.handler(async ({ context, input: { ws, recording, document, person } }) =>
      (await context.workspaces.get(ws)).as(person).documents.get(recording, document),
    ),
    missing: api.annotation.missing.handler(async ({ context, input: { ws, recording, document, person } }) =>
      (await context.workspaces.get(ws)).as(person).documents.missing(recording, document),
    ),
    apply: api.annotation.apply.handler(async ({ context, input: { ws, recording, document, transaction, person } }) =>
      (await context.workspaces.get(ws)).as(person).documents.apply(recording, transaction, document),
    ),
    undo: api.annotation.undo.handler(async ({ context, input: { ws, recording, document, person } }) =>
      (await context.workspaces.get(ws)).as(person).documents.undo(recording, document),
    ),
    redo: api.annotation.redo.handler(async ({ context, input: { ws, recording, document, person } }) =>
      (await context.workspaces.get(ws)).as(person).documents.redo(recording, document),
    ),
    history: api.annotation.history.handler(async ({ context, input: { ws, recording, person, ...options } }) =>
      (await context.workspaces.get(ws)).as(person).documents.history(recording, options),
    ),
    watch: api.annotation.watch.handler(async ({ context, input: { ws, recording, person, ...options }, signal }) =>
      safely(await (await context.workspaces.get(ws)).as(person).documents.watch(recording, { ...options, signal })),
    ),
    proposals: api.annotation.proposals.handler(
      async ({ context, input: { ws, recording, document, person, action } }) =>
        (await context.workspaces.get(ws)).as(person).documents.proposals(recording, action, document),
    ),
    grow: api.annotation.grow.handler(async ({ context, input: { ws, recording, document, person, action, x, y } }) =>
      (await context.workspaces.get(ws)).as(person).documents.grow(recording, action, { x, y }, document),
    ),
    vocabulary: api.annotation.vocabulary.handler(async ({ context, input: { ws, software, person } }) =>
      (await context.workspaces.get(ws)).as(person).documents.vocabulary(software),
    ),
  },
};
