import { z } from 'zod';
import type { ModelPart, ModelTurn } from '../../../schemas/model-requests.ts';
import { addressWith } from '../endpoint.ts';
import { type PngOf, type Protocol, usageOf } from './protocol.ts';

/** OpenAI's Responses, with its tool for computers declared; the history goes along, nothing is stored there. */

const TOOL = 'computer';
/** The only one that asks for the screen's size. */
const PREVIEW = 'computer_use_preview';

const replySchema = z.looseObject({
  output: z.array(z.looseObject({ type: z.string() })),
  usage: z.looseObject({ input_tokens: z.unknown(), output_tokens: z.unknown() }).nullish(),
});
const messageSchema = z.looseObject({ content: z.array(z.looseObject({ text: z.string().optional() })) });
const callSchema = z.looseObject({ call_id: z.string(), name: z.string().optional() });

export const responses: Protocol = {
  url: (endpoint) => addressWith(endpoint, '/responses'),
  headers: (key) => (key === null ? {} : { authorization: `Bearer ${key}` }),
  body({ system, turns, computer }, { model, tool, maxTokens, temperature }, png) {
    const type = tool ?? TOOL;
    const size = { display_width: computer?.width, display_height: computer?.height, environment: 'linux' };
    return {
      model,
      instructions: system,
      input: turns.flatMap((turn) => items(turn, png)),
      store: false,
      include: ['reasoning.encrypted_content'],
      truncation: 'auto',
      ...(maxTokens === null ? {} : { max_output_tokens: maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(computer === null ? {} : { tools: [type === PREVIEW ? { type, ...size } : { type }] }),
    };
  },
  read(value) {
    const { success, data } = replySchema.safeParse(value);
    if (!success) return null;
    const texts = data.output.flatMap((item) => {
      const message = item.type === 'message' ? messageSchema.safeParse(item).data : undefined;
      return message ? message.content.map(({ text }) => text ?? '') : [];
    });
    const calls = data.output.flatMap((item) => {
      if (item.type !== 'computer_call' && item.type !== 'function_call') return [];
      const call = callSchema.safeParse(item).data;
      const kind = item.type === 'computer_call' ? ('computer' as const) : ('other' as const);
      return call ? [{ id: call.call_id, name: call.name ?? item.type, kind }] : [];
    });
    return {
      text: texts.join('\n'),
      calls,
      raw: z.json().parse(data.output),
      usage: usageOf(data.usage?.input_tokens, data.usage?.output_tokens),
    };
  },
};

const address = (png: string): string => `data:image/png;base64,${png}`;

function items(turn: ModelTurn, png: PngOf): unknown[] {
  const contentOf = (parts: readonly ModelPart[]): unknown[] =>
    parts.map((part) =>
      'text' in part
        ? { type: 'input_text', text: part.text }
        : { type: 'input_image', image_url: address(png(part.picture.sha256)) },
    );
  if (turn.by === 'model') return Array.isArray(turn.raw) ? turn.raw : [turn.raw];
  if (turn.by === 'user') return [{ role: 'user', content: contentOf(turn.parts) }];
  const pictures = turn.parts.flatMap((part) => ('picture' in part ? [part.picture] : []));
  const screen = pictures.at(-1);
  const results = turn.results.map(({ call, text }) =>
    call.kind === 'computer' && screen
      ? {
          type: 'computer_call_output',
          call_id: call.id,
          output: { type: 'computer_screenshot', image_url: address(png(screen.sha256)) },
        }
      : { type: 'function_call_output', call_id: call.id, output: text },
  );
  const said = turn.results.map(({ text }) => ({ type: 'input_text', text }));
  const texts = turn.parts.flatMap((part) => ('text' in part ? [{ type: 'input_text', text: part.text }] : []));
  return [...results, { role: 'user', content: [...said, ...texts] }];
}
