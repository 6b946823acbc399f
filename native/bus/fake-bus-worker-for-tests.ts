import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parentPort, receiveMessageOnPort } from 'node:worker_threads';

/** The thread of fake-bus-for-tests.ts: says yes to whoever comes, and answers each message with the bytes that it was given. */

type Told = { bytes: Uint8Array; replyAt: number };
let greeting: Told | null = null;
let answers: readonly Told[] = [];
const hear = (told: { greeting?: Told; answers?: readonly Told[] }): void => {
  greeting = told.greeting ?? greeting;
  answers = told.answers ?? answers;
};
parentPort?.on('message', hear);
/** Takes in what the test said before the question that has just come. */
function catchUp(): void {
  if (!parentPort) return;
  for (let next = receiveMessageOnPort(parentPort); next; next = receiveMessageOnPort(parentPort)) hear(next.message);
}

function serve(socket: Socket): void {
  let waiting = Buffer.alloc(0);
  let begun = false;
  let greeted = false;
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    waiting = Buffer.concat([waiting, bytes as Buffer]);
    while (!begun) {
      const end = waiting.indexOf('\r\n');
      if (end < 0) return;
      const line = waiting.subarray(0, end).toString().replace(/^\0/, '');
      waiting = waiting.subarray(end + 2);
      if (line.startsWith('AUTH')) socket.write('OK 0123456789abcdef0123456789abcdef\r\n');
      if (line.startsWith('NEGOTIATE')) socket.write('ERROR\r\n');
      begun = line.startsWith('BEGIN');
    }
    for (let size = sizeOf(waiting); size > 0 && size <= waiting.length; size = sizeOf(waiting)) {
      const serial = waiting.readUInt32LE(8);
      waiting = waiting.subarray(size);
      catchUp();
      const told = greeted ? answers : [greeting!];
      greeted = true;
      for (const { bytes, replyAt } of told) {
        const copy = Buffer.from(bytes);
        if (replyAt > 0) copy.writeUInt32LE(serial, replyAt);
        socket.write(copy);
      }
    }
  });
}

/** The size of the message at the front; 0 while its head is not there. */
function sizeOf(bytes: Buffer): number {
  if (bytes.length < 16) return 0;
  return 16 + Math.ceil(bytes.readUInt32LE(12) / 8) * 8 + bytes.readUInt32LE(4);
}

const folder = mkdtempSync(path.join(tmpdir(), 'fake-bus-'));
const file = path.join(folder, 'bus');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
createServer(serve).listen(file, () => parentPort?.postMessage(`unix:path=${file}`));
