import type { ExportPreview, ExportWishes } from '../../schemas/api/datasets.ts';
import { fileUrl, studioJson } from '../client/api.ts';

/** What an export would write: of long recordings megabytes, sent as the studio's thread wrote them. */
export const readPreview = (
  ws: string,
  question: { wishes: ExportWishes; person?: string },
  signal: AbortSignal,
): Promise<ExportPreview> =>
  studioJson(fileUrl.preview(ws), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    signal,
  }) as Promise<ExportPreview>; // The answer of the route.
