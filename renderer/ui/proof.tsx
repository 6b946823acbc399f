import { IconShieldCheck, IconShieldQuestion, IconShieldX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ProofState } from '../../schemas/dataset.ts';
import { tr } from '../language/tr.ts';
import classes from './states.module.css';

/** What `verify` said of a demonstration, in words. */
export const PROOF_NAMES: Readonly<Record<ProofState, string>> = {
  proven: tr('proven'),
  failed: tr('not proven'),
  said: tr('said to be proven'),
  untried: tr('not tried'),
};

const PROVEN = [
  IconShieldCheck,
  tr('Proven: it plays again, and its checks pass only when the task was done'),
] as const;
const NOT_PROVEN = [IconShieldX, tr('Not proven: verify.json beside the recording says why')] as const;

/** `by`: who says so; undefined: it came with that word alone. */
function saidWords(by: string | undefined): string {
  return by
    ? tr('Said to be proven by {name}: this workspace has no plays that show it. Verify it to prove it here.', {
        name: by,
      })
    : tr('Said to be proven elsewhere: this workspace has no plays that show it. Verify it to prove it here.');
}

/**
 * The same as a mark, with its word beside it or (`short`) only said. Nothing was tried: a dash, or nothing. `by`: who says that it
 * is proven, where the workspace cannot show it.
 */
export function ProofLabel(props: {
  proof: ProofState | undefined;
  by?: string | undefined;
  short?: boolean;
}): ReactNode {
  const { proof, by, short = false } = props;
  if (proof === undefined || proof === 'untried') return short ? null : <span className={classes.complete}>–</span>;
  const [Icon, why] =
    proof === 'said' ? ([IconShieldQuestion, saidWords(by)] as const) : proof === 'proven' ? PROVEN : NOT_PROVEN;
  return (
    <span className={classes.proof} data-proof={proof} title={why}>
      <Icon size={14} aria-hidden />
      <span className={short ? 'visually-hidden' : undefined}>{PROOF_NAMES[proof]}</span>
    </span>
  );
}
