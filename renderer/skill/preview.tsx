import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { SKILL_FILE } from '../../core/skill/rules.ts';
import type { RecordingRow } from '../../schemas/api/models.ts';
import type { SkillPreview } from '../../schemas/api/skills.ts';
import { english, tr } from '../language/tr.ts';
import { TableHead } from '../ui/parts.tsx';
import { SideScroll } from '../ui/side-scroll.tsx';
import classes from './page.module.css';

/** The kinds of inputs, and what is said of a proof, by their stored names. */
const KINDS: Readonly<Record<string, string>> = {
  date: english('date'),
  number: english('number'),
  file: english('file'),
  text: english('text'),
  choice: english('choice'),
  secret: english('secret'),
};
const PROOFS: Readonly<Record<SkillPreview['proof'], string>> = {
  proven: tr('proven by playing it again'),
  failed: tr('played again without passing each time'),
  said: tr('proven, as somebody else says'),
  untried: tr('not played again yet'),
};

/** A skill as it would be written: its inputs with their values, what is not in it, the validator's words, and its text. */
export function SkillContent(props: { skill: SkillPreview; rows: readonly RecordingRow[]; isOld: boolean }): ReactNode {
  const { skill, isOld } = props;
  const { name, document, steps, pictures, recordings, proof, problems } = skill;
  return (
    <div className={classes.skill} data-old={isOld || undefined}>
      <h2 className={classes.title}>{name}</h2>
      <p className={classes.quiet}>
        {tr(
          '{steps, plural, one {# step} other {# steps}}, {pictures, plural, one {# picture} other {# pictures}}, from {examples, plural, one {# recording} other {# recordings}}; {proof}.',
          { steps, pictures, examples: recordings.length, proof: PROOFS[proof] },
        )}
      </p>
      <Validation problems={problems} />
      <Inputs {...skill} />
      <NotInIt {...skill} />
      <h3 className={classes.small} id="skill-text">
        {SKILL_FILE}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key */}
      <section className={classes.text} tabIndex={0} aria-labelledby="skill-text">
        <pre>{document}</pre>
      </section>
    </div>
  );
}

function Validation({ problems }: Pick<SkillPreview, 'problems'>): ReactNode {
  if (problems.length === 0)
    return (
      <p className={classes.verdict} data-good>
        <IconCircleCheck size={16} aria-hidden /> {tr('The validator finds nothing wrong.')}
      </p>
    );
  return (
    <div className={classes.verdict}>
      <p>
        <IconAlertTriangle size={16} aria-hidden />{' '}
        {tr('The validator finds {problems, plural, one {# problem} other {# problems}}:', {
          problems: problems.length,
        })}
      </p>
      <ul>
        {problems.map(({ file, message }) => (
          <li key={`${file} ${message}`}>
            <code>{file}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Inputs({ inputs, recordings }: Pick<SkillPreview, 'inputs' | 'recordings'>): ReactNode {
  return (
    <section aria-labelledby="inputs-title">
      <h3 className={classes.small} id="inputs-title">
        {tr('Inputs')}
      </h3>
      {inputs.length === 0 ? (
        <p className={classes.quiet}>{tr('None was found: every value is a constant.')}</p>
      ) : (
        <SideScroll label={tr('Inputs and their values')}>
          <table className={classes.table}>
            <TableHead columns={[tr('Input'), tr('Kind'), ...recordings]} />
            <tbody>
              {inputs.map(({ name, kind, examples }) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{kind === 'secret' ? `{SECRET:${name}}` : `{${name}}`}</code>
                  </th>
                  <td>{tr(KINDS[kind] ?? kind)}</td>
                  {kind === 'secret' ? (
                    <td colSpan={recordings.length} className={classes.quiet}>
                      {tr('not told: agents ask for it')}
                    </td>
                  ) : (
                    recordings.map((id, n) => (
                      <td key={id} className={classes.value}>
                        {examples[n] ?? '–'}
                      </td>
                    ))
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </SideScroll>
      )}
    </section>
  );
}

/** Steps that came to nothing, and pictures and files that would tell a secret. */
function NotInIt({ leftOut, withheld }: Pick<SkillPreview, 'leftOut' | 'withheld'>): ReactNode {
  return (
    <section aria-labelledby="left-out-title">
      <h3 className={classes.small} id="left-out-title">
        {tr('Left out')}
      </h3>
      {leftOut.length + withheld.length === 0 ? (
        <p className={classes.quiet}>{tr('Nothing.')}</p>
      ) : (
        <ul className={classes.list}>
          {leftOut.map(({ steps, why }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same steps may come to nothing twice
            <li key={n}>
              {steps.join('; ')}: {why}.
            </li>
          ))}
          {withheld.map((why) => (
            <li key={why}>{why}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
