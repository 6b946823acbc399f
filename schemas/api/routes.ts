/**
 * Plain routes with byte ranges, beside the procedures (all want the token, see studio/api). Apart from the contract, so
 * that the page can name an address without carrying the schemas:
 *   GET  /files/{ws}/recordings/{id}/frames/{i}.png       the recorded frame `i`, lossless (cut and cached)
 *   GET  /files/{ws}/recordings/{id}/playback.mp4         the playback copy
 *   GET  /files/{ws}/recordings/{id}/voice.wav            what was said while it was made
 *   GET  /files/{ws}/recordings/{id}/page.json            steps, frames and geometry: `recordings.open` without `recordings.now`
 *   POST /files/{ws}/export-preview                       the question and the answer of `exports.preview`, as JSON
 *   GET  /files/{ws}/attachments/{attachment}             an attachment, always as a download or an image/video, never as a page
 *   POST /files/{ws}/attachments?task=&role=&name=        the body is the file
 *   POST /files/{ws}/predictions                          the body is the file; answers {upload}
 *   POST /files/{ws}/uploads, HEAD, PATCH and DELETE /files/{ws}/uploads/{upload}   tus 1.0: an archive in pieces, to a team's server
 *   GET  /files/{ws}/live/{run}/screen                     frames of a stage as it changes, without an end
 *   GET  /files/{ws}/runs/{run}/{result.json|cases.jsonl|predictions.jsonl}
 *   GET  /files/{ws}/question-sets/{set}/{folder}/{name}  a picture of a question
 *   GET  /files/{ws}/question-sets/{set}/predictions.jsonl?file=  a file of predictions for these files of it, to be filled in
 */
export const FILE_ROUTES = {
  frame: (ws: string, recording: string, i: number) =>
    `/files/${encodeURIComponent(ws)}/recordings/${encodeURIComponent(recording)}/frames/${i}.png`,
  /** A small picture of the screen at its first step: for a row of a list, or beside one. */
  smallPicture: (ws: string, recording: string, size: 'small' | 'medium') =>
    `/files/${encodeURIComponent(ws)}/recordings/${encodeURIComponent(recording)}/${size}.jpg`,
  playback: (ws: string, recording: string) =>
    `/files/${encodeURIComponent(ws)}/recordings/${encodeURIComponent(recording)}/playback.mp4`,
  voice: (ws: string, recording: string) =>
    `/files/${encodeURIComponent(ws)}/recordings/${encodeURIComponent(recording)}/voice.wav`,
  page: (ws: string, recording: string) =>
    `/files/${encodeURIComponent(ws)}/recordings/${encodeURIComponent(recording)}/page.json`,
  preview: (ws: string) => `/files/${encodeURIComponent(ws)}/export-preview`,
  attachment: (ws: string, attachment: string) =>
    `/files/${encodeURIComponent(ws)}/attachments/${encodeURIComponent(attachment)}`,
  predictions: (ws: string) => `/files/${encodeURIComponent(ws)}/predictions`,
  /** For tus: where uploads begin, and where one goes on. */
  uploads: (ws: string, upload?: string) =>
    `/files/${encodeURIComponent(ws)}/uploads${upload === undefined ? '' : `/${encodeURIComponent(upload)}`}`,
  liveScreen: (ws: string, run: string) => `/files/${encodeURIComponent(ws)}/live/${encodeURIComponent(run)}/screen`,
  run: (ws: string, run: string, file: string) =>
    `/files/${encodeURIComponent(ws)}/runs/${encodeURIComponent(run)}/${encodeURIComponent(file)}`,
  /** `files`: of the question set. */
  template: (ws: string, set: string, files: readonly string[]) =>
    `/files/${encodeURIComponent(ws)}/question-sets/${encodeURIComponent(set)}/predictions.jsonl?${new URLSearchParams(files.map((file) => ['file', file]))}`,
  questionPicture: (ws: string, set: string, image: string) =>
    `/files/${encodeURIComponent(ws)}/question-sets/${encodeURIComponent(set)}/${image.split('/').map(encodeURIComponent).join('/')}`,
} as const;

/** The header by which a page says who works in it, for calls that have no place for it. Encoded as a part of an address. */
export const PERSON_HEADER = 'x-studio-person';
