import { Badge } from '@mantine/core';
import {
  IconBox,
  IconCircle,
  IconCircleCheck,
  IconCopy,
  IconFlag,
  IconHistory,
  IconPlayerTrackNext,
  IconTrash,
  IconTrashX,
  IconWand,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { filledIn } from '../../../core/annotate/proposals/filled.ts';
import type { StepView } from '../../../core/annotate/view.ts';
import { TEXT_LIMITS } from '../../../schemas/limits.ts';
import { english, tr } from '../../language/tr.ts';
import { useActions, useTools } from '../context.ts';
import { clock } from '../frames/times.ts';
import { KindIcon, keysOfPress, kindWords } from '../kind.tsx';
import { STATE_WORDS } from '../list/marks.ts';
import { KeyButton, KeyIcon, keepFocus } from '../parts.tsx';
import { pointWords, targetIn } from '../stage/target.ts';
import { useWork, useWorkStore } from '../store.ts';
import { DragKind } from './drag-kind.tsx';
import { DraftAtField, DraftMark } from './field-draft.tsx';
import { LineField, NameField, useNames } from './fields.tsx';
import classes from './form.module.css';
import { Narration } from './narration.tsx';
import { NoSteps } from './no-steps.tsx';
import { Proposals, SOURCE_WORDS } from './proposals.tsx';
import { Thoughts } from './thoughts.tsx';

/** Whether Enter goes on to the next step, and the switch. */
type AutoAdvance = { on: boolean; toggle: () => void };

/** Everything that is said of the step in hand; the narration and what can be done with the step are in sight always. */
export function StepForm(props: { above?: ReactNode; autoAdvance: AutoAdvance }): ReactNode {
  const step = useWork((state) => state.doc.steps[state.formAt]);
  const at = useWork((state) => state.formAt);
  const total = useWork((state) => state.doc.steps.length);
  const pictured = useWork((state) => state.opened.frames.length > 0);
  if (!step && total > 0) return <div className={classes.form} aria-busy />;
  if (!step) return <NoSteps />;
  return (
    <>
      <div className={classes.form} data-form={step.step.id}>
        <Head step={step} at={at} total={total} />
        {props.above}
        <Names step={step} />
        {pictured || step.target ? (
          <>
            <Proposals step={step} />
            <BoxRow step={step} />
          </>
        ) : (
          <section className={classes.section}>
            <p className={classes.quiet}>
              {tr(
                'This recording came without pictures: there is nothing to draw boxes in. Names and narrations are all that a step needs.',
              )}
            </p>
          </section>
        )}
        <Thoughts step={step} />
      </div>
      <Narration step={step} fixed />
      <Marks step={step} autoAdvance={props.autoAdvance} />
    </>
  );
}

/** `state`: shown instead of whether the step is done. */
export function Head(props: { step: StepView; at: number; total: number; state?: ReactNode }): ReactNode {
  const { step, at, total, state } = props;
  const origin = useWork((state) => state.opened.span.start);
  const opened = useWork((state) => state.opened);
  const { step: action } = step;
  const target = useMemo(() => targetIn(opened, step, step.before), [opened, step]);
  const seconds = (action.end[2] - action.start[2]) / 1e6;
  const number = tr('step {number} of {total}', { number: at + 1, total });
  return (
    <header className={classes.head}>
      <h2 className={classes.stepTitle}>
        <KindIcon kind={action.kind} />
        <span className={classes.kind} title={kindWords(action)}>
          {kindWords(action)}
        </span>
        <span className={classes.of} title={number}>
          {number}
        </span>
        {state ?? (
          <Badge
            size="sm"
            color={STATE_COLORS[step.state]}
            className={classes.state}
            data-state={step.state}
            data-testid="step-state"
          >
            {STATE_WORDS[step.state]}
          </Badge>
        )}
      </h2>
      <dl className={classes.facts}>
        <div>
          <dt>{tr('Time')}</dt>
          <dd>{clock(action.start[2], origin)}</dd>
        </div>
        {seconds >= 0.05 && (
          <div>
            <dt>{tr('Duration')}</dt>
            <dd>{seconds.toFixed(1)} s</dd>
          </div>
        )}
        {target && pointWords(action.kind, target) !== null && (
          <div>
            <dt>{tr('Point')}</dt>
            <dd>{pointWords(action.kind, target)}</dd>
          </div>
        )}
        {action.button && action.button !== 'left' && (
          <div>
            <dt>{tr('With')}</dt>
            <dd>{BUTTON_WORDS[action.button] ?? action.button}</dd>
          </div>
        )}
        {action.window && (
          <div className={classes.window}>
            <dt>{tr('Window')}</dt>
            <dd title={action.window}>{action.window}</dd>
          </div>
        )}
      </dl>
      {action.incomplete && (
        <p className={classes.caution}>{tr('The end of this action was not seen in the recording.')}</p>
      )}
    </header>
  );
}

const STATE_COLORS = { open: 'gray', done: 'green', flagged: 'yellow', removed: 'gray' } as const;

export function Names({ step }: { step: StepView }): ReactNode {
  const actions = useActions();
  const vocabulary = useWork((state) => state.vocabulary);
  const page = useWork((state) => state.page);
  const steps = useWork((state) => state.doc.steps);
  const used = useMemo(() => steps.map((one) => one.label?.element), [steps]);
  const names = useNames(vocabulary, used);
  const { step: action, label } = step;
  const id = action.id;
  const store = (field: 'startName' | 'endName' | 'purpose' | 'text', what: string) => (of: string, text: string) =>
    actions.field(of, field, text, what);
  const isDrag = action.kind === 'drag';
  const filled = useWork((state) => filledIn(step, state.proposals.get(id)));
  const source = filled?.source ?? label?.elementSource;
  return (
    <section className={classes.section} aria-label={tr('Names')}>
      {action.kind === 'type' && (
        <>
          <p className={classes.pressed}>
            {action.withheld ? (
              <span className={classes.quiet}>
                {action.withheldWhy?.every((why) => why === 'unanswered')
                  ? tr(
                      '{keys, plural, one {# key} other {# keys}} withheld: the program did not answer, so it could have been a password. Write below what was typed.',
                      { keys: action.withheldKeys ?? 1 },
                    )
                  : action.withheldWhy?.includes('on-screen')
                    ? tr(
                        'Pressed on an on-screen keyboard for a password. Its keys, places and pictures were not recorded. Where it was none, write below what was typed.',
                      )
                    : tr('Typed into a password field. The keys were not recorded.')}
              </span>
            ) : (
              <>
                <span className={classes.quiet}>{tr('Typed')} </span>
                <q>{action.text}</q>
              </>
            )}
          </p>
          {action.typedAs !== undefined && (
            <p className={classes.quiet}>
              {tr('As it arrived in the field. Keys pressed: {keys}', { keys: action.typedAs })}
            </p>
          )}
          <LineField
            name="text"
            label={tr('Corrected text')}
            command="annotate.text"
            identity={id}
            value={label?.text ?? action.text ?? ''}
            limit={TEXT_LIMITS.text}
            after={label?.text != null && label.text !== action.text && <Badge size="xs">{tr('corrected')}</Badge>}
            store={(of, text) => actions.field(of, 'text', text === action.text ? null : text, english('Correct text'))}
          />
        </>
      )}
      {action.kind === 'press' && (
        <p className={classes.pressed}>
          <span className={classes.quiet}>{tr('Keys')} </span>
          <strong>{keysOfPress(action)}</strong>
        </p>
      )}
      {isDrag && (
        <NameField
          name="startName"
          label={tr('Start position')}
          command="annotate.drag"
          identity={id}
          value={label?.startName ?? ''}
          placeholder={tr('original position')}
          limit={TEXT_LIMITS.name}
          names={names}
          store={store('startName', english('Name start position'))}
        />
      )}
      {isDrag && (
        <NameField
          name="endName"
          label={tr('End position')}
          identity={id}
          value={label?.endName ?? ''}
          limit={TEXT_LIMITS.name}
          names={names}
          store={store('endName', english('Name end position'))}
        />
      )}
      <NameField
        name="element"
        label={tr('Element')}
        command="annotate.element"
        main
        identity={id}
        value={label?.element ?? ''}
        placeholder={filled?.name ?? (isDrag ? tr('What is dragged') : tr('e.g. Insert tab'))}
        limit={TEXT_LIMITS.name}
        names={names}
        after={
          source && source !== 'hand' ? (
            <Badge size="xs">{SOURCE_WORDS[source]}</Badge>
          ) : (
            <DraftMark record={label} field="element" />
          )
        }
        store={(of, text) => actions.name(of, text)}
      />
      <DraftAtField field="element" action={id} />
      {isDrag && (
        <LineField
          name="purpose"
          label={tr('Purpose')}
          identity={id}
          value={label?.purpose ?? ''}
          placeholder={tr('move it to the panel')}
          limit={TEXT_LIMITS.text}
          store={store('purpose', english('Name purpose'))}
        />
      )}
      {isDrag && <DragKind step={step} className={classes.row} />}
      {page === 'annotate' && (
        <KeyButton
          command="annotate.copy"
          writes
          label={tr('Copy from previous step')}
          icon={<IconCopy size={13} aria-hidden />}
          onClick={actions.copyFromBefore}
        />
      )}
    </section>
  );
}

export function BoxRow({ step }: { step: StepView }): ReactNode {
  const actions = useActions();
  const { step: action, target, end } = step;
  const say = (box: StepView['target']) =>
    box
      ? `${box.box.x}, ${box.box.y} · ${box.box.width} × ${box.box.height} · ${SOURCE_WORDS[box.source]}${box.source === 'hand' ? '' : ` ${Math.round(box.confidence * 100)} %`}`
      : tr('none');
  return (
    <section className={classes.section} aria-label={tr('Box')}>
      <h3 className={classes.heading}>{tr('Box')}</h3>
      <p className={classes.boxLine} data-testid="box">
        <IconBox size={14} aria-hidden />{' '}
        {action.kind === 'drag' ? tr('Element: {box}', { box: say(target) }) : say(target)}
      </p>
      {action.kind === 'drag' && (
        <p className={classes.boxLine} data-testid="box-end">
          <IconBox size={14} aria-hidden /> {tr('End: {box}', { box: say(end) })}
        </p>
      )}
      <div className={classes.row}>
        <CommandButton name="box" command="annotate.box" label={tr('Draw with keyboard')} />
        {action.kind === 'drag' && <CommandButton name="boxEnd" command="annotate.boxEnd" label={tr('Draw end')} />}
        <CommandButton command="annotate.grow" label={tr('Auto-fit')} icon={<IconWand size={13} aria-hidden />} />
        {target && (
          <KeyIcon
            command="annotate.removeBox"
            writes
            label={tr('Remove the box')}
            onClick={() => actions.box(step, 'target', null)}
          >
            <IconTrash size={15} aria-hidden />
          </KeyIcon>
        )}
      </div>
    </section>
  );
}

/** A button for a command that another part of the page performs. `name`: the focus can be sent to it. */
function CommandButton(props: { name?: string; command: string; label: string; icon?: ReactNode }): ReactNode {
  const { name, ...shown } = props;
  const { run, focus } = useTools();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => (name === undefined ? undefined : focus.register(name, () => button.current)), [focus, name]);
  const act = (): void => {
    // The keys that move a box are the list's; on the button, Space would press it again.
    if (document.activeElement === button.current) focus.go('list');
    run(props.command);
  };
  return <KeyButton {...shown} ref={button} writes onClick={act} />;
}

function Marks({ step, autoAdvance }: { step: StepView; autoAdvance: AutoAdvance }): ReactNode {
  const actions = useActions();
  const store = useWorkStore();
  const removed = step.state === 'removed';
  return (
    <section className={classes.marks} aria-label={tr('Step')}>
      {step.removal && (
        <p className={classes.caution}>
          {tr('Removed: {reason}. Exports leave it out; nothing is deleted.', {
            reason: [REASON_WORDS[step.removal.reason], step.removal.comment?.slice(0, 300)]
              .filter(Boolean)
              .join(' – '),
          })}
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is. */}
      <div className={classes.foot} data-bar="step" onMouseDown={keepFocus}>
        <KeyButton
          command="annotate.confirm"
          writes
          main
          label={tr('Confirm')}
          variant="filled"
          onClick={actions.confirmAndGo}
        />
        <KeyIcon
          command="annotate.autoAdvance"
          label={autoAdvance.on ? tr('Auto-advance: on') : tr('Auto-advance: off')}
          pressed={autoAdvance.on}
          onClick={autoAdvance.toggle}
        >
          <IconPlayerTrackNext size={15} aria-hidden />
        </KeyIcon>
        <span className={classes.grow} />
        <KeyButton
          command="annotate.history"
          label={tr('History')}
          variant="subtle"
          color="gray"
          icon={<IconHistory size={14} aria-hidden />}
          onClick={() => store.setState({ open: 'history' })}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is. */}
      <div className={classes.more} data-bar="step-more" onMouseDown={keepFocus}>
        <KeyButton
          command="annotate.done"
          writes
          label={step.label?.confirmed ? tr('Reopen') : tr('Done')}
          icon={
            step.label?.confirmed ? <IconCircle size={14} aria-hidden /> : <IconCircleCheck size={14} aria-hidden />
          }
          disabled={removed}
          onClick={actions.toggleDone}
        />
        <KeyButton
          command="annotate.flag"
          writes
          label={step.label?.flagged ? tr('Unflag') : tr('Flag')}
          pressed={step.label?.flagged === true}
          icon={<IconFlag size={14} aria-hidden />}
          onClick={actions.toggleFlag}
        />
        <KeyButton
          command="annotate.remove"
          writes
          label={removed ? tr('Restore') : tr('Remove …')}
          icon={removed ? <IconTrashX size={14} aria-hidden /> : <IconTrash size={14} aria-hidden />}
          onClick={actions.removeOrRestore}
        />
      </div>
    </section>
  );
}

/** The button of the pointer; the left one is taken for granted. */
const BUTTON_WORDS: Readonly<Record<string, string>> = {
  middle: tr('middle button'),
  right: tr('right button'),
  back: tr('back button'),
  forward: tr('forward button'),
};

export const REASON_WORDS = {
  mistake: tr('a mistake'),
  private: tr('private content'),
  duplicate: tr('a duplicate'),
  waiting: tr('waiting'),
  other: tr('another reason'),
} as const;
