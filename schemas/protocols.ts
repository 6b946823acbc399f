/** How a model's endpoint is asked (docs/agents.md). */
export const PROTOCOLS = ['openai', 'responses', 'anthropic', 'gemini'] as const;
export type ProtocolName = (typeof PROTOCOLS)[number];

/** Agents that need nothing but an endpoint, so that a page can begin them: the others follow a demonstration. */
export const PAGE_AGENTS = ['direct', 'minimal', 'planner-actor', 'hierarchical'] as const;
