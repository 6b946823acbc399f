import { z } from 'zod';
import type { ModelPart, ModelTurn } from '../../../schemas/model-requests.ts';
import { addressWith } from '../endpoint.ts';
import { type PngOf, type Protocol, usageOf } from './protocol.ts';

/**
 * OpenAI's chat completions, as vLLM, Ollama and many others speak them. No tool is declared: servers without a parser for the
 * model's calls refuse that, and models write theirs into the text.
 */

const contentSchema = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() })), z.null()])
  .optional();
const callSchema = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.unknown() }),
});
const replySchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({
          content: contentSchema,
          refusal: z.string().nullish(),
          tool_calls: z.array(callSchema).nullish(),
        }),
      }),
    )
    .min(1),
  usage: z.looseObject({ prompt_tokens: z.unknown(), completion_tokens: z.unknown() }).nullish(),
});

export const openai: Protocol = {
  url: (endpoint) => addressWith(endpoint, '/chat/completions'),
  headers: (key) => (key === null ? {} : { authorization: `Bearer ${key}` }),
  body({ system, turns }, { model, maxTokens, temperature = 0 }, png) {
    return {
      model,
      messages: [{ role: 'system', content: system }, ...turns.flatMap((turn) => messages(turn, png))],
      temperature,
      ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
    };
  },
  read(value) {
    const { success, data } = replySchema.safeParse(value);
    if (!success) return null;
    const { message } = data.choices[0]!; // At least one, as its schema says.
    const said = textOf(message.content);
    const calls = message.tool_calls ?? [];
    return {
      text: said || (message.refusal ?? ''),
      calls: calls.map(({ id, function: { name } }) => ({ id: id ?? null, name, kind: 'computer' as const })),
      raw: z.json().parse({
        role: 'assistant',
        content: said,
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      }),
      usage: usageOf(data.usage?.prompt_tokens, data.usage?.completion_tokens),
    };
  },
};

function messages(turn: ModelTurn, png: PngOf): unknown[] {
  const contentOf = (parts: readonly ModelPart[]): unknown[] =>
    parts.map((part) =>
      'text' in part
        ? { type: 'text', text: part.text }
        : { type: 'image_url', image_url: { url: `data:image/png;base64,${png(part.picture.sha256)}` } },
    );
  if (turn.by === 'model') return [turn.raw];
  if (turn.by === 'user') return [{ role: 'user', content: contentOf(turn.parts) }];
  // A tool's message holds no picture.
  const results = turn.results.map(({ call, text }) => ({ role: 'tool', tool_call_id: call.id ?? '', content: text }));
  return [...results, { role: 'user', content: contentOf(turn.parts) }];
}

function textOf(content: z.infer<typeof contentSchema>): string {
  if (content === null || content === undefined) return '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}
