import { ActionIcon, Menu } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, type Ref, useId, useRef } from 'react';
import { tr } from '../../language/tr.ts';
import { saveText } from '../../ui/download.ts';
import { MenuItems } from '../../ui/menu-items.tsx';
import pages from '../page.module.css';
import classes from './figure.module.css';
import { svgText } from './save.ts';
import { type PlotTable, toCsv, toJson } from './table.ts';

type Props = {
  title: string;
  /** Its content in words: for those who do not see it, and for those who do. */
  caption: string;
  /** Name of the files without their end. */
  file: string;
  table: PlotTable;
  children: (plot: { svgRef: Ref<SVGSVGElement>; width: number }) => ReactNode;
};

/** A plot with its words, its table and its files. */
export function FigureFrame({ title, caption, file, table, children }: Props): ReactNode {
  const { ref, width } = useElementSize();
  const svg = useRef<SVGSVGElement>(null);
  const id = useId();
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 className={classes.title} id={id}>
          {title}
        </h2>
        <Menu position="bottom-end" width={140}>
          <Menu.Target>
            <ActionIcon size="sm" aria-label={tr('Download: {title}', { title })}>
              <IconDownload size={15} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <MenuItems>
            <Menu.Item onClick={() => svg.current && saveText(`${file}.svg`, 'image/svg+xml', svgText(svg.current))}>
              {tr('Plot as SVG')}
            </Menu.Item>
            <Menu.Item onClick={() => saveText(`${file}.csv`, 'text/csv', toCsv(table))}>
              {tr('Table as CSV')}
            </Menu.Item>
            <Menu.Item onClick={() => saveText(`${file}.json`, 'application/json', toJson(table))}>
              {tr('Table as JSON')}
            </Menu.Item>
          </MenuItems>
        </Menu>
      </div>
      <div ref={ref} className={classes.plot}>
        {width > 0 && children({ svgRef: svg, width: Math.floor(width) })}
      </div>
      <figcaption className={classes.caption}>{caption}</figcaption>
      <details className={classes.table}>
        <summary>{tr('Table')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key */}
        <section className={classes.rows} tabIndex={0} aria-label={tr('{title}, table', { title })}>
          <table className={pages.plain}>
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                {table.columns.map((name, i) => (
                  <th key={name} scope="col" className={i > 0 ? pages.number : undefined}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row) => (
                <tr key={String(row[0])}>
                  {row.map((value, i) => (
                    <td key={table.columns[i]} className={i > 0 ? pages.number : undefined}>
                      {typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 3 }) : value}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
