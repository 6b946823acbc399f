import type { ErrorBody } from '../../../schemas/errors.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { PieceState, WorkQueue } from '../work.ts';
import type { PostgresAnswer, PostgresEngine } from './engine.ts';
import { isAway, postgresError } from './errors.ts';
import { type VersionWatch, watchVersion } from './version.ts';

/**
 * Work for other processes as rows of a table that PostgreSQL alone has. All times are the server's: clocks of machines may differ.
 * A worker that takes a row locks it and passes over those that others are just taking (SKIP LOCKED).
 */

export const WORK_TABLES = ['studio_work', 'studio_workers'] as const;

const MAKE = `
create table if not exists studio_work (
  n bigint generated always as identity primary key,
  id text not null unique,
  task text not null,
  input text not null,
  state text not null default 'waiting',
  attempt bigint not null default 0,
  worker text,
  leased_until timestamptz,
  not_before timestamptz not null default now(),
  asked_until timestamptz not null,
  stop boolean not null default false,
  share double precision not null default 0,
  message text,
  result text,
  error text
);
create index if not exists studio_work_open on studio_work (n) where state in ('waiting', 'running');
create table if not exists studio_workers (id text primary key, seen_at timestamptz not null)`;
/** Two processes that make the tables at once are in each other's way, whatever "if not exists" says. */
const MAKING = 7_203_912;

/** A worker that said nothing for so long has lost its work, s. */
const LEASE_S = 15;
/** A process that asked and said nothing for so long waits for nothing any more, s. */
const ASKED_S = 60;
/** A worker counts as there so long after it was seen, s. */
const SEEN_S = 15;
/** Work that ends so many workers, or fails so often, is given up. */
const MOST_ATTEMPTS = 5;
/** The wait before the next attempt, s, by how many there were: 0 after the first that a worker lost, then longer and longer. */
const WAIT = (attempt: string, first: number): string => `make_interval(secs => ${first} * (power(3, ${attempt}) - 1))`;

type Ask = (sql: string, ...parameters: unknown[]) => Promise<PostgresAnswer>;

/** Each statement in a transaction of its own, on tables that are made before the first. */
function askerOf(engine: PostgresEngine, versions: VersionWatch | null): { ask: Ask; askKnown: Ask } {
  let made: Promise<void> | null = null;

  const askOn =
    (watch: VersionWatch | null): Ask =>
    async (sql, ...parameters) => {
      made ??= make();
      made.catch(() => {
        made = null;
      });
      await made;
      return once(sql, parameters, watch);
    };

  /** Under "read committed": who takes a row sees what the others have just committed, and nobody is asked to do it again. */
  async function once(
    sql: string,
    parameters: readonly unknown[],
    watch: VersionWatch | null,
  ): Promise<PostgresAnswer> {
    let broken = true;
    const connection = await engine.connect().catch((error: unknown) => {
      throw postgresError(error, engine.where);
    });
    try {
      await connection.query('begin isolation level read committed', []);
      await watch?.lookWithin(connection);
      const answer = await connection.query(sql, parameters);
      await connection.query('commit', []);
      broken = false;
      return answer;
    } catch (error) {
      if (!isAway(error))
        broken = await connection.query('rollback', []).then(
          () => false,
          () => true,
        );
      throw postgresError(error, engine.where);
    } finally {
      connection.release(broken);
    }
  }

  async function make(): Promise<void> {
    // The statements of one text are done in turn.
    await once(`select pg_advisory_xact_lock(${MAKING}); ${MAKE}`, [], null);
  }

  return { ask: askOn(null), askKnown: askOn(versions) };
}

/**
 * `version`: of the database, as this program knows it. Once the database has a newer one nothing is asked for, taken or ended here
 * (OUTDATED): what is asked and what comes of it may have another form by then. It is given back and let go all the same.
 */
export function postgresWork(engine: PostgresEngine, version: number | null = null): WorkQueue {
  const { ask, askKnown } = askerOf(engine, version === null ? null : watchVersion(engine.where, version));
  return {
    async workers() {
      const { rows } = await ask(
        `select count(*) as n from studio_workers where seen_at > now() - make_interval(secs => ${SEEN_S})`,
      );
      return Number((rows as { n: number }[])[0]?.n ?? 0);
    },
    async put({ id, task, input }) {
      await askKnown(
        `insert into studio_work (id, task, input, asked_until) values ($1, $2, $3, now() + make_interval(secs => ${ASKED_S}))`,
        id,
        task,
        JSON.stringify(input),
      );
    },
    async look(ids) {
      const { rows } = await ask(
        `with mine as (update studio_work set asked_until = now() + make_interval(secs => ${ASKED_S}) where id = any($1) and asked_until < now() + make_interval(secs => ${ASKED_S / 2}))
         select id, state, share, message, result, error from studio_work where id = any($1)`,
        [...ids],
      );
      return new Map((rows as Row[]).map((row) => [row.id, stateOf(row)]));
    },
    async stop(id) {
      await ask('update studio_work set stop = true where id = $1', id);
    },
    async takeBack(id) {
      const { changed } = await ask("delete from studio_work where id = $1 and state = 'waiting'", id);
      return changed === 1;
    },
    async forget(id) {
      await ask('delete from studio_work where id = $1', id);
    },
    async claim(worker, tasks) {
      await askKnown(
        `insert into studio_workers (id, seen_at) values ($1, now()) on conflict (id) do update set seen_at = now()`,
        worker,
      );
      await ask(
        `update studio_work set state = 'failed', worker = null, error = $1
         where state = 'running' and leased_until < now() and attempt >= ${MOST_ATTEMPTS}`,
        JSON.stringify(ended()),
      );
      const { rows } = await ask(
        `update studio_work set state = 'running', worker = $1, attempt = attempt + 1,
           leased_until = now() + make_interval(secs => ${LEASE_S})
         where n = (
           select n from studio_work
           where task = any($2) and not stop and asked_until > now()
             and ((state = 'waiting' and not_before <= now())
               or (state = 'running' and leased_until + ${WAIT('attempt - 1', 5)} < now()))
           order by n for update skip locked limit 1)
         returning id, task, input, attempt`,
        worker,
        [...tasks],
      );
      const [row] = rows as { id: string; task: string; input: string; attempt: number }[];
      if (!row) {
        await sweep(ask);
        return null;
      }
      return { ...row, attempt: Number(row.attempt), input: JSON.parse(row.input) as unknown };
    },
    async beat(worker, { id, attempt }, { share, message }) {
      const { rows } = await askKnown(
        `with seen as (update studio_workers set seen_at = now() where id = $1)
         update studio_work set leased_until = now() + make_interval(secs => ${LEASE_S}), share = $4, message = coalesce($5, message)
         where id = $2 and attempt = $3 and worker = $1 and state = 'running'
         returning stop or asked_until < now() as stop`,
        worker,
        id,
        attempt,
        share,
        message,
      );
      const [row] = rows as { stop: boolean }[];
      return row ? (row.stop ? 'stop' : 'go on') : 'lost';
    },
    async end(worker, { id, attempt }, outcome) {
      const isDone = 'result' in outcome;
      const again = !isDone && outcome.again && attempt < MOST_ATTEMPTS;
      const state = isDone ? 'done' : again ? 'waiting' : 'failed';
      const { changed } = await askKnown(
        `update studio_work set state = $4, worker = null, leased_until = null, result = $5, error = $6,
           not_before = now() + ${WAIT('attempt', 5)}
         where id = $2 and attempt = $3 and worker = $1 and state = 'running'`,
        worker,
        id,
        attempt,
        state,
        isDone ? JSON.stringify(outcome.result ?? null) : null,
        isDone ? null : JSON.stringify(outcome.error),
      );
      return changed === 1;
    },
    async giveBack(worker, { id, attempt }) {
      await ask(
        `update studio_work set state = 'waiting', worker = null, leased_until = null, attempt = attempt - 1
         where id = $2 and attempt = $3 and worker = $1 and state = 'running'`,
        worker,
        id,
        attempt,
      );
    },
    async leave(worker) {
      await ask('delete from studio_workers where id = $1', worker);
    },
  };
}

/** Removes rows whose asker is gone, and workers that were killed. */
async function sweep(ask: Ask): Promise<void> {
  await ask(
    `with gone as (delete from studio_workers where seen_at < now() - interval '1 day')
     delete from studio_work where asked_until < now() - interval '1 hour'`,
  );
}

type Row = {
  id: string;
  state: string;
  share: number;
  message: string | null;
  result: string | null;
  error: string | null;
};

function stateOf({ state, share, message, result, error }: Row): PieceState {
  if (state === 'done') return { state, result: result === null ? null : (JSON.parse(result) as unknown) };
  if (state === 'failed') return { state, error: error === null ? ended() : (JSON.parse(error) as ErrorBody) };
  return { state: state === 'running' ? 'running' : 'waiting', share, message };
}

const ended = (): ErrorBody =>
  new StudioError(
    'INTERRUPTED',
    `Each of ${MOST_ATTEMPTS} workers that did this ended in the middle of it, so it is not tried again by itself. Look at their logs (doctor --log), then begin it again.`,
    {},
  ).toBody();
