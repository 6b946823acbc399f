/** How a model's endpoint is asked (docs/agents.md). */
export const PROTOCOLS = ['openai', 'responses', 'anthropic', 'gemini'] as const;
export type ProtocolName = (typeof PROTOCOLS)[number];

/** Agents that a page can begin; as AGENTS of agents.ts, which no page loads. */
export const PAGE_AGENTS = ['direct', 'minimal', 'planner-actor', 'video-guided', 'hierarchical'] as const;
/** Levels of a demonstration's plan that stand in the planner's place (VideoGUI, tables 6 and 7); of the agent minimal. */
export const INJECTED = ['none', 'high', 'high,mid'] as const;
