/** A text in a question, as JSON, so that it cannot close its own quotes. */
export const quoted = (text: string): string => JSON.stringify(text);
