import { z } from 'zod';
import { ELEMENT_DEPTH_LIMIT, ELEMENT_NAME_LIMIT } from './limits.ts';

/** Version of the lines that a recording writes; lines of imports have none. */
export const ELEMENTS_VERSION = 1;

/** An element that is shown, for checks. */
export const seenElementSchema = z.object({
  role: z.string(),
  name: z.string(),
  states: z.array(z.string()),
  /** Its text, or its number; null where it has none or keeps it for itself. */
  value: z.union([z.string(), z.number(), z.null()]),
});
export type SeenElement = z.infer<typeof seenElementSchema>;

/** elements.jsonl: what the accessibility tree said of the element under the pointer, one line a press (I3). */
export const elementLineSchema = z.object({
  /** The time of the press, or of the wheel's first turn, µs on the session clock. */
  t: z.int(),
  name: z.string().max(ELEMENT_NAME_LIMIT),
  /** Its kind: AT-SPI's word on every system (`push button`); imports have their own (`ButtonControl`, `AXButton`). */
  role: z.string().max(200),
  /** Physical px of the virtual desktop; null when it was not told. */
  bounds: z.object({ x: z.int(), y: z.int(), width: z.int().min(0), height: z.int().min(0) }).nullable(),
  version: z.literal(ELEMENTS_VERSION).optional(),
  /** The system that was asked. */
  source: z.enum(['atspi', 'uia', 'msaa', 'ax']).optional(),
  description: z.string().max(ELEMENT_NAME_LIMIT).optional(),
  states: z.array(z.string().max(60)).max(64).optional(),
  /** From the window down to the element: each one's role and its place among its siblings (-1: not told). */
  path: z
    .array(z.object({ role: z.string().max(200), index: z.int().min(-1) }))
    .max(ELEMENT_DEPTH_LIMIT)
    .optional(),
  /** The program by its own word, and what it is made with. */
  app: z.string().max(200).optional(),
  toolkit: z.string().max(200).optional(),
  /** The program's own name for it that is no text to be read, and its class (Windows). */
  automationId: z.string().max(200).optional(),
  className: z.string().max(200).optional(),
  /** When it was asked for, µs on the session clock, and how long the answer took, µs. */
  asked: z.int().optional(),
  took: z.int().min(0).optional(),
  /** `before`: the answer is from before the press. `press`: it was asked for when the press was seen. */
  when: z.enum(['before', 'press']).optional(),
  /** A field for passwords: it was not asked for its name. */
  withheld: z.literal(true).optional(),
});
export type ElementLine = z.infer<typeof elementLineSchema>;
