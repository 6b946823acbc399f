import { resolve } from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';
import { type Blobs, withoutEndSlashes } from './blobs.ts';
import { folderBlobs } from './folder.ts';
import type { S3Place } from './s3.ts';

/** Whether an address that a person gave is one of S3. */
export const isS3 = (address: string): boolean => /^s3:\/\//i.test(address);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The files at an address: `s3://bucket/prefix`, with the keys and the server in the variables that AWS's own tools read, or a folder.
 * Throws USAGE for an address or variables that cannot be, NO_LIBRARY where what speaks S3 is not installed.
 */
export async function openBlobs(address: string, env: Environment = process.env): Promise<Blobs> {
  if (!isS3(address)) return folderBlobs(resolve(address));
  const place = s3Place(address, env);
  // Only here: what speaks S3 is no part of what everybody installs and starts.
  const { s3Blobs } = await import('./s3.ts');
  return s3Blobs(place);
}

/** The rule for names of buckets. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

function s3Place(address: string, env: Environment): S3Place {
  const [bucket = '', ...rest] = withoutEndSlashes(address.slice('s3://'.length)).split('/');
  if (!BUCKET.test(bucket) || rest.includes('') || rest.includes('.') || rest.includes('..')) {
    const message = `"${address.slice(0, 200)}" is no place on S3. It is written s3://BUCKET or s3://BUCKET/PREFIX.`;
    throw new StudioError('USAGE', message, { address: address.slice(0, 400) });
  }
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1';
  const sessionToken = env.AWS_SESSION_TOKEN;
  return {
    bucket,
    prefix: rest.join('/'),
    region,
    endpoint: endpointOf(env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || `https://s3.${region}.amazonaws.com`),
    accessKeyId: needed(env, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: needed(env, 'AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken && { sessionToken }),
  };
}

function endpointOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  const message = `AWS_ENDPOINT_URL is "${text.slice(0, 200)}", which is no address. It is written https://HOST or http://HOST:PORT.`;
  throw new StudioError('USAGE', message, { endpoint: text.slice(0, 400) });
}

function needed(env: Environment, name: string): string {
  const value = env[name];
  if (value) return value;
  throw new StudioError(
    'USAGE',
    `Files on S3 need ${name} in the environment, which is not set. Set it and try again.`,
    {
      variable: name,
    },
  );
}
