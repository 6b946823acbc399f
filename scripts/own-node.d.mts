export const LEAST_NODE_TEXT: string;
export function isNewEnough(version?: string): boolean;
export function needNewNode(): void;
