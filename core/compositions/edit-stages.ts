import type { Composition, CompositionStage } from '../../schemas/composition.ts';
import { SLOT_NAME, STAGE_PLATFORM } from '../../schemas/composition-terms.ts';
import { slotNameOf } from './edit.ts';

/** Changes of the stages of a composition, as an editor makes them. They keep to the same rules as those of edit.ts. */

/** One more, with a name that is free. */
export function addStage(composition: Composition): Composition {
  const { stages = [] } = composition;
  const name = slotNameOf(
    'stage',
    stages.map((stage) => stage.name),
  );
  return { ...composition, stages: [...stages, { name, platform: STAGE_PLATFORM }] };
}

export const changeStage = (
  composition: Composition,
  name: string,
  change: Partial<CompositionStage>,
): Composition => ({
  ...composition,
  ...(composition.stages && {
    stages: composition.stages.map((stage) => (stage.name === name ? { ...stage, ...change } : stage)),
  }),
});

/**
 * The order is of the page, and says which stage is the first: that of members and events that name none. They are done where they
 * were, so those of a first one that moves get its name. A stage at an end stays there.
 */
export function moveStage(composition: Composition, name: string, by: number): Composition {
  const { stages = [] } = composition;
  const at = stages.findIndex((stage) => stage.name === name);
  const to = at + by;
  const [stage, first] = [stages[at], stages[0]];
  if (!stage || !first || by === 0 || to < 0 || to >= stages.length) return composition;
  const moved = { ...composition, stages: stages.toSpliced(at, 1).toSpliced(to, 0, stage) };
  if (moved.stages[0] === first) return moved;
  const { members, events } = composition;
  const named = <Named extends { stage?: string | undefined }>(one: Named): Named =>
    onStage(one, one.stage ?? first.name);
  return { ...moved, members: members.map(named), ...(events && { events: events.map(named) }) };
}

/** Members and events that name it follow. Nothing for a name that is taken or can be none. */
export function renameStage(composition: Composition, from: string, to: string): Composition {
  const isTaken = (composition.stages ?? []).some(({ name }) => name === to);
  if (isTaken || !SLOT_NAME.test(to)) return composition;
  return withStageNames(changeStage(composition, from, { name: to }), (stage) => (stage === from ? to : stage));
}

/**
 * Members and events that name it go on to do so, and CP30 tells it of each: on which stage they are done instead is for a person
 * to say. With the last stage all are done on one again.
 */
export function removeStage(composition: Composition, name: string): Composition {
  const { stages = [], ...others } = composition;
  const left = stages.filter((stage) => stage.name !== name);
  return left.length > 0 ? { ...composition, stages: left } : withStageNames(others, () => undefined);
}

/** `undefined`: it names none, and is done on the first. */
function withStageNames(composition: Composition, change: (stage: string) => string | undefined): Composition {
  const { members, events } = composition;
  return {
    ...composition,
    members: members.map((member) => onStage(member, member.stage && change(member.stage))),
    ...(events && { events: events.map((event) => onStage(event, event.stage && change(event.stage))) }),
  };
}

function onStage<Named extends { stage?: string | undefined }>(named: Named, stage: string | undefined): Named {
  const { stage: _before, ...others } = named;
  return stage === undefined ? (others as Named) : { ...named, stage };
}
