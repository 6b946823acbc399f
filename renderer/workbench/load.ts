import { client, fileUrl, studioFetch } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import type { Transport } from './document/sync.ts';

/** The recorded frame `i` as the studio cuts it: lossless. Throws with the studio's own words when it cannot. */
export async function loadFrame(ws: string, recording: string, i: number, signal: AbortSignal): Promise<Blob> {
  const response = await studioFetch(fileUrl.frame(ws, recording, i), { signal });
  if (!response.ok) throw new Error(await messageOf(response));
  return response.blob();
}

/** The answer of a plain route that fails: `{code, message}`, or only a status. */
async function messageOf(response: Response): Promise<string> {
  try {
    const body: unknown = await response.json();
    if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string') {
      return body.message;
    }
  } catch {
    // No JSON: the status has to do.
  }
  return tr('The studio answered {status}.', { status: response.status });
}

type Of = { ws: string; recording: string; document: string; person: string | null };

/** The annotation procedures of one document. Gestures carry who made them. */
export function transportOf({ ws, recording, document, person }: Of): Transport {
  const asker = person === null ? {} : { person };
  const of = { ws, recording, document, ...asker };
  const { annotation } = client;
  return {
    get: () => annotation.get(of),
    apply: (transaction) => annotation.apply({ ...of, transaction }),
    undo: () => annotation.undo(of),
    redo: () => annotation.redo(of),
    history: (limit) => annotation.history({ ...of, limit }),
    watch: (since, signal) => annotation.watch({ ...of, since }, { signal }),
  };
}
