import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { contract } from '../../schemas/api/contract.ts';
import { ERROR_EXIT } from '../../schemas/errors.ts';

type Document = Awaited<ReturnType<OpenAPIGenerator['generate']>>;

const ERROR = {
  type: 'object',
  required: ['code', 'message', 'details'],
  properties: {
    code: { type: 'string', enum: Object.keys(ERROR_EXIT) as string[], description: 'Stable; never renamed' },
    message: { type: 'string', description: 'What happened, where, and what to do' },
    details: { type: 'object', additionalProperties: true },
  },
} satisfies NonNullable<NonNullable<Document['components']>['schemas']>[string];

const failure = {
  description: 'An error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};
const inPath = (name: string, description: string) =>
  ({ name, in: 'path', required: true, schema: { type: 'string' }, description }) as const;
const inQuery = (name: string, description: string) =>
  ({ name, in: 'query', required: true, schema: { type: 'string' }, description }) as const;
const inHeader = (name: string, description: string) =>
  ({ name, in: 'header', required: true, schema: { type: 'string' }, description }) as const;
const file = (type: string) => ({
  '200': { description: 'The whole file', content: { [type]: {} } },
  '206': { description: 'The range asked for', content: { [type]: {} } },
  default: failure,
});

/** The plain routes, which the contract's procedures do not describe. Their own server: they lie beside /api. */
const FILES = {
  '/files/{ws}/recordings/{recording}/frames/{i}.png': {
    get: {
      operationId: 'files.frame',
      summary: 'A recorded frame, lossless',
      parameters: [inPath('ws', 'Workspace'), inPath('recording', 'Recording'), inPath('i', 'Index of the frame')],
      responses: file('image/png'),
    },
  },
  '/files/{ws}/recordings/{recording}/playback.mp4': {
    get: {
      operationId: 'files.playback',
      summary: 'The playback copy',
      parameters: [inPath('ws', 'Workspace'), inPath('recording', 'Recording')],
      responses: file('video/mp4'),
    },
  },
  '/files/{ws}/recordings/{recording}/voice.wav': {
    get: {
      operationId: 'files.voice',
      summary: 'What was said while it was made; its first sample is at the session’s zero',
      parameters: [inPath('ws', 'Workspace'), inPath('recording', 'Recording')],
      responses: file('audio/wav'),
    },
  },
  '/files/{ws}/recordings/{recording}/page.json': {
    get: {
      operationId: 'files.page',
      summary: 'Steps, frames and geometry; changes with the raw files and the rules alone',
      parameters: [inPath('ws', 'Workspace'), inPath('recording', 'Recording')],
      responses: {
        '200': {
          description: 'What `recordings.open` says, without `recordings.now`',
          content: { 'application/json': {} },
        },
        '304': { description: 'As it was when the ETag was given' },
        default: failure,
      },
    },
  },
  '/files/{ws}/export-preview': {
    post: {
      operationId: 'files.preview',
      summary: 'The question and the answer of `exports.preview`, sent as they were written',
      parameters: [inPath('ws', 'Workspace')],
      requestBody: { required: true, content: { 'application/json': {} } },
      responses: { '200': { description: 'The preview', content: { 'application/json': {} } }, default: failure },
    },
  },
  '/files/{ws}/attachments/{attachment}': {
    get: {
      operationId: 'files.attachment',
      summary: 'A file of a task',
      parameters: [inPath('ws', 'Workspace'), inPath('attachment', 'Attachment')],
      responses: file('application/octet-stream'),
    },
  },
  '/files/{ws}/attachments': {
    post: {
      operationId: 'files.attach',
      summary: 'Attach a file to a task; the body is the file',
      parameters: [
        inPath('ws', 'Workspace'),
        inQuery('task', 'Task'),
        inQuery('role', 'material, project, result, query-start, query-end, source-video or transcript'),
        inQuery('name', 'What the file is called'),
      ],
      requestBody: { required: true, content: { 'application/octet-stream': {} } },
      responses: { '201': { description: 'The attachment', content: { 'application/json': {} } }, default: failure },
    },
  },
  '/files/{ws}/uploads': {
    post: {
      operationId: 'uploads.begin',
      summary: 'Begin to send an archive, by tus 1.0.0; a server of a team alone takes uploads',
      parameters: [
        inPath('ws', 'Workspace'),
        inHeader('Tus-Resumable', '1.0.0'),
        inHeader('Upload-Length', 'How many bytes it has'),
      ],
      responses: { '201': { description: 'Its address is in Location' }, default: failure },
    },
  },
  '/files/{ws}/uploads/{upload}': {
    patch: {
      operationId: 'uploads.append',
      summary: 'Send the next bytes; HEAD says in Upload-Offset where they go on',
      parameters: [
        inPath('ws', 'Workspace'),
        inPath('upload', 'Upload'),
        inHeader('Tus-Resumable', '1.0.0'),
        inHeader('Upload-Offset', 'Where they begin, bytes'),
      ],
      requestBody: { required: true, content: { 'application/offset+octet-stream': {} } },
      responses: { '204': { description: 'Upload-Offset says how far it is' }, default: failure },
    },
    delete: {
      operationId: 'uploads.remove',
      summary: 'Give an upload up',
      parameters: [inPath('ws', 'Workspace'), inPath('upload', 'Upload'), inHeader('Tus-Resumable', '1.0.0')],
      responses: { '204': { description: 'Its bytes are removed' }, default: failure },
    },
  },
  '/files/{ws}/recordings/{recording}/{size}.jpg': {
    get: {
      operationId: 'files.smallPicture',
      summary: "The screen of the recording's first step, small",
      parameters: [
        inPath('ws', 'Workspace'),
        inPath('recording', 'Recording'),
        inPath('size', 'small (for a row of a list) or medium (beside one)'),
      ],
      responses: { '200': { description: 'The picture', content: { 'image/jpeg': {} } }, default: failure },
    },
  },
  '/files/{ws}/predictions': {
    post: {
      operationId: 'files.sendPredictions',
      summary: 'Send a file of predictions or of critic scores, to be named in `evaluate.score` or `evaluate.judge`',
      parameters: [inPath('ws', 'Workspace')],
      requestBody: { required: true, content: { 'application/x-ndjson': {} } },
      responses: { '201': { description: '{upload}', content: { 'application/json': {} } }, default: failure },
    },
  },
  '/files/{ws}/live/{run}/screen': {
    get: {
      operationId: 'files.liveScreen',
      summary:
        'The stage of a run that goes on, without an end: what changed, frame by frame (core/play/live-frames.ts)',
      parameters: [inPath('ws', 'Workspace'), inPath('run', 'A run of `runs.live`')],
      responses: file('application/octet-stream'),
    },
  },
  '/files/{ws}/runs/{run}/{file}': {
    get: {
      operationId: 'files.run',
      summary: 'A file of a scored run',
      parameters: [
        inPath('ws', 'Workspace'),
        inPath('run', 'Run'),
        inPath('file', 'result.json, cases.jsonl or predictions.jsonl'),
      ],
      responses: file('application/octet-stream'),
    },
  },
  '/files/{ws}/question-sets/{set}/predictions.jsonl': {
    get: {
      operationId: 'files.predictionTemplate',
      summary: 'A file of predictions to be filled in: a line a question, with the form of its answer',
      parameters: [
        inPath('ws', 'Workspace'),
        inPath('set', 'Question set'),
        inQuery('file', 'A file of the question set; once for each that is wanted'),
      ],
      responses: { '200': { description: 'JSON Lines', content: { 'application/x-ndjson': {} } }, default: failure },
    },
  },
  '/files/{ws}/question-sets/{set}/{folder}/{name}': {
    get: {
      operationId: 'files.questionPicture',
      summary: 'A picture of a question',
      parameters: [
        inPath('ws', 'Workspace'),
        inPath('set', 'Question set'),
        inPath('folder', 'The folder that the question names'),
        inPath('name', 'The name that the question names'),
      ],
      responses: file('image/*'),
    },
  },
} satisfies Document['paths'];

/** The API's description (OpenAPI 3.1), made from the contract. */
export async function describeApi(version: string): Promise<Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document = await generator.generate(contract, {
    info: {
      title: 'Trajectory Studio',
      version,
      description:
        'Everything that the pages do. Scripts send `Authorization: Bearer TOKEN`, with the token that `npm start` printed. Errors are `{code, message, details}`.',
    },
    servers: [{ url: '/api' }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Error: ERROR } },
  });
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {})) {
      if (typeof operation === 'object' && 'responses' in operation)
        Object.assign(operation.responses ?? {}, { default: failure });
    }
  }
  const files = Object.entries(FILES).map(([path, item]) => [path, { ...item, servers: [{ url: '/' }] }]);
  return { ...document, paths: { ...document.paths, ...Object.fromEntries(files) } };
}
