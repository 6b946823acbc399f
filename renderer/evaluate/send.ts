import { fileUrl, studioFetch } from '../client/api.ts';
import { tr } from '../language/tr.ts';

/** Sends a file of predictions or cases; gives the name under which the studio keeps it until it is scored. */
export async function sendFile(ws: string, file: File): Promise<string> {
  const response = await studioFetch(fileUrl.predictions(ws), {
    method: 'POST',
    body: file,
    // Never the file's own type: what it is, the studio decides.
    headers: { 'content-type': 'application/octet-stream' },
  });
  const answer: unknown = await response.json().catch(() => null);
  if (typeof answer === 'object' && answer !== null) {
    if ('upload' in answer && typeof answer.upload === 'string') return answer.upload;
    if ('code' in answer && 'message' in answer) throw answer;
  }
  throw {
    code: 'INTERNAL',
    message: tr('The studio refused the file (status {status}).', { status: response.status }),
  };
}

type LineProblem = { file: string; line: number; message: string };

/** Lines that could not be taken, from the error's details; empty for any other error. */
export function problemsOf(error: unknown): { problems: LineProblem[]; count: number } {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : null;
  if (typeof data !== 'object' || data === null || !('problems' in data) || !Array.isArray(data.problems)) {
    return { problems: [], count: 0 };
  }
  const problems = data.problems.flatMap((one: unknown): LineProblem[] => {
    if (typeof one !== 'object' || one === null || !('file' in one && 'line' in one && 'message' in one)) return [];
    return [{ file: String(one.file), line: Number(one.line), message: String(one.message) }];
  });
  return { problems, count: 'count' in data ? Number(data.count) : problems.length };
}
