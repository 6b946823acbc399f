import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { timeText } from '../../../core/compositions/day.ts';
import { recipeSchema } from '../../../schemas/play.ts';
import { ownTempFolder } from '../../../test/support/own-temp.ts';
import { cannotHaveClock, clockLibrary, clockUnable, stageClockIn } from './clock.ts';
import { processesOf } from './processes.ts';
import { type SetStage, servicesUnable, setStage } from './set-stage.ts';
import { stageWishes } from './wishes-for-tests.ts';

/** Services and the clock of a real stage, on Linux. */

const linux = process.platform === 'linux';
ownTempFolder();
let stage: SetStage | null = null;
afterEach(async () => {
  await stage?.end();
  stage = null;
});

/** Says its words to whoever connects, and `STOP` ends it. */
const SPEAKER = `use IO::Socket::INET;
my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => $ARGV[0], Listen => 5, ReuseAddr => 1) or die "no port: $!\\n";
while (my $c = $s->accept) { open(my $f, "<", "words.txt"); print $c join("", <$f>); close $c; if (-e "stop") { print STDERR "told to stop\\n"; exit 4 } }`;
const speaker = (more: object = {}) => ({
  name: 'speaker',
  command: 'perl',
  args: ['-e', SPEAKER, '4321'],
  port: 4321,
  changes: [{ name: 'shout', command: 'sh', args: ['-c', 'printf HELLO >words.txt'] }],
  ...more,
});
const ASK = 'use IO::Socket::INET; print IO::Socket::INET->new("127.0.0.1:4321")->getline';
const ask = { command: 'sh', args: ['-c', `perl -e '${ASK}' >heard.txt`] };
/** Its title is the time, read every tenth of a second by one process. */
const TICK =
  'use POSIX; $| = 1; while (1) { printf "\\e]0;%s\\a", strftime("%Y-%m-%dT%H:%M:%S", localtime); select undef, undef, undef, .1 }';

test.runIf(linux)(
  'a service is there before a program is started, its data can be changed, and its end is said',
  async () => {
    const files = [{ text: 'hello', to: 'words.txt' }];
    stage = await setStage(stageWishes({ files, services: [speaker()] }));
    const heard = (): string => readFileSync(join(stage?.home ?? '', 'heard.txt'), 'utf8');
    await stage.run(ask, 30_000);
    expect(heard()).toBe('hello');
    await stage.run({ command: 'sh', args: ['-c', 'printf HELLO >words.txt'] }, 30_000);
    await stage.run(ask, 30_000);
    expect(heard()).toBe('HELLO');
    const odd = stage.run({ command: 'sh', args: ['-c', 'echo too bad >&2; exit 3'] }, 30_000);
    await expect(odd).rejects.toThrow(/“sh” ended \(status 3\)\. It printed: “too bad”/);
    await expect(stage.run({ command: 'sleep', args: ['100'] }, 200)).rejects.toThrow(/had not ended after 0\.2 s/);
    await expect(stage.raise('Nothing')).rejects.toThrow(/No window with “Nothing” in its title is there/);
    await stage.open({ programs: [] });
    await stage.run({ command: 'sh', args: ['-c', 'touch stop'] }, 30_000);
    await stage.run(ask, 30_000);
    await expect
      .poll(() =>
        stage?.open({ programs: [] }).then(
          () => '',
          (error: Error) => error.message,
        ),
      )
      .toMatch(/The service “speaker” of the stage: “perl” ended \(status 4\) while .* It printed: “told to stop”/);
  },
);

test.runIf(linux)('one that does not start is said with the last that it printed, and nothing is left', async () => {
  const dies = { command: 'sh', args: ['-c', 'echo "speaker: words.txt is missing" >&2; exit 2'] };
  await expect(setStage(stageWishes({ services: [speaker(dies)] }))).rejects.toMatchObject({
    code: 'CAPTURE_FAILED',
    message: expect.stringMatching(
      /“speaker” .* “sh” ended \(status 2\)\. It printed: “speaker: words\.txt is missing”/,
    ),
  });
  const twice = [speaker(), speaker({ name: 'other' })];
  await expect(setStage(stageWishes({ services: twice }))).rejects.toThrow(/“other” .* port 4321 is taken already/);
  const missing = speaker({ command: 'no-such-server' });
  await expect(setStage(stageWishes({ services: [missing] }))).rejects.toMatchObject({ code: 'UNKNOWN_APP' });
});

test.runIf(linux && clockLibrary() !== null)(
  'a clock program shows the scenario’s time to the second after ten jumps, and ours shows the machine’s',
  async () => {
    const programs = [{ command: 'xterm', args: ['-e', 'perl', '-e', TICK], window: '20' }];
    stage = await setStage(stageWishes({ clock: '2031-03-02T08:50', programs }));
    const { clock } = stage;
    const display = stage.openDisplay();
    const apart = async (): Promise<number> => {
      const [title = ''] = await display.titles();
      return Math.abs(Date.parse(`${title}Z`) - Date.parse(`${timeText(clock?.now() ?? 0)}Z`));
    };
    try {
      await expect.poll(apart).toBeLessThanOrEqual(1000);
      for (let jump = 1; jump <= 10; jump++) {
        // Ahead and back again, an hour and more.
        clock?.set(Date.UTC(2031, 2, 2, 12 + (jump % 2 === 0 ? -jump : jump), jump));
        await expect.poll(apart).toBeLessThanOrEqual(1000);
      }
      // Whoever plays or records there knows each turn of it.
      const turns = stageClockIn(stage.env);
      expect(turns).toHaveLength(11);
      expect((turns.at(-1)?.ahead ?? 0) + Date.now() - (clock?.now() ?? 0)).toBeLessThan(1000);
      expect(stageClockIn({})).toEqual([]);
      expect(Math.abs(Date.now() - performance.timeOrigin - performance.now())).toBeLessThan(60_000);
      expect(stage.env.LD_PRELOAD).toBeUndefined();
    } finally {
      await display.close();
    }
    await stage.run({ command: 'sh', args: ['-c', 'date +%Y >year; echo >new; date -r new +%Y >>year'] }, 30_000);
    // When files were written is by the machine's.
    const [shown, kept] = readFileSync(join(stage.home, 'year'), 'utf8').split('\n');
    expect([shown, Number(kept) < 2031]).toEqual(['2031', true]);
    const { id } = stage;
    await stage.end();
    expect(processesOf(id)).toEqual([]);
  },
);

test('without a cage services are refused at once, by their names; a recipe without any is not', () => {
  const { services } = recipeSchema.parse({
    schema: 'trajectory-studio/recipe',
    version: 3,
    services: [{ name: 'shop', command: 'node', port: 8100 }],
  });
  expect(servicesUnable(services, () => 'install bubblewrap')).toMatchObject({
    code: 'NO_CAGE',
    message: expect.stringMatching(/services of the recipe \(“shop”\) need .* For a cage: install bubblewrap/),
  });
  expect(servicesUnable(services, () => null)).toBeNull();
  expect(servicesUnable([], () => 'install bubblewrap')).toBeNull();
});

test('without libfaketime it is said, with what to install; a program that nothing can be put into is known', () => {
  expect(clockUnable(null)).toMatchObject({
    code: 'NO_LIBRARY',
    message: expect.stringContaining('apt install faketime'),
  });
  expect(clockUnable('/usr/lib/libfaketime.so')).toBeNull();
  if (!linux) return;
  expect(cannotHaveClock('/bin/sh')).toBe(false);
  expect(cannotHaveClock('/etc/passwd')).toBe(false);
});
