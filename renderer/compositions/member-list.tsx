import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { linesBeside } from '../../core/compositions/lanes.ts';
import { stageNameOf } from '../../core/compositions/stages.ts';
import type { LawShown } from '../../schemas/api/compositions.ts';
import type { ScenarioEvent } from '../../schemas/composition.ts';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';
import { happeningKind } from './event-form.tsx';
import { eventOfLaw } from './law-words.ts';
import { timesOf } from './words.ts';

/** The composition itself, and its members as they are written, each with what it breaks. */
export function MemberList(props: {
  at: number;
  laws: readonly LawShown[];
  onChoose: (at: number) => void;
}): ReactNode {
  const { at, laws, onChoose } = props;
  const { composition } = useEditing();
  const { members, events = [] } = composition;
  const rows = useRef<HTMLDivElement>(null);
  // Nothing is given back: browsers may give a promise, which is no way to end an effect.
  useEffect(() => {
    rows.current?.querySelectorAll('li')[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const lines = linesBeside(
    composition,
    members.map(({ id }) => id),
  );
  return (
    <div ref={rows} className={classes.rows}>
      <ol className={classes.rowList}>
        <li>
          <button
            type="button"
            className={classes.member}
            aria-current={at === 0 ? 'true' : undefined}
            onClick={() => onChoose(0)}
          >
            <span className={classes.memberName}>{tr('The composition itself')}</span>
            <Broken laws={laws.filter((law) => law.member === null && eventOfLaw(law) === null)} />
          </button>
        </li>
        {members.map((member, n) => {
          const takes = lines.filter(({ to }) => to.includes(member.id));
          const stage = composition.stages ? stageNameOf(composition, member) : '';
          const about = [timesOf(member.window), member.task ?? tr('no task yet'), stage].filter((part) => part !== '');
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: its name is being written, and the focus stays on it
            <li key={n}>
              <button
                type="button"
                className={classes.member}
                aria-current={at === n + 1 ? 'true' : undefined}
                onClick={() => onChoose(n + 1)}
              >
                <span className={classes.memberName}>
                  {n + 1}. {member.id}
                </span>
                <Broken laws={laws.filter((law) => law.member === member.id)} />
                <span className={classes.memberAbout}>{about.join(' · ')}</span>
                {takes.length > 0 && (
                  <span className={classes.memberAbout}>
                    ← {takes.map(({ from, output }) => (output === null ? from : `${from}.${output}`)).join(', ')}
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ol>
      {events.length > 0 && <EventRows {...props} events={events} first={members.length + 1} />}
    </div>
  );
}

/** The events below the members; `first`: the row of the first one. */
function EventRows(
  props: Parameters<typeof MemberList>[0] & { events: readonly ScenarioEvent[]; first: number },
): ReactNode {
  const { at, laws, onChoose, events, first } = props;
  return (
    <section aria-labelledby="edit-events">
      <h3 id="edit-events" className={classes.rowsHead}>
        {tr('What happens by itself')}
      </h3>
      <ol className={classes.rowList}>
        {events.map((event, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: its name is being written, and the focus stays on it
          <li key={n}>
            <button
              type="button"
              className={classes.member}
              aria-current={at === first + n ? 'true' : undefined}
              onClick={() => onChoose(first + n)}
            >
              <span className={classes.memberName}>{event.id}</span>
              <Broken laws={laws.filter((law) => eventOfLaw(law) === event.id)} />
              <span className={classes.memberAbout}>{eventAbout(event)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** When it comes, and what it may bring. */
function eventAbout({ at, happens }: ScenarioEvent): string {
  const when = 'after' in at ? tr('after {task}', { task: at.after }) : timesOf(at);
  const kinds = [...new Set(happens.map(({ kind }) => happeningKind(kind)))];
  return [when, kinds.join(' / ')].filter((part) => part !== '').join(' · ');
}

function Broken({ laws }: { laws: readonly LawShown[] }): ReactNode {
  const broken = laws.filter(({ kind }) => kind === 'broken').length;
  if (broken === 0) return null;
  return (
    <span className={classes.broken}>
      <IconAlertTriangle size={13} aria-hidden /> {tr('{broken, number} broken', { broken })}
    </span>
  );
}
