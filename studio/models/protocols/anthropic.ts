import { z } from 'zod';
import type { ModelPart, ModelTurn } from '../../../schemas/model-requests.ts';
import { addressWith } from '../endpoint.ts';
import { type PngOf, type Protocol, usageOf } from './protocol.ts';

/** Anthropic's Messages, with its tool for computers declared. */

const TOOL = 'computer_toolset_20260801';
/** Older tools are in beta: each asks for a header with its date. */
const BETA = /^computer_(20\d\d)(\d\d)(\d\d)$/;
/** The protocol asks for a limit. */
const MAX_TOKENS = 4096;

const blockSchema = z.looseObject({ type: z.string() });
const replySchema = z.looseObject({
  content: z.array(blockSchema),
  usage: z
    .looseObject({
      input_tokens: z.unknown(),
      output_tokens: z.unknown(),
      cache_creation_input_tokens: z.unknown().optional(),
      cache_read_input_tokens: z.unknown().optional(),
    })
    .nullish(),
});

export const anthropic: Protocol = {
  url: (endpoint) => addressWith(endpoint, '/messages'),
  headers(key, { tool }) {
    const beta = BETA.exec(tool ?? TOOL);
    return {
      'anthropic-version': '2023-06-01',
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(beta ? { 'anthropic-beta': `computer-use-${beta.slice(1).join('-')}` } : {}),
    };
  },
  body({ system, turns, computer }, { model, tool, maxTokens, temperature }, png) {
    const type = tool ?? TOOL;
    const size = { display_width_px: computer?.width, display_height_px: computer?.height };
    const declared = BETA.test(type) ? { type, name: 'computer', ...size } : { type };
    return {
      model,
      max_tokens: maxTokens ?? MAX_TOKENS,
      ...(temperature === undefined ? {} : { temperature }),
      system,
      messages: turns.map((turn) => message(turn, png)),
      ...(computer === null ? {} : { tools: [declared] }),
    };
  },
  read(value) {
    const { success, data } = replySchema.safeParse(value);
    if (!success) return null;
    const { content, usage } = data;
    const texts = content.flatMap((block) =>
      block.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
    );
    const calls = content.flatMap((block) =>
      block.type === 'tool_use' && typeof block.id === 'string' && typeof block.name === 'string'
        ? [{ id: block.id, name: block.name, kind: 'computer' as const }]
        : [],
    );
    // What was read from a cache or written to one was asked, too.
    const cached = [usage?.cache_creation_input_tokens, usage?.cache_read_input_tokens].map((one) => one ?? 0);
    const input = [usage?.input_tokens, ...cached].reduce<number>((sum, one) => sum + Number(one), 0);
    return {
      text: texts.join('\n'),
      calls,
      raw: z.json().parse(content),
      usage: usageOf(input, usage?.output_tokens),
    };
  },
};

function message(turn: ModelTurn, png: PngOf): unknown {
  const contentOf = (parts: readonly ModelPart[]): unknown[] =>
    parts.map((part) =>
      'text' in part
        ? { type: 'text', text: part.text }
        : { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(part.picture.sha256) } },
    );
  if (turn.by === 'model') return { role: 'assistant', content: turn.raw };
  if (turn.by === 'user') return { role: 'user', content: contentOf(turn.parts) };
  const results = turn.results.map(({ call, text }, n) => ({
    type: 'tool_result',
    tool_use_id: call.id,
    // The screen is what came of the last of them.
    content: [{ type: 'text', text }, ...(n === turn.results.length - 1 ? contentOf(turn.parts) : [])],
  }));
  return { role: 'user', content: results };
}
