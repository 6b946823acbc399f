import { z } from 'zod';
import type { ModelPart, ModelTurn } from '../../../schemas/model-requests.ts';
import { addressOf } from '../endpoint.ts';
import { count, type PngOf, type Protocol } from './protocol.ts';

/** Google's generateContent, with its tool for computers declared. */

const ENVIRONMENT = 'ENVIRONMENT_DESKTOP';

const partSchema = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z.looseObject({ id: z.string().optional(), name: z.string() }).optional(),
});
const replySchema = z.looseObject({
  candidates: z.array(z.looseObject({ content: z.looseObject({ parts: z.array(partSchema).default([]) }) })).min(1),
  usageMetadata: z
    .looseObject({
      promptTokenCount: z.unknown(),
      candidatesTokenCount: z.unknown(),
      thoughtsTokenCount: z.unknown().optional(),
      toolUsePromptTokenCount: z.unknown().optional(),
    })
    .nullish(),
});

export const gemini: Protocol = {
  url(endpoint, model) {
    const url = addressOf(endpoint);
    if (!url.pathname.endsWith(':generateContent')) {
      const name = model.startsWith('models/') ? model.slice('models/'.length) : model;
      url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/models/${encodeURIComponent(name)}:generateContent`;
    }
    return url.href;
  },
  headers: (key) => (key === null ? {} : { 'x-goog-api-key': key }),
  body({ system, turns, computer }, { tool, maxTokens, temperature }, png) {
    return {
      system_instruction: { parts: [{ text: system }] },
      contents: turns.map((turn) => content(turn, png)),
      ...(maxTokens === null && temperature === undefined
        ? {}
        : {
            generationConfig: {
              ...(maxTokens !== null && { maxOutputTokens: maxTokens }),
              ...(temperature !== undefined && { temperature }),
            },
          }),
      ...(computer === null ? {} : { tools: [{ computer_use: { environment: tool ?? ENVIRONMENT } }] }),
    };
  },
  read(value) {
    const { success, data } = replySchema.safeParse(value);
    if (!success) return null;
    const { content: said } = data.candidates[0]!; // At least one, as its schema says.
    const usage = data.usageMetadata;
    const [asked, answered] = [count(usage?.promptTokenCount), count(usage?.candidatesTokenCount)];
    // Thoughts are answered and paid for, though nobody sees them.
    const beside = (one: unknown): number => count(one) ?? 0;
    return {
      text: said.parts.flatMap(({ text, thought }) => (text === undefined || thought ? [] : [text])).join('\n'),
      calls: said.parts.flatMap(({ functionCall: call }) =>
        call ? [{ id: call.id ?? null, name: call.name, kind: 'computer' as const }] : [],
      ),
      raw: z.json().parse({ ...said, role: 'model' }),
      usage:
        asked === null || answered === null
          ? null
          : {
              input: asked + beside(usage?.toolUsePromptTokenCount),
              output: answered + beside(usage?.thoughtsTokenCount),
            },
    };
  },
};

function content(turn: ModelTurn, png: PngOf): unknown {
  const partsOf = (parts: readonly ModelPart[]): unknown[] =>
    parts.map((part) =>
      'text' in part
        ? { text: part.text }
        : { inline_data: { mime_type: 'image/png', data: png(part.picture.sha256) } },
    );
  if (turn.by === 'model') return turn.raw;
  if (turn.by === 'user') return { role: 'user', parts: partsOf(turn.parts) };
  const results = turn.results.map(({ call, text }) => ({
    functionResponse: { ...(call.id === null ? {} : { id: call.id }), name: call.name, response: { result: text } },
  }));
  return { role: 'user', parts: [...results, ...partsOf(turn.parts)] };
}
