import type { ModelReply, ModelRequest } from '../../../schemas/model-requests.ts';

/** How an endpoint is spoken to: its address, what a request and an answer look like. */
export type Protocol = {
  /** Throws USAGE. */
  url(endpoint: string, model: string): string;
  headers(key: string | null, settings: ProtocolSettings): Record<string, string>;
  /** Throws RangeError for a picture that `png` does not know. */
  body(request: ModelRequest, settings: ProtocolSettings, png: PngOf): unknown;
  /** Null: no answer of this protocol. */
  read(value: unknown): ModelReply | null;
};

export type ProtocolSettings = {
  model: string;
  /** The computer tool's own name; null: the protocol's newest. */
  tool: string | null;
  /** Longest answer, tokens; null: the endpoint's own. */
  maxTokens: number | null;
  /** How freely answers are sampled, from 0; absent: 0 where the protocol is asked without chance, else the endpoint's own. */
  temperature?: number | undefined;
};

/** The bytes of a picture, base64, by its sha256. */
export type PngOf = (sha256: string) => string;

/** A count that is none is not counted. */
export const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 1e9 ? Math.round(value) : null;

/** Null unless both were counted. */
export function usageOf(input: unknown, output: unknown): ModelReply['usage'] {
  const [asked, answered] = [count(input), count(output)];
  return asked === null || answered === null ? null : { input: asked, output: answered };
}
