import { z } from 'zod';

/** What is asked of a model and what it answers, whatever protocol its endpoint speaks. Pictures are named, never held. */

/** A picture by the sha256 of its PNG; px. */
export const modelPictureSchema = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  width: z.int().positive(),
  height: z.int().positive(),
});
export type ModelPicture = z.infer<typeof modelPictureSchema>;

const partSchema = z.union([z.object({ text: z.string() }), z.object({ picture: modelPictureSchema })]);
export type ModelPart = z.infer<typeof partSchema>;

/** A call of a tool as the protocol names it; null: it gives its calls no ids. */
const callSchema = z.object({ id: z.string().nullable(), name: z.string(), kind: z.enum(['computer', 'other']) });
export type ModelCall = z.infer<typeof callSchema>;

const turnSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('user'), parts: z.array(partSchema) }),
  /** `raw`: its words as the protocol has them, which goes back unchanged: signatures of thoughts are in there. */
  z.object({ by: z.literal('model'), raw: z.json(), calls: z.array(callSchema) }),
  /** What came of the calls of the turn before: a text, and what the screen shows then. */
  z.object({
    by: z.literal('tools'),
    results: z.array(z.object({ call: callSchema, text: z.string() })),
    parts: z.array(partSchema),
  }),
]);
export type ModelTurn = z.infer<typeof turnSchema>;

export const modelRequestSchema = z.object({
  /** Who of the agent asks: `actor`, `planner`. */
  role: z.string(),
  system: z.string(),
  turns: z.array(turnSchema),
  /** The screen that the model's own tool for computers works on, px; null: no tool is declared. */
  computer: z.object({ width: z.int(), height: z.int() }).nullable(),
});
export type ModelRequest = z.infer<typeof modelRequestSchema>;

export const modelReplySchema = z.object({
  text: z.string(),
  calls: z.array(callSchema),
  raw: z.json(),
  /** Tokens as the endpoint counted them; null: it did not. */
  usage: z.object({ input: z.int().min(0), output: z.int().min(0) }).nullable(),
});
export type ModelReply = z.infer<typeof modelReplySchema>;
