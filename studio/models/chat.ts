import { readReply, type Usage } from './chat-reply.ts';
import { addressWith, createEndpoint, hiddenInAnswer, type SendOptions } from './endpoint.ts';

/** A client for OpenAI-compatible chat endpoints: one question, one answer. */

export type ChatOptions = SendOptions & {
  /** `https://host/v1`, or the whole address that ends in `/chat/completions`. */
  endpoint: string;
  model: string;
  /** Longest answer, tokens; null: the endpoint's own. */
  maxTokens: number | null;
  stream: boolean;
};

export type ChatPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };
export type Reply = { text: string; usage: Usage };
type Chat = { ask(parts: readonly ChatPart[]): Promise<Reply> };

/** Throws USAGE for an address that cannot be taken. `ask` throws ENDPOINT_FAILED, CANCELLED. */
export function createChat(options: ChatOptions): Chat {
  const url = endpointUrl(options.endpoint);
  const endpoint = createEndpoint(options);
  const { key, model, maxTokens, stream } = options;
  return {
    ask(parts) {
      const content = parts.length === 1 && parts[0]!.type === 'text' ? parts[0]!.text : parts;
      const body = {
        model,
        messages: [{ role: 'user', content }],
        temperature: 0,
        ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
        ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
      };
      return endpoint.send<Reply>({
        url,
        headers: key === null ? {} : { authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
        async read(response) {
          const reply = await readReply(response);
          return 'problem' in reply ? reply : { answer: { ...reply, text: hiddenInAnswer(reply.text, key) } };
        },
      });
    },
  };
}

/** Throws USAGE. `words`: of the asker. */
export const endpointUrl = (endpoint: string, words?: { field: string; key: string }): string =>
  addressWith(endpoint, '/chat/completions', words);
