import type { AgentHead } from './agents.ts';

/** What a run was begun with, for tests. */
export const agentHeadForTests = (more: Partial<AgentHead>): AgentHead => ({
  agent: 'direct',
  task: 'T_1',
  software: 'editor',
  goal: 'Write Hi and save it',
  protocol: 'openai',
  endpoint: 'http://127.0.0.1:9/v1',
  model: 'tested',
  tool: null,
  declared: (more.protocol ?? 'openai') !== 'openai',
  coordinates: null,
  maxTokens: null,
  plan: { high: null, mid: null },
  screen: { width: 100, height: 70 },
  recipe: '',
  limits: { rounds: 30, timeMs: null, budget: null },
  prices: null,
  resumes: null,
  ...more,
});
