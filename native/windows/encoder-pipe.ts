import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import type { EncoderPipe, FeedPipe } from '../screen/feed-pipe.ts';

/**
 * The pipe from the thread that feeds the encoder to ffmpeg: a named one, since a thread of Node's can write into no
 * other without copying each picture. Its name is random, only its owner may open it, and nobody from another machine.
 */

const PIPE_ACCESS_OUTBOUND = 2;
const FILE_FLAG_FIRST_PIPE_INSTANCE = 0x80000;
const PIPE_REJECT_REMOTE_CLIENTS = 8;
const PIPE_BYTES = 1 << 20;
const INVALID_HANDLE = -1n;
const SDDL_REVISION_1 = 1;
/** Full access for the owner, and for nobody else. */
const OWNER_ALONE = 'D:P(A;;GA;;;OW)';
const ERROR_PIPE_CONNECTED = 535;
/** Bytes in one call: Windows takes no more than fit an unsigned 32-bit number, and no more are needed. */
const MOST_AT_ONCE = 1 << 26;

type PipeApi = {
  create(name: string): bigint;
  connect(handle: number): boolean;
  write(handle: number, from: Buffer | bigint, bytes: number): number;
  flush(handle: number): void;
  close(handle: number): void;
  lastError(): number;
};

let loaded: PipeApi | null = null;

function api(): PipeApi {
  loaded ??= load();
  return loaded;
}

function load(): PipeApi {
  const kernel32 = koffi.load('kernel32.dll');
  const advapi32 = koffi.load('advapi32.dll');
  const CreateNamedPipeW = kernel32.func('__stdcall', 'CreateNamedPipeW', 'intptr', [
    ...['str16', 'uint32', 'uint32', 'uint32', 'uint32', 'uint32', 'uint32'],
    'void *',
  ]);
  const ConnectNamedPipe = kernel32.func('__stdcall', 'ConnectNamedPipe', 'int', ['intptr', 'void *']);
  const WriteFile = kernel32.func('__stdcall', 'WriteFile', 'int', ['intptr', 'void *', 'uint32', 'void *', 'void *']);
  const FlushFileBuffers = kernel32.func('__stdcall', 'FlushFileBuffers', 'int', ['intptr']);
  const CloseHandle = kernel32.func('__stdcall', 'CloseHandle', 'int', ['intptr']);
  const GetLastError = kernel32.func('__stdcall', 'GetLastError', 'uint32', []);
  const LocalFree = kernel32.func('__stdcall', 'LocalFree', 'void *', ['void *']);
  const toDescriptor = advapi32.func('__stdcall', 'ConvertStringSecurityDescriptorToSecurityDescriptorW', 'int', [
    ...['str16', 'uint32'],
    koffi.out(koffi.pointer('void *')),
    'void *',
  ]);
  const written = Buffer.alloc(4);
  return {
    create(name) {
      const descriptor: bigint[] = [0n];
      if (toDescriptor(OWNER_ALONE, SDDL_REVISION_1, descriptor, null) === 0) return INVALID_HANDLE;
      // SECURITY_ATTRIBUTES: length, descriptor, not inherited.
      const attributes = Buffer.alloc(24);
      attributes.writeUInt32LE(attributes.length, 0);
      attributes.writeBigUInt64LE(koffi.address(descriptor[0]), 8);
      const access = PIPE_ACCESS_OUTBOUND | FILE_FLAG_FIRST_PIPE_INSTANCE;
      const handle = CreateNamedPipeW(name, access, PIPE_REJECT_REMOTE_CLIENTS, 1, PIPE_BYTES, 0, 0, attributes);
      LocalFree(descriptor[0]);
      return BigInt(handle);
    },
    connect: (handle) => ConnectNamedPipe(handle, null) !== 0 || GetLastError() === ERROR_PIPE_CONNECTED,
    write: (handle, from, bytes) => (WriteFile(handle, from, bytes, written, null) === 0 ? -1 : written.readUInt32LE()),
    flush: (handle) => void FlushFileBuffers(handle),
    close: (handle) => void CloseHandle(handle),
    lastError: () => GetLastError(),
  };
}

/** A new pipe for one encoder. Throws CAPTURE_FAILED when Windows gives none. */
export function openEncoderPipe(): EncoderPipe {
  const name = `\\\\.\\pipe\\trajectory-studio-${randomBytes(16).toString('hex')}`;
  const handle = api().create(name);
  if (handle === INVALID_HANDLE)
    throw new StudioError('CAPTURE_FAILED', 'Windows gave no pipe for the encoder.', { error: api().lastError() });
  return {
    write: Number(handle),
    stdin: 'ignore',
    name,
    handedOver: () => undefined,
    ended() {
      // An encoder that never opened it leaves the feeding thread waiting: this lets it go on, and find nobody there.
      try {
        closeSync(openSync(name, 'r'));
      } catch {
        // It was open, or is gone: nobody waits.
      }
    },
  };
}

export const windowsFeedPipe: FeedPipe = {
  open: (handle) => api().connect(handle),
  write(handle, from, bytes) {
    for (let done = 0; done < bytes; ) {
      const rest = typeof from === 'bigint' ? from + BigInt(done) : from.subarray(done);
      const n = api().write(handle, rest, Math.min(bytes - done, MOST_AT_ONCE));
      if (n < 0) return false;
      done += n;
    }
    return true;
  },
  error: () => api().lastError(),
  close(handle) {
    // The encoder may still have to read what is in the pipe.
    api().flush(handle);
    api().close(handle);
  },
};
