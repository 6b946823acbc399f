import type { Attachment } from '../../schemas/api/models.ts';
import { fileUrl } from '../client/api.ts';
import { reportLost, reportUp } from '../client/connection.ts';
import { askerOf } from '../client/queries.ts';
import { tr } from '../language/tr.ts';

export type Upload = { done: Promise<void>; stop: () => void };

/**
 * Sends a file to a task. By XMLHttpRequest, because fetch does not tell how far a body has got. `done` is refused with
 * `{code, message}` of the studio, or CANCELLED after `stop`.
 */
export function upload(
  ws: string,
  task: string,
  role: Attachment['role'],
  file: File,
  onProgress: (share: number) => void,
): Upload {
  const request = new XMLHttpRequest();
  const done = new Promise<void>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      reportUp();
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(bodyError(request.responseText, request.status));
    };
    request.onerror = () => {
      reportLost();
      reject(new TypeError('Failed to fetch'));
    };
    request.onabort = () => reject({ code: 'CANCELLED', message: tr('Stopped. Nothing of the file was kept.') });
  });
  request.open('POST', fileUrl.upload(ws, { task, role, name: file.name, ...askerOf(ws) }));
  // Never the file's own type: what it is, the studio decides.
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.send(file);
  return { done, stop: () => request.abort() };
}

function bodyError(body: string, status: number): { code: string; message: string } {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null && 'code' in parsed && 'message' in parsed)
      return { code: String(parsed.code), message: String(parsed.message) };
  } catch {
    // Not the studio's own words; the status says what there is to say.
  }
  return { code: 'INTERNAL', message: tr('The studio refused the file (status {status}).', { status }) };
}
