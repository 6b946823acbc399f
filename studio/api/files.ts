import type { RouteName } from '../../core/team/rights.ts';
import { type Attachment, attachmentSchema } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import { getQuestionSet, questionSetFolder } from '../datasets/evaluate/question-sets.ts';
import { receivePredictions } from '../datasets/evaluate/receive.ts';
import { RUN_FILES, runFile } from '../datasets/evaluate/runs.ts';
import { predictionTemplate } from '../datasets/evaluate/template.ts';
import { folderBlobs } from '../files/blobs/folder.ts';
import { servedType } from '../files/mime.ts';
import { isPlainName } from '../files/names.ts';
import { byOwnHand } from '../play/consent.ts';
import { refuseUnfit } from '../play/refuse-unfit.ts';
import { bytesOfRecording } from '../recordings/bytes.ts';
import { soundBytes } from '../recordings/voice.ts';
import { VOICE_FILE } from '../recordings/voice-file.ts';
import type { OpenWorkspace } from '../session/open-workspace.ts';
import { attach, detach, findAttachment } from '../store/attachments.ts';
import { readRecording } from '../store/recording-folder.ts';
import { askerIn } from './asker.ts';
import { personIn, refuseKeptFile } from './blind.ts';
import { errorResponse } from './errors.ts';
import { liveScreen } from './live-screen.ts';
import { answerPage, answerPreview } from './long-answers.ts';
import { NO_CONTENT_POLICY, pathParts } from './pages.ts';
import { ownPerson, refuseFile } from './rights.ts';
import { keyInside, serveBlob, servedFile } from './serve-file.ts';
import type { AskedStudio } from './studio.ts';
import { serveUploads } from './team/tus.ts';
import { toldError } from './told.ts';
import type { Turns } from './turns.ts';
import { sentSlowly } from './write-slowly.ts';

/** A frame of a recording never changes: raw files are never edited. */
const FOR_EVER = 'private, max-age=31536000, immutable';
/** The rules may choose another frame for it with another version of the program. */
const A_DAY = 'private, max-age=86400';
const ASK_AGAIN = 'private, no-cache';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The plain routes under /files (FILE_ROUTES of the contract). Ids are looked up in the index; no path is ever taken. */
export async function serveFiles(request: Request, studio: AskedStudio, turns: Turns): Promise<Response> {
  try {
    return await route(request, studio, turns);
  } catch (error) {
    return errorResponse(studio.told ? toldError(error, studio.told) : error);
  }
}

async function route(request: Request, studio: AskedStudio, turns: Turns): Promise<Response> {
  const url = new URL(request.url);
  const parts = pathParts(url.pathname);
  const [, ws = '', kind = '', id = '', ...rest] = parts ?? [];
  if (parts === null || ws === '') throw unknown();
  refuseFile(studio.principal, request.method, kind);
  const open = await studio.workspaces.get(ws);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (kind === 'attachments' && id === '' && request.method === 'POST') return upload(request, url, open, studio);
  if (kind === 'predictions' && id === '' && request.method === 'POST') return predictions(request, open);
  if (kind === 'export-preview' && id === '' && request.method === 'POST')
    return turns(askedOf(request, studio, 'exports.preview'), () => answerPreview(request, open, studio.principal));
  if (kind === 'uploads' && rest.length === 0) return serveUploads(request, open, studio, id);
  if (!isRead) throw new StudioError('USAGE', `${url.pathname} is read with GET, not ${request.method}.`, {});
  const asks = ownPerson(studio.principal, personOf(url)) ?? personIn(request.headers);
  if (kind === 'attachments' && UUID.test(id) && rest.length === 0) return attachment(request, asks, open, id);
  if (kind === 'recordings') await refuseKeptFile(open, asks, { recording: id });
  if (kind === 'recordings' && rest.length === 2 && rest[0] === 'frames')
    return frame(request, asks, open, id, rest[1] ?? '');
  if (kind === 'recordings' && rest.length === 1 && (rest[0] === 'small.jpg' || rest[0] === 'medium.jpg'))
    return smallPicture(request, asks, open, id, rest[0] === 'small.jpg' ? 'small' : 'medium');
  if (kind === 'recordings' && rest.length === 1 && rest[0] === 'playback.mp4') return playback(request, open, id);
  if (kind === 'recordings' && rest.length === 1 && rest[0] === 'voice.wav') return voice(request, open, id);
  if (kind === 'recordings' && rest.length === 1 && rest[0] === 'page.json')
    return turns(askedOf(request, studio, 'recordings.open'), () => answerPage(request, open, id, ASK_AGAIN));
  if (kind === 'live' && rest.length === 1 && rest[0] === 'screen')
    return liveScreen(studio.runs.get(open.id, id), request.signal);
  if (kind === 'runs' && rest.length === 1) return evaluationFile(request, open, id, rest[0] ?? '');
  if (kind === 'question-sets' && rest.length === 1 && rest[0] === 'predictions.jsonl')
    return template(request, url, open, id);
  if (kind === 'question-sets') return questionPicture(request, open, id, rest);
  throw unknown();
}

/** A plain route takes the turn of the procedure that gives the same. */
const askedOf = ({ signal }: Request, { principal }: AskedStudio, name: RouteName) => ({ principal, name, signal });

const personOf = (url: URL): string | undefined => url.searchParams.get('person') ?? undefined;
const unknown = (): StudioError => new StudioError('UNKNOWN_FILE', 'There is no such file here.', {});

async function frame(
  request: Request,
  asks: string | undefined,
  open: OpenWorkspace,
  id: string,
  name: string,
): Promise<Response> {
  const match = /^(\d{1,9})\.png$/.exec(name);
  if (!match) throw unknown();
  const { folder } = await open.workspace.getRecording(id);
  const { signal } = request;
  const key = keyInside(folder, await open.as(asks).recordings.framePicture(id, Number(match[1]), { signal }));
  return serveBlob(request, bytesOfRecording(folder), key, { type: 'image/png', cache: FOR_EVER });
}

async function smallPicture(
  request: Request,
  person: string | undefined,
  open: OpenWorkspace,
  id: string,
  size: 'small' | 'medium',
): Promise<Response> {
  const jpeg = await open.as(person).recordings.smallPicture(id, size, { signal: request.signal });
  const headers = { 'content-type': 'image/jpeg', 'cache-control': A_DAY, 'content-length': String(jpeg.length) };
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(jpeg), { headers });
}

async function playback(request: Request, { workspace }: OpenWorkspace, id: string): Promise<Response> {
  const { folder } = await workspace.getRecording(id);
  const name = readRecording(folder).playback;
  if (name === null) {
    throw new StudioError('UNKNOWN_FILE', `Recording ${id} has no playback copy.`, { recording: id });
  }
  return serveBlob(request, bytesOfRecording(folder), name, { type: 'video/mp4', cache: ASK_AGAIN });
}

async function voice(request: Request, { workspace }: OpenWorkspace, id: string): Promise<Response> {
  const { folder } = await workspace.getRecording(id);
  const bytes = bytesOfRecording(folder);
  if ((await soundBytes(bytes)) === 0)
    throw new StudioError('UNKNOWN_FILE', `Recording ${id} has no sound.`, { recording: id });
  return serveBlob(request, bytes, VOICE_FILE, { type: 'audio/wav', cache: ASK_AGAIN });
}

async function attachment(
  request: Request,
  asks: string | undefined,
  open: OpenWorkspace,
  id: string,
): Promise<Response> {
  const { workspace } = open;
  const { path, mime, name, task } = await findAttachment(workspace, id).catch((error: unknown) => {
    // A file that the database names outside does not exist for whoever asks.
    throw error instanceof StudioError && error.code === 'BAD_FILE' ? unknown() : error;
  });
  await refuseKeptFile(open, asks, { task });
  const { type, disposition } = servedType(mime);
  const headers = {
    'content-disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escapeSign)}`,
    'content-security-policy': NO_CONTENT_POLICY,
  };
  const key = keyInside(workspace.dir, path);
  return serveBlob(request, folderBlobs(workspace.dir), key, { type, cache: ASK_AGAIN, headers });
}

const escapeSign = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

async function upload(request: Request, url: URL, open: OpenWorkspace, studio: AskedStudio): Promise<Response> {
  const role = attachmentSchema.shape.role.safeParse(url.searchParams.get('role'));
  const task = url.searchParams.get('task') ?? '';
  const name = url.searchParams.get('name') ?? '';
  if (!role.success || task === '' || name === '') {
    const roles = attachmentSchema.shape.role.options.join(', ');
    throw new StudioError('USAGE', `A file is sent with ?task=ID&role=ROLE&name=NAME; roles: ${roles}.`, {});
  }
  const body = request.body ?? new Blob([]).stream();
  const take = async (): Promise<Attachment> => {
    const made = await attach(open.workspace, { task, role: role.data, name, body, signal: request.signal });
    try {
      const { path } = await findAttachment(open.workspace, made.id);
      refuseUnfit(made.role, path);
      return made;
    } catch (error) {
      await detach(open.workspace, made.id);
      throw error;
    }
  };
  const own = role.data === 'recipe' || role.data === 'checks' ? role.data : null;
  const asker = askerIn(studio, ownPerson(studio.principal, personOf(url)));
  const made = await byOwnHand(open.workspace, task, asker, own, take);
  open.changes.publish({ what: 'tasks' });
  return Response.json(made, { status: 201, headers: { 'cache-control': 'no-store' } });
}

async function predictions(request: Request, { workspace }: OpenWorkspace): Promise<Response> {
  const upload = await receivePredictions(workspace, request.body);
  return Response.json({ upload }, { status: 201, headers: { 'cache-control': 'no-store' } });
}

/** The files of a run that can be downloaded: always as a file, never as a page. */
async function evaluationFile(
  request: Request,
  { workspace }: OpenWorkspace,
  id: string,
  name: string,
): Promise<Response> {
  const known = Object.entries(RUN_FILES).find(([shown]) => shown === name)?.[1];
  if (!known) throw unknown();
  const key = keyInside(workspace.dir, runFile(workspace, id, known.file));
  // Without a name: the page's link gives it the run's.
  const headers = { 'content-disposition': 'attachment' };
  return serveBlob(request, folderBlobs(workspace.dir), key, { type: known.type, cache: ASK_AGAIN, headers });
}

/** A file of predictions for files of a question set, to be filled in. */
function template(request: Request, url: URL, { workspace }: OpenWorkspace, id: string): Response {
  const set = getQuestionSet(workspace, id);
  const wanted = url.searchParams.getAll('file');
  const files = set.files.filter(({ file }) => wanted.includes(file));
  if (files.length === 0 || files.length < new Set(wanted).size) {
    const names = set.files.map(({ file }) => file).join(', ');
    throw new StudioError('USAGE', `The files of a question set are named with ?file=NAME. This one has ${names}.`, {});
  }
  const folder = questionSetFolder(workspace, id);
  const lines = predictionTemplate(
    files.map(({ file }) => servedFile(folder, file)),
    set.tasks,
  );
  const headers = {
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-store',
    'content-disposition': 'attachment',
  };
  return new Response(request.method === 'HEAD' ? null : sentSlowly(lines), { headers });
}

const PICTURE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

async function questionPicture(
  request: Request,
  { workspace }: OpenWorkspace,
  set: string,
  path: string[],
): Promise<Response> {
  const type = PICTURE_TYPES[/\.(\w+)$/.exec(path.at(-1) ?? '')?.[1]?.toLowerCase() ?? ''];
  if (!type || path.length > 2 || !path.every(isPlainName)) throw unknown();
  const folder = questionSetFolder(workspace, set);
  return serveBlob(request, folderBlobs(folder), path.join('/'), { type, cache: ASK_AGAIN });
}
