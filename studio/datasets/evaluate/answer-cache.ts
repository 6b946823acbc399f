import { appendFileSync, existsSync, mkdirSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { sha256Schema } from '../../../schemas/questions.ts';
import { badFile, textLines } from '../../files/text-lines.ts';
import type { Reply } from '../../models/chat.ts';

/** Answers by the hash of what was asked of whom: the same question is never paid for twice. Append-only. */
type AnswerCache = { get(key: string): Reply | null; put(key: string, reply: Reply): void };

const lineSchema = z.object({
  key: sha256Schema,
  text: z.string(),
  usage: z.object({ input: z.number(), output: z.number(), told: z.boolean() }),
});

/** Opens the file, or begins it. A torn last line (a kill in the middle of writing) is cut off. Throws BAD_FILE. */
export function openCache(file: string): AnswerCache {
  const known = new Map<string, Reply>();
  if (existsSync(file)) {
    for (const { text, line, torn, offset } of textLines(file)) {
      if (torn) {
        truncateSync(file, offset);
        break;
      }
      const { success, data } = lineSchema.safeParse(parsed(text));
      if (!success) throw badFile(file, `line ${line} is no answer of the cache. Remove the file to ask again`);
      known.set(data.key, { text: data.text, usage: data.usage });
    }
  }
  mkdirSync(dirname(file), { recursive: true });
  return {
    get: (key) => known.get(key) ?? null,
    put(key, reply) {
      appendFileSync(file, `${JSON.stringify({ key, ...reply })}\n`);
      known.set(key, reply);
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
