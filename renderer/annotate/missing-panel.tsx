// biome-ignore-all lint/a11y/useSemanticElements: a select cannot hold two lines of text for a choice
import { CloseButton } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { tr } from '../language/tr.ts';
import { useTools } from '../workbench/context.ts';
import { KeyButton, keepFocus } from '../workbench/parts.tsx';
import { useWork, useWorkStore } from '../workbench/store.ts';
import { GAP_WORDS } from './gap-words.ts';
import type { HandIn } from './hand-in.ts';
import classes from './missing.module.css';
import { type Gaps, gapKey, gapPlace, useGaps } from './missing.ts';

/** More are shown as these are mended. */
const MOST_SHOWN = 300;

/** What is missing before the work is submitted: a click or Enter leads to the step and the field. */
export function MissingPanel({ gaps: { go }, handIn }: { gaps: Gaps; handIn: HandIn }): ReactNode {
  const store = useWorkStore();
  const { focus } = useTools();
  const gaps = useGaps();
  const doc = useWork((state) => state.doc);
  const gone = useWork((state) => state.gap);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, Math.max(gaps.length, 1) - 1);
  const shown = gaps.slice(0, MOST_SHOWN);
  useEffect(() => list.current?.focus(), []);
  useEffect(() => focus.register('missing', () => list.current), [focus]);
  useEffect(() => {
    // Some browsers answer with a promise, which is no way to end an effect.
    void list.current?.querySelector(`[data-index="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const close = (): void => {
    store.setState({ open: null });
    focus.go('list');
  };
  const take = (index: number): void => {
    const gap = gaps[index];
    setChosen(index);
    if (gap) go(gap);
  };
  const onKey = (event: KeyboardEvent): void => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (to === undefined && event.key !== 'Enter') return;
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (to === undefined) take(at);
    else setChosen(Math.min(Math.max(to, 0), shown.length - 1));
  };
  return (
    <aside className={classes.panel} aria-label={tr('What is missing')}>
      <header className={classes.head}>
        <h2>
          {gaps.length === 0
            ? tr('Nothing is missing')
            : tr('{gaps, plural, one {# thing missing} other {# things missing}}', { gaps: gaps.length })}
        </h2>
        <CloseButton size="sm" aria-label={tr('Close the list')} onClick={close} />
      </header>
      <p className={classes.quiet}>
        {gaps.length === 0
          ? tr('Every step has what exports and questions need.')
          : tr('You can submit without them. Exports and questions that need them leave those steps out.')}
      </p>
      <div
        ref={list}
        className={classes.list}
        role="listbox"
        tabIndex={0}
        aria-label={tr('What is missing, by step')}
        aria-activedescendant={gaps.length > 0 ? `${id}-${at}` : undefined}
        onKeyDown={onKey}
      >
        {shown.map((gap, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the choice
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the list
          <div
            key={gapKey(gap)}
            id={`${id}-${index}`}
            role="option"
            data-index={index}
            aria-selected={index === at}
            aria-current={gapKey(gap) === gone || undefined}
            className={classes.gap}
            onMouseDown={keepFocus}
            onClick={() => take(index)}
          >
            <span className={classes.message}>{GAP_WORDS[gap.kind]}</span>
            <span className={classes.where}>{gapPlace(gap, doc)}</span>
          </div>
        ))}
      </div>
      {gaps.length > MOST_SHOWN && (
        <p className={classes.quiet}>
          {tr('The first {shown} are shown; {hidden, number} more follow.', {
            shown: MOST_SHOWN,
            hidden: gaps.length - MOST_SHOWN,
          })}
        </p>
      )}
      {handIn.what === 'submit' && (
        <KeyButton
          command="annotate.handIn"
          main
          label={gaps.length === 0 ? tr('Submit') : tr('Submit anyway')}
          icon={<IconSend size={13} aria-hidden />}
          disabled={handIn.busy}
          onClick={handIn.toggle}
        />
      )}
    </aside>
  );
}
