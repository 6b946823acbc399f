import { IconCopyPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { CompositionShown, InstanceListed } from '../../schemas/api/compositions.ts';
import { paths } from '../client/paths.ts';
import { tr, trParts } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { TableHead } from '../ui/parts.tsx';
import { SideScroll } from '../ui/side-scroll.tsx';
import classes from './page.module.css';

/** The instances of a template with their values, and the way to more of them; nothing for one of which none are made. */
export function InstanceTable(props: {
  ws: string;
  composition: CompositionShown;
  instances: readonly InstanceListed[];
  canMake: boolean;
  onMake: () => void;
}): ReactNode {
  const { ws, composition, instances, canMake, onMake } = props;
  const varying = composition.given.filter(({ varies }) => varies !== null).map(({ name }) => name);
  if (varying.length === 0 && instances.length === 0) return null;
  const names = [...new Set([...varying, ...instances.flatMap(({ values }) => values.map(({ name }) => name))])];
  return (
    <div className={classes.section}>
      <div className={classes.sectionHead}>
        <h2 id="composition-instances">{tr('Instances')}</h2>
        {varying.length > 0 && (
          <CommandButton
            variant="default"
            size="compact-sm"
            icon={IconCopyPlus}
            command="composition.instances"
            disabled={!canMake}
            onClick={onMake}
          >
            {tr('Make instances')}
          </CommandButton>
        )}
      </div>
      {instances.length === 0 ? (
        <p className={classes.fine}>
          {tr('It is a template: {names} have other values in each instance. None is made yet.', {
            names: names.join(', '),
          })}
        </p>
      ) : (
        <SideScroll labelledBy="composition-instances">
          <table className={classes.list}>
            <TableHead columns={[tr('Instance'), tr('Seed'), ...names]} />
            <tbody>
              {instances.map(({ id, seed, values }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link href={paths.composition(ws, id)} className={classes.link}>
                      {id}
                    </Link>
                  </th>
                  <td>{seed}</td>
                  {names.map((name) => (
                    <td key={name} className={classes.words}>
                      {values.find((one) => one.name === name)?.value ?? '–'}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </SideScroll>
      )}
    </div>
  );
}

/** The template of an instance, and the seed; the values of the instance are its given values. */
export function OriginLine({ ws, origin }: { ws: string; origin: CompositionShown['origin'] }): ReactNode {
  if (origin === null) return null;
  const { template, seed, isHere } = origin;
  return (
    <p className={classes.told}>
      {isHere
        ? trParts('An instance of <link>{template}</link>, drawn by the seed {seed}', {
            template,
            seed: String(seed),
            link: (inside) => (
              <Link href={paths.composition(ws, template)} className={classes.link}>
                {inside}
              </Link>
            ),
          })
        : tr('An instance of {template}, which is not here, drawn by the seed {seed}', {
            template,
            seed: String(seed),
          })}
    </p>
  );
}
