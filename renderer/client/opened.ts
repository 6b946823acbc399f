import { joinOpened } from '../../core/annotate/opened.ts';
import type { OpenedRecording, RecordingPage } from '../../schemas/api/models.ts';
import { client, fileUrl, studioJson } from './api.ts';

/**
 * Everything that a page needs of a recording but the pictures. Steps and frames, megabytes of a long one, come as a file that
 * the browser keeps and asks about; the rest is asked for each time.
 */
export async function readOpened(of: { ws: string; recording: string; person?: string }): Promise<OpenedRecording> {
  const [page, now] = await Promise.all([studioJson(fileUrl.page(of.ws, of.recording)), client.recordings.now(of)]);
  return joinOpened(page as RecordingPage, now); // The form that the studio keeps it in.
}
