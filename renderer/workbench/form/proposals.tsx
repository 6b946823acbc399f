import { type ReactNode, useEffect } from 'react';
import { isByHand } from '../../../core/annotate/by-hand.ts';
import { stepRecordId } from '../../../core/annotate/ids.ts';
import { filledIn } from '../../../core/annotate/proposals/filled.ts';
import type { StepView } from '../../../core/annotate/view.ts';
import type { Proposal, Source } from '../../../schemas/annotation.ts';
import { tr } from '../../language/tr.ts';
import { ariaKey } from '../../ui/keys/chord.ts';
import { Kbd } from '../../ui/keys/kbd.tsx';
import { useKeysOf } from '../../ui/keys/store.ts';
import { useActions } from '../context.ts';
import { keepFocus } from '../parts.tsx';
import { useWork } from '../store.ts';
import classes from './form.module.css';

const AFTER_MS = 50;

export const SOURCE_WORDS: Readonly<Record<Source, string>> = {
  hand: tr('by hand'),
  edges: tr('edges in the picture'),
  seen: tr('seen before'),
  vocabulary: tr('used before in this app'),
  accessibility: tr('accessibility tree'),
  ocr: tr('words on the screen'),
  import: tr('imported'),
};

/** The proposals for the step in hand: a digit takes one, each says where it comes from and how sure it is. */
export function Proposals({ step }: { step: StepView }): ReactNode {
  const action = step.step.id;
  const actions = useActions();
  const filled = useWork((state) => filledIn(step, state.proposals.get(action)));
  const found = useWork((state) => state.proposals.get(action));
  const next = useWork((state) => state.doc.steps[state.formAt + 1]?.step.id);

  // A step that was added just now: the studio looks at its picture once it knows it.
  const known = useWork(({ sync }) => !isByHand(action) || sync.pending.server.has(stepRecordId(action)));

  useEffect(() => {
    if (!known) return;
    let live = true;
    // After the step is drawn; a digit pressed before asks at once. A name that was just given is proposed at the next step:
    // ask anew, and only then look ahead.
    const timer = setTimeout(() => {
      void actions.propose(action).then(() => {
        if (live && next !== undefined) void actions.propose(next);
      });
    }, AFTER_MS);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [actions, action, next, known]);

  return (
    <section className={classes.section} aria-label={tr('Suggestions')} aria-busy={found === undefined}>
      <h3 className={classes.heading}>{tr('Suggestions')}</h3>
      {found === undefined && <p className={classes.quiet}>{tr('Looking at the picture …')}</p>}
      {found?.length === 0 && (
        <p className={classes.quiet}>
          {tr('None for this step. Click in the picture to auto-fit a box, or drag one.')}
        </p>
      )}
      {found && found.length > 0 && (
        <ol className={classes.proposals}>
          {found.map((proposal, index) => (
            <li key={`${proposal.source}:${proposal.name}:${JSON.stringify(proposal.box)}`}>
              <ProposalButton
                proposal={proposal}
                n={index + 1}
                isFilled={proposal === filled}
                onTake={() => actions.takeProposal(index + 1)}
              />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function ProposalButton(props: { proposal: Proposal; n: number; isFilled: boolean; onTake: () => void }): ReactNode {
  const { proposal, n } = props;
  const keys = useKeysOf(`annotate.proposal${n}`);
  const box = proposal.box && tr('box {width} × {height}', { width: proposal.box.width, height: proposal.box.height });
  const taken = props.isFilled && tr('taken when you confirm');
  const words = [taken, box, SOURCE_WORDS[proposal.source], `${Math.round(proposal.confidence * 100)} %`]
    .filter(Boolean)
    .join(' · ');
  return (
    <button
      type="button"
      className={classes.proposal}
      aria-keyshortcuts={keys.map(ariaKey).join(' ') || undefined}
      title={words}
      onMouseDown={keepFocus}
      onClick={props.onTake}
    >
      <Kbd command={`annotate.proposal${n}`} main />
      <span className={classes.proposalName} title={proposal.name ?? undefined}>
        {proposal.name ?? tr('Unnamed element')}
      </span>
      <span className={classes.proposalSource}>{words}</span>
    </button>
  );
}
