import { createHash } from 'node:crypto';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import { withoutEndSlashes } from './blobs.ts';

/** Requests to S3: signed (aws4fetch), asked again where the other side falters, and refused with words where it refuses. */

export type S3Access = {
  /** `https://s3.eu-central-1.amazonaws.com`, or another program that speaks S3. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
};

export type S3Patience = {
  /** How often a request is made until it is given up. */
  tries: number;
  /** The wait before the second try, ms; twice as long each time. */
  waitMs: number;
  /** How long the other side may say nothing, ms. */
  silenceMs: number;
  /** Bytes a ms at which what is sent must go at least: the other side says nothing while it comes. */
  slowest: number;
};

export const PATIENCE: S3Patience = { tries: 5, waitMs: 200, silenceMs: 30_000, slowest: 16 };

type Wanted = {
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
  signal?: AbortSignal | undefined;
};

type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';

/** An answer with its body. */
export type S3Answer = { status: number; headers: Headers; text: string };
/** An answer whose body is still to be read; that throws where the other side is silent for too long. */
export type OpenS3Answer = {
  status: number;
  headers: Headers;
  pieces(): AsyncGenerator<Uint8Array>;
  /** Nobody reads its body. */
  drop(): Promise<void>;
};

export type S3Requests = {
  /** Answers of 2xx, and 404 and 412, which mean something to who asks. Throws DISK_FAILED, NO_PERMISSION, CANCELLED. */
  send(method: Method, wanted: Wanted): Promise<S3Answer>;
  /** GET of what may be long: of answers of 2xx the body is not read yet. */
  open(wanted: Wanted): Promise<S3Answer | OpenS3Answer>;
  /** Waits before the next try of `what`, or throws DISK_FAILED with the cause when there were enough. */
  again(tries: number, what: string, cause: unknown, signal?: AbortSignal | undefined): Promise<void>;
};

/** Signs with the package that is installed for it. Throws NO_LIBRARY. */
export async function s3Requests(access: S3Access, patience: S3Patience = PATIENCE): Promise<S3Requests> {
  const { AwsClient } = await import('aws4fetch').catch((error: unknown) => {
    throw new StudioError('NO_LIBRARY', NOT_INSTALLED, { library: 'aws4fetch' }, { cause: error });
  });
  const { accessKeyId, secretAccessKey, sessionToken, region, endpoint, bucket } = access;
  const signer = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: 's3',
    region,
  });
  const base = `${withoutEndSlashes(endpoint)}/${bucket}`;
  const place = `s3://${bucket}`;

  async function once(method: Method, { key, query, headers = {}, body, signal }: Wanted): Promise<OpenS3Answer> {
    const url = new URL(key === undefined ? base : `${base}/${key.split('/').map(escaped).join('/')}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    // Space as %20: S3 signs it so.
    url.search = url.search.replaceAll('+', '%20');
    const silence = silenceOf(patience.silenceMs + (body?.length ?? 0) / patience.slowest, signal);
    try {
      const request = await signer.sign(url, {
        method,
        headers: {
          ...headers,
          'x-amz-content-sha256': createHash('sha256')
            .update(body ?? '')
            .digest('hex'),
        },
        ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      });
      return answerOf(await fetch(request, { signal: silence.signal, redirect: 'manual' }), silence);
    } catch (error) {
      silence.end();
      throw silence.said(error);
    }
  }

  async function again(tries: number, what: string, cause: unknown, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw stopped(signal);
    if (tries >= patience.tries) throw gaveUp(place, endpoint, what, tries, cause);
    const wait = patience.waitMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2);
    await new Promise<void>((resume) => {
      const timer = setTimeout(done, wait);
      signal?.addEventListener('abort', done, { once: true });
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resume();
      }
    });
    if (signal?.aborted) throw stopped(signal);
  }

  /** Asks until an answer came that says something, and what `read` makes of it. */
  async function asked<T>(method: Method, wanted: Wanted, read: (answer: OpenS3Answer) => Promise<T>): Promise<T> {
    const what = `${method} ${wanted.key ?? ''}`.trim();
    for (let tries = 1; ; tries++) {
      let cause: unknown;
      try {
        const answer = await once(method, wanted);
        const { status } = answer;
        if ((status >= 200 && status < 300) || status === 404 || status === 412) return await read(answer);
        const fault = faultIn(await textOfAnswer(answer).catch(() => ''));
        if (!isPassing(status, fault.code)) throw refusedBy(access, what, status, fault);
        cause = `it answered ${status}${fault.code === '' ? '' : ` (${fault.code})`}`;
      } catch (error) {
        if (error instanceof StudioError || wanted.signal?.aborted) throw stoppedOr(error, wanted.signal);
        cause = error;
      }
      await again(tries, what, cause, wanted.signal);
    }
  }

  return {
    again,
    send: (method, wanted) => asked(method, wanted, whole),
    open: (wanted) =>
      asked<S3Answer | OpenS3Answer>('GET', wanted, async (answer) => (answer.status < 300 ? answer : whole(answer))),
  };
}

async function whole(answer: OpenS3Answer): Promise<S3Answer> {
  return { status: answer.status, headers: answer.headers, text: await textOfAnswer(answer) };
}

async function textOfAnswer(answer: OpenS3Answer): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of answer.pieces()) all.push(piece);
  return Buffer.concat(all).toString('utf8');
}

const NOT_INSTALLED =
  'Files on S3 need the package aws4fetch, which is not installed with the studio. Install it beside the studio with `npm install aws4fetch@1.0.20`, then try again.';

/** What encodeURIComponent leaves as it is and S3 signs escaped. */
const escaped = (part: string): string =>
  encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** 501: a server does not know what it is asked for, and will not. */
const isPassing = (status: number, code: string): boolean =>
  (status >= 500 && status !== 501) ||
  code === 'ConditionalRequestConflict' ||
  status === 429 ||
  status === 408 ||
  code === 'RequestTimeout' ||
  code === 'SlowDown';

type Silence = {
  signal: AbortSignal;
  /** Something came. */
  heard(): void;
  end(): void;
  said(error: unknown): unknown;
};

/** Ends a request when nothing comes for `limit` ms, or when `outer` says so. */
function silenceOf(limit: number, outer: AbortSignal | undefined): Silence {
  const own = new AbortController();
  const tooLong = new Error(`nothing came for ${limit / 1000} s`);
  const begin = (): NodeJS.Timeout => setTimeout(() => own.abort(tooLong), limit).unref();
  let timer = begin();
  const stop = (): void => own.abort(outer?.reason);
  if (outer?.aborted) stop();
  outer?.addEventListener('abort', stop, { once: true });
  return {
    signal: own.signal,
    heard() {
      clearTimeout(timer);
      timer = begin();
    },
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', stop);
    },
    said: (error) => (own.signal.aborted && own.signal.reason === tooLong ? tooLong : error),
  };
}

function answerOf({ status, headers, body }: Response, silence: Silence): OpenS3Answer {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const reader = body?.getReader();
    try {
      for (;;) {
        silence.heard();
        const found = await reader?.read();
        if (!found || found.done) return;
        yield found.value;
      }
    } catch (error) {
      throw silence.said(error);
    } finally {
      silence.end();
      // Also where nobody reads on: the connection is free for the next request.
      await reader?.cancel().catch(() => undefined);
    }
  }
  if (body === null) silence.end();
  return {
    status,
    headers,
    pieces,
    async drop() {
      silence.end();
      await body?.cancel().catch(() => undefined);
    },
  };
}

type Fault = { code: string; message: string };

export const faultIn = (xml: string): Fault => ({
  code: elementText(xml, 'Code') ?? '',
  message: elementText(xml, 'Message') ?? '',
});

/** The text of the first element of this name. S3's answers are flat: no element holds one of its own name. */
export function elementText(xml: string, name: string): string | null {
  return elementTexts(xml, name)[0] ?? null;
}

/** The same of every one. */
export function elementTexts(xml: string, name: string): string[] {
  const [open, close] = [`<${name}>`, `</${name}>`];
  // What stands before the first `open` is no element; an element with others in it has no text of its own.
  return xml
    .split(open)
    .slice(1)
    .flatMap((rest) => {
      const end = rest.indexOf('<');
      return end >= 0 && rest.startsWith(close, end) ? [unescaped(rest.slice(0, end))] : [];
    });
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (all, hex?: string, number?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

function gaveUp(place: string, endpoint: string, what: string, tries: number, cause: unknown): StudioError {
  const why = whyOf(cause);
  const message = `${place} at ${endpoint} did not do ${what} in ${tries} tries: ${why}. Check that it runs and can be reached, then try again.`;
  return new StudioError('DISK_FAILED', message, { place, why, tries }, { cause });
}

/** Node says why a connection failed in the error below its own. */
const whyOf = (cause: unknown): string =>
  cause instanceof Error && cause.cause instanceof Error ? `${whyNot(cause)} (${whyNot(cause.cause)})` : whyNot(cause);

function refusedBy({ bucket, endpoint }: S3Access, what: string, status: number, fault: Fault): StudioError {
  const place = `s3://${bucket}`;
  const details = { place, status, reason: fault.code };
  const said = fault.message === '' ? `status ${status}` : `${fault.message.replace(/\.$/, '')} (${fault.code})`;
  if (fault.code === 'RequestTimeTooSkewed') {
    const message = `${place} at ${endpoint} refused ${what}: the clock of this machine is wrong. Set it and try again.`;
    return new StudioError('NO_PERMISSION', message, details);
  }
  if (status === 401 || status === 403) {
    const message = `${place} at ${endpoint} refused ${what}: ${said}. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and what they may do: s3:ListBucket with the bucket, and s3:GetObject, s3:PutObject and s3:DeleteObject in it.`;
    return new StudioError('NO_PERMISSION', message, details);
  }
  const message = `${place} at ${endpoint} refused ${what}: ${said}. Check the bucket, AWS_REGION and AWS_ENDPOINT_URL.`;
  return new StudioError('DISK_FAILED', message, details);
}

const stopped = (signal: AbortSignal): unknown =>
  signal.reason instanceof StudioError ? signal.reason : new StudioError('CANCELLED', 'It was stopped.', {});

const stoppedOr = (error: unknown, signal: AbortSignal | undefined): unknown =>
  signal?.aborted ? stopped(signal) : error;
