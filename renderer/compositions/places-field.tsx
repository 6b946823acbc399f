import { Button, Checkbox } from '@mantine/core';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { atPlace, placeInTask, placesWith, type TaskContent, taskOfPlace } from '../../core/compositions/places.ts';
import { GIVEN, levelsOf, slotsIn } from '../../core/compositions/slots.ts';
import type { Composition, Varies } from '../../schemas/composition.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';
import { pieceAround, placeWords } from './place-words.ts';

type Given = Composition['context']['given'][number];

/** All places at which a value stands as it is written: at those that are marked instances have their own value. */
export function PlacesField(props: {
  given: Given;
  varies: Varies;
  field: string;
  write: (varies: Varies) => Composition;
}): ReactNode {
  const { given, varies, field, write } = props;
  const { composition, contents, change, fault, isLocked } = useEditing();
  const calm = useDeferredValue(composition);
  const found = useMemo(() => placesOf(calm, contents, given.value), [calm, contents, given.value]);
  // One that is named and has the value no more stays in the list, so that it can be taken out; a law tells it.
  const places = [...new Set([...found, ...varies.puts])];
  const put = (puts: string[]): void => change(write({ ...varies, puts }));
  const slots = slotsOf(composition, given.name);
  const why = fault(field);
  return (
    <fieldset className={classes.places}>
      <legend className={classes.label}>
        {tr('Where “{value}” stands: instances have their own value at the places that are marked', {
          value: given.value.slice(0, 60),
        })}
      </legend>
      {slots.length > 0 && (
        <p className={classes.fine}>
          {tr('By itself wherever a text has the slot: {places}', { places: slots.join(', ') })}
        </p>
      )}
      {places.length === 0 && (
        <p className={classes.fine}>
          {slots.length === 0
            ? tr('It stands nowhere: put it into a text as a slot, or write it where it belongs.')
            : tr('As it is written it stands nowhere else.')}
        </p>
      )}
      {places.length > 1 && (
        // Neither is switched off by what it does: whoever pressed it would lose the focus.
        <div className={classes.acts}>
          <Button
            variant="default"
            size="compact-xs"
            disabled={isLocked}
            onClick={() => put([...new Set([...varies.puts, ...found])])}
          >
            {tr('Mark all')}
          </Button>
          <Button variant="default" size="compact-xs" disabled={isLocked} onClick={() => put([])}>
            {tr('Mark none')}
          </Button>
        </div>
      )}
      <ul className={classes.placeList}>
        {places.slice(0, COMPOSITION_LIMITS.places).map((place) => (
          <li key={place}>
            <Checkbox
              size="xs"
              checked={varies.puts.includes(place)}
              disabled={isLocked}
              onChange={(event) =>
                put(
                  event.currentTarget.checked
                    ? places.filter((one) => one === place || varies.puts.includes(one))
                    : varies.puts.filter((one) => one !== place),
                )
              }
              label={placeWords(place)}
              description={
                found.includes(place) ? (
                  <Around text={textAt(composition, contents, place)} value={given.value} />
                ) : (
                  tr('It does not stand there.')
                )
              }
            />
          </li>
        ))}
      </ul>
      {places.length > COMPOSITION_LIMITS.places && (
        <p className={classes.fine}>
          {tr('It stands at {n, number} places; the first {most, number} are shown.', {
            n: places.length,
            most: COMPOSITION_LIMITS.places,
          })}
        </p>
      )}
      {why !== undefined && (
        <p className={classes.notice} role="alert">
          {why}
        </p>
      )}
    </fieldset>
  );
}

/** A few words of the text, with the value marked. */
function Around({ text, value }: { text: string; value: string }): ReactNode {
  const { before, after } = pieceAround(text, value);
  return (
    <>
      {before}
      <mark className={classes.mark}>{value}</mark>
      {after}
    </>
  );
}

function placesOf(composition: Composition, contents: ReadonlyMap<string, TaskContent>, value: string): string[] {
  if (value === '') return [];
  const tasks = new Set(composition.members.flatMap(({ task }) => task ?? []));
  const inTasks = [...tasks].flatMap((task) => {
    const content = contents.get(task);
    return content === undefined ? [] : placesWith(content, value, `tasks/${task}/`);
  });
  return [...placesWith(composition, value), ...inTasks];
}

function textAt(composition: Composition, contents: ReadonlyMap<string, TaskContent>, place: string): string {
  const task = taskOfPlace(place);
  const leaf = task === null ? atPlace(composition, place) : atPlace(contents.get(task), placeInTask(place));
  return typeof leaf === 'string' || typeof leaf === 'number' ? String(leaf) : '';
}

/** The levels of tasks that have its slot. */
const slotsOf = ({ members }: Composition, name: string): string[] =>
  members.flatMap((member) => {
    const levels = levelsOf(member).flatMap(([level, text]) =>
      slotsIn(text).some(({ of, output }) => of === GIVEN && output === name) ? [level] : [],
    );
    return levels.length === 0 ? [] : [`${member.id} (${levels.join(', ')})`];
  });
