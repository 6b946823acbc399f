/** The words of people and models as words of Markdown: no mark-up, no tag, no picture of another server, one line. */
export const plainWords = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*[\]<>|]/g, '\\$&');
