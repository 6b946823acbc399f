import { expect, test } from 'vitest';
import { readReply } from './chat-reply.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const document = (depth: number): Response =>
  new Response(`{"choices":[{"message":{"content":"four"}}],"more":${nested(depth)}}`, {
    headers: { 'content-type': 'application/json' },
  });
const stream = (depth: number): Response =>
  new Response(
    `data: {"choices":[{"delta":{"content":"four"},"finish_reason":"stop"}],"more":${nested(depth)}}\n\ndata: [DONE]\n\n`,
    { headers: { 'content-type': 'text/event-stream' } },
  );

test('what an endpoint says beside its answer is passed over, but not when it is deep beyond all answers', async () => {
  expect([await readReply(document(50)), await readReply(stream(50))]).toMatchObject([
    { text: 'four' },
    { text: 'four' },
  ]);
  expect([await readReply(document(100_000)), await readReply(stream(100_000))]).toEqual([
    { problem: 'an answer whose values lie too deep in each other' },
    { problem: 'a stream with an event that is no JSON of a chat' },
  ]);
});
