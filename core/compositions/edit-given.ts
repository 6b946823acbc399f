import type { Composition, Varies } from '../../schemas/composition.ts';
import { SLOT_NAME } from '../../schemas/composition-terms.ts';
import { slotNameOf, withSlots } from './edit.ts';
import { apartBy, kindOfValue, moved } from './parameters.ts';
import { GIVEN } from './slots.ts';

/** Changes of what is known before the first task, as an editor makes them. They keep to the same rules as those of edit.ts. */

type Given = Composition['context']['given'][number];

const withGiven = (composition: Composition, given: Given[]): Composition => ({
  ...composition,
  context: { ...composition.context, given },
});

export function addGiven(composition: Composition): Composition {
  const { given } = composition.context;
  const name = slotNameOf(
    'value',
    given.map((one) => one.name),
  );
  return withGiven(composition, [...given, { name, value: '' }]);
}

/** Slots of texts and values that depend on it follow. Nothing for a name that is taken or can be none. */
export function renameGiven(composition: Composition, from: string, to: string): Composition {
  const { given } = composition.context;
  if (given.some(({ name }) => name === to) || !SLOT_NAME.test(to)) return composition;
  const moved = withSlots(composition, (slot) =>
    slot.of === GIVEN && slot.output === from ? { ...slot, output: to } : slot,
  );
  const renamed = given.map(({ varies, ...one }): Given => {
    const said = one.name === from ? { ...one, name: to } : one;
    if (varies === undefined) return said;
    return { ...said, varies: 'of' in varies && varies.of === from ? { ...varies, of: to } : varies };
  });
  return withGiven(moved, renamed);
}

/** A way to vary of this kind, as the value itself and the others suggest it; the places stay. */
export function newVaries(
  kind: Varies['kind'],
  { given }: Pick<Composition['context'], 'given'>,
  { name, value, varies }: Given,
): Varies {
  const puts = varies?.puts ?? [];
  const others = given.filter((one) => one.name !== name);
  switch (kind) {
    case 'list':
      return { kind, values: value === '' ? [] : [value], puts };
    case 'whole': {
      const from = kindOfValue(value) === 'whole' ? Number(value) : 1;
      return { kind, from, to: from + 9, step: 1, puts };
    }
    case 'time':
      return kindOfValue(value) === 'time' && value < '17:00'
        ? { kind, from: value, to: '17:00', step: 30, puts }
        : { kind, from: '09:00', to: '17:00', step: 30, puts };
    case 'date':
      return { kind, from: value, to: (kindOfValue(value) === 'date' && moved(value, 30)) || value, step: 1, puts };
    case 'along': {
      const list = others.find((one) => one.varies?.kind === 'list');
      return { kind, of: list?.name ?? '', values: value === '' ? [] : [value], puts };
    }
    case 'after': {
      const near = others.find((one) => apartBy(one.value, value) !== null) ?? others.find(isCounted);
      return { kind, of: near?.name ?? '', plus: (near && apartBy(near.value, value)) ?? 0, puts };
    }
  }
}

const isCounted = ({ value }: Given): boolean => kindOfValue(value) !== null;
