/**
 * The longest text that a person writes, in characters. Longer ones are refused at the door, with the limit in the message.
 * Apart from the schemas: a page that only shows a limit need not load them.
 */
export const LIMITS = { name: 500, text: 10_000, comment: 4_000 } as const;
