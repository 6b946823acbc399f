import type { AgentHead, AgentName } from '../../schemas/agents.ts';
import { direct } from './direct.ts';
import { hierarchical } from './hierarchical.ts';
import type { Came, Next, Strategy } from './machine.ts';
import { minimal } from './minimal.ts';
import { plannerActor } from './planner-actor.ts';
import { asking } from './user.ts';
import { videoGuided } from './video-guided.ts';

/** An agent at work: what it wants first is to see the screen. */
export type Agent = { next(came: Came): Omit<Next<unknown>, 'state'> };

const BEGIN: Readonly<Record<AgentName, (head: AgentHead) => Agent>> = {
  direct: (head) => agentOf(direct, head),
  minimal: (head) => agentOf(minimal, head),
  'planner-actor': (head) => agentOf(plannerActor, head),
  'video-guided': (head) => agentOf(videoGuided, head),
  hierarchical: (head) => agentOf(hierarchical, head),
};

export const beginAgent = (head: AgentHead): Agent => BEGIN[head.agent](head);

function agentOf<S>(strategy: Strategy<S>, head: AgentHead): Agent {
  return head.user ? machineOf(asking(strategy, head.user), head) : machineOf(strategy, head);
}

function machineOf<S>({ begin, next }: Strategy<S>, head: AgentHead): Agent {
  let state = begin(head);
  return {
    next(came) {
      const { state: after, ...step } = next(state, came);
      state = after;
      return step;
    },
  };
}
