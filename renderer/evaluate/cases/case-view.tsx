import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Run } from '../../../schemas/api/evaluate.ts';
import type { CaseNote, ScoredCase } from '../../../schemas/evaluate.ts';
import { fileUrl } from '../../client/api.ts';
import { plural } from '../../ui/format.ts';
import { Kbd } from '../../ui/keys/kbd.tsx';
import { useHandlers } from '../../ui/keys/use-commands.ts';
import { ErrorPanel } from '../../ui/parts.tsx';
import { evaluateQueries } from '../queries.ts';
import classes from './cases.module.css';
import { CaseVerdict } from './list.tsx';
import { CasePicture, Glyph, type Layer } from './picture.tsx';
import { answerText, readingText, shapesOf, truthLines } from './shapes.ts';

const NOTE_TEXT: Readonly<Record<CaseNote, string>> = {
  missing: 'no prediction',
  unreadable: 'answer not readable',
  refused: 'code refused',
  stopped: 'code stops early',
  'ignored-keys': 'unknown keys ignored',
  'critic-unreadable': 'critic not readable',
  'over-limit': 'too many steps',
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
      <section className={classes.middle} aria-label="Picture">
        {image === undefined ? (
          <p className={classes.noPicture}>
            {isTask
              ? 'A whole task is scored by what its run came to; there is no picture of it.'
              : 'This question has no picture: it is asked by its text alone.'}
          </p>
        ) : (
          <CasePicture
            key={image}
            src={fileUrl.questionPicture(ws, run.set, image)}
            about={`Screen of the question ${scored.id}${images.length > 1 ? `, ${(picture % images.length) + 1} of ${images.length}` : ''}.`}
            shapes={shapes}
            other={otherPlaces}
            threshold={run.evaluation.options.threshold}
            zoomed={zoomed}
          />
        )}
        <div className={classes.legend}>
          {drawn && (
            <>
              <Key layer="truth">truth</Key>
              <Key layer="prediction">{run.name}</Key>
              {other && <Key layer="other">{other.name}</Key>}
              <span className={classes.keyNote}>dashed: a hit, {run.evaluation.options.threshold} px</span>
              <Button
                variant="default"
                size="compact-xs"
                aria-pressed={zoomed}
                rightSection={<Kbd command="cases.zoom" />}
                onClick={() => setZoomed(!zoomed)}
              >
                {zoomed ? 'Whole picture' : 'Zoom to the marks'}
              </Button>
            </>
          )}
          {images.length > 1 && (
            <Button variant="default" size="compact-xs" rightSection={<Kbd command="cases.picture" />} onClick={turn}>
              Picture {(picture % images.length) + 1} of {images.length}
            </Button>
          )}
        </div>
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key */}
      <section className={classes.detail} tabIndex={0} aria-label="Case">
        <h2 className={classes.caseTitle}>{scored.id}</h2>
        <p className={classes.caseAbout}>
          {[
            ...[scored.kind, scored.query && `from ${scored.query}`, scored.software],
            ...[scored.actions > 0 && !isTask && plural(scored.actions, 'action'), scored.difficulty],
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <Answer name={run.name} scored={scored} />
        {other && (rival.error ? <ErrorPanel error={rival.error} what="It could not be read." compact /> : null)}
        {other && rival.data && <Answer name={other.name} scored={rival.data} />}
        {other && rival.data === null && (
          <p className={classes.caseAbout}>{other.name} was not scored on this question.</p>
        )}
        <h3>Truth</h3>
        <pre className={classes.text}>{truthLines(scored).join('\n')}</pre>
        {!isTask && (
          <>
            <h3>Question</h3>
            <pre className={classes.text}>{scored.prompt ?? 'The file of the truth does not hold its words.'}</pre>
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
    <section className={classes.answer} aria-label={`Answer of ${name}`}>
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
      <h4>Answer as given</h4>
      <pre className={classes.text}>{answer ?? 'There is none.'}</pre>
      {reading !== null && reading !== answer && (
        <>
          <h4>Understood as</h4>
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
      <span className={classes.keyName}>{children}</span>
    </span>
  );
}
