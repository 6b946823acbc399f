import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Run } from '../../../schemas/api/evaluate.ts';
import type { CaseNote, ScoredCase } from '../../../schemas/evaluate.ts';
import { fileUrl } from '../../client/api.ts';
import { tr } from '../../language/tr.ts';
import { CommandButton } from '../../ui/keys/command-button.tsx';
import { useHandlers } from '../../ui/keys/use-commands.ts';
import { ErrorPanel } from '../../ui/parts.tsx';
import { evaluateQueries } from '../queries.ts';
import classes from './cases.module.css';
import { CaseVerdict } from './list.tsx';
import { CasePicture, Glyph, type Layer } from './picture.tsx';
import { answerText, readingText, shapesOf, truthLines } from './shapes.ts';

const NOTE_TEXT: Readonly<Record<CaseNote, string>> = {
  missing: tr('no prediction'),
  unreadable: tr('answer not readable'),
  refused: tr('code refused'),
  stopped: tr('code stops early'),
  'ignored-keys': tr('unknown keys ignored'),
  'critic-unreadable': tr('critic not readable'),
  'over-limit': tr('too many steps'),
  'performed-otherwise': tr('performed, it presses other keys'),
  'not-performed': tr('not performed'),
};

type Props = { ws: string; run: Run; scored: ScoredCase; other: Run | null };

/** One case: the picture with the marks, and beside it what was asked, answered, understood and scored. */
export function CaseView({ ws, run, scored, other }: Props): ReactNode {
  const [picture, setPicture] = useState(0);
  const [zoomed, setZoomed] = useState(false);
  const rival = useQuery({
    ...evaluateQueries.caseOf(ws, other?.id ?? '', scored.id),
    enabled: other !== null,
  });
  const theirs = other ? (rival.data ?? null) : null;
  const shapes = shapesOf(scored);
  const otherPlaces = theirs ? shapesOf(theirs).prediction : [];
  const isTask = scored.kind === 'trajectory' || scored.kind === 'scenario';
  const images = scored.images;
  const image = images[picture % Math.max(1, images.length)];
  const drawn = shapes.size !== null;
  const turn = (): void => setPicture((picture + 1) % images.length);
  useHandlers('cases', {
    'cases.picture': { run: turn, enabled: images.length > 1 },
    'cases.zoom': { run: () => setZoomed(!zoomed), enabled: drawn },
  });
  return (
    <>
      <section className={classes.middle} aria-label={tr('Picture')}>
        {image === undefined ? (
          <p className={classes.noPicture}>
            {isTask
              ? tr('A whole task is scored by what its run came to; there is no picture of it.')
              : tr('This question has no picture: it is asked by its text alone.')}
          </p>
        ) : (
          <CasePicture
            key={image}
            src={fileUrl.questionPicture(ws, run.set, image)}
            about={
              images.length > 1
                ? tr('Screen of the question {id}, {number} of {images}.', {
                    id: scored.id,
                    number: (picture % images.length) + 1,
                    images: images.length,
                  })
                : tr('Screen of the question {id}.', { id: scored.id })
            }
            shapes={shapes}
            other={otherPlaces}
            threshold={run.evaluation.options.threshold}
            zoomed={zoomed}
          />
        )}
        <div className={classes.legend}>
          {drawn && (
            <>
              <Key layer="truth">{tr('truth')}</Key>
              <Key layer="prediction">{run.name}</Key>
              {other && <Key layer="other">{other.name}</Key>}
              <span className={classes.keyNote}>
                {tr('dashed: a hit, {threshold} px', { threshold: run.evaluation.options.threshold })}
              </span>
              <CommandButton
                variant="default"
                size="compact-xs"
                aria-pressed={zoomed}
                command="cases.zoom"
                onClick={() => setZoomed(!zoomed)}
              >
                {zoomed ? tr('Whole picture') : tr('Zoom to the marks')}
              </CommandButton>
            </>
          )}
          {images.length > 1 && (
            <CommandButton variant="default" size="compact-xs" command="cases.picture" onClick={turn}>
              {tr('Picture {number} of {images}', { number: (picture % images.length) + 1, images: images.length })}
            </CommandButton>
          )}
        </div>
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key */}
      <section className={classes.detail} tabIndex={0} aria-label={tr('Case')}>
        <h2 className={classes.caseTitle}>{scored.id}</h2>
        <p className={classes.caseAbout}>
          {[
            ...[scored.kind, scored.query && tr('from {query}', { query: scored.query }), scored.software],
            ...[
              scored.actions > 0 &&
                !isTask &&
                tr('{actions, plural, one {# action} other {# actions}}', { actions: scored.actions }),
              scored.difficulty,
            ],
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <Answer name={run.name} scored={scored} />
        {other && (rival.error ? <ErrorPanel error={rival.error} what={tr('It could not be read.')} compact /> : null)}
        {other && rival.data && <Answer name={other.name} scored={rival.data} />}
        {other && rival.data === null && (
          <p className={classes.caseAbout}>{tr('{name} was not scored on this question.', { name: other.name })}</p>
        )}
        <h3>{tr('Truth')}</h3>
        <pre className={classes.text}>{truthLines(scored).join('\n')}</pre>
        {!isTask && (
          <>
            <h3>{tr('Question')}</h3>
            <pre className={classes.text}>{scored.prompt ?? tr('The file of the truth does not hold its words.')}</pre>
          </>
        )}
      </section>
    </>
  );
}

/** A model's answer to it, with its score and why. */
function Answer({ name, scored }: { name: string; scored: ScoredCase }): ReactNode {
  const answer = answerText(scored.prediction);
  const reading = readingText(scored);
  return (
    <section className={classes.answer} aria-label={tr('Answer of {name}', { name })}>
      <h3 className={classes.answerName}>
        <CaseVerdict scored={scored} /> {name}
      </h3>
      <p className={classes.why}>{scored.why}</p>
      {scored.notes.length > 0 && (
        <p className={classes.notes}>
          {scored.notes.map((note) => (
            <span key={note} className={classes.note}>
              {NOTE_TEXT[note]}
            </span>
          ))}
        </p>
      )}
      <dl className={classes.scores}>
        {Object.entries(scored.scores).map(([score, value]) => (
          <div key={score}>
            <dt>{score}</dt>
            <dd className="tabular">{value === null ? '–' : Number(value.toFixed(4))}</dd>
          </div>
        ))}
      </dl>
      <h4>{tr('Answer as given')}</h4>
      <pre className={classes.text}>{answer ?? tr('There is none.')}</pre>
      {reading !== null && reading !== answer && (
        <>
          <h4>{tr('Understood as')}</h4>
          <pre className={classes.text}>{reading}</pre>
        </>
      )}
    </section>
  );
}

function Key({ layer, children }: { layer: Layer; children: ReactNode }): ReactNode {
  return (
    <span className={classes.key}>
      <svg width="24" height="24" aria-hidden="true">
        <Glyph at={{ x: 12, y: 12 }} layer={layer} />
      </svg>
      <span className={classes.keyName} title={typeof children === 'string' ? children : undefined}>
        {children}
      </span>
    </span>
  );
}
