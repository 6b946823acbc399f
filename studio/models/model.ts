import { isTooDeep } from '../../core/json-depth.ts';
import type { ModelReply, ModelRequest } from '../../schemas/model-requests.ts';
import type { ProtocolName } from '../../schemas/protocols.ts';
import { readBeginning } from './chat-reply.ts';
import { createEndpoint, hiddenInAnswer, type SendOptions } from './endpoint.ts';
import { anthropic } from './protocols/anthropic.ts';
import { gemini } from './protocols/gemini.ts';
import { openai } from './protocols/openai.ts';
import type { PngOf, Protocol, ProtocolSettings } from './protocols/protocol.ts';
import { responses } from './protocols/responses.ts';

/** A model that is asked with a history of texts, pictures and calls, in the protocol of its endpoint. */

const TABLE: Readonly<Record<ProtocolName, Protocol>> = { openai, responses, anthropic, gemini };
/** More than any answer; a server that never stops must not fill the memory. */
const MOST_CHARACTERS = 4_000_000;

export type ModelOptions = SendOptions & ProtocolSettings & { endpoint: string; protocol: ProtocolName };
export type Model = { ask(request: ModelRequest): Promise<ModelReply> };

/** `png` gives the pictures that requests name. Throws USAGE. `ask` throws ENDPOINT_FAILED, and the reason of the signal. */
export function openModel(options: ModelOptions, png: PngOf): Model {
  const { key } = options;
  const protocol = TABLE[options.protocol];
  const url = protocol.url(options.endpoint, options.model);
  const endpoint = createEndpoint(options);
  return {
    ask: (request) =>
      endpoint.send<ModelReply>({
        url,
        headers: protocol.headers(key, options),
        body: JSON.stringify(protocol.body(request, options, png)),
        async read(response) {
          const { text, whole } = await readBeginning(response, MOST_CHARACTERS);
          if (!whole) return { problem: 'an answer without end' };
          if (isTooDeep(text)) return { problem: 'an answer whose values lie too deep in each other' };
          const value = json(hiddenInAnswer(text, key));
          if (value === undefined) return { problem: 'an answer that is no JSON' };
          const reply = protocol.read(value);
          return reply ? { answer: reply } : { problem: `JSON that is no answer of the protocol ${options.protocol}` };
        },
      }),
  };
}

/** The address that requests go to. Throws USAGE. */
export const modelUrl = ({
  protocol,
  endpoint,
  model,
}: Pick<ModelOptions, 'protocol' | 'endpoint' | 'model'>): string => TABLE[protocol].url(endpoint, model);

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
