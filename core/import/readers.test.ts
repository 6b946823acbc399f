import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementOf } from './elements.ts';
import { readTrajectory } from './naturalgaia.ts';
import { pauseClock, pausesOf } from './pause-clock.ts';
import { readTranscript, spokenLines, transcriptText, writtenText } from './transcript.ts';

describe('transcripts', () => {
  test('SubRip: numbers, tags and several lines', () => {
    const file =
      '\uFEFF1\r\n00:00:01,500 --> 00:00:03,000\r\n<i>Open</i> the\r\nInsert tab\r\n\r\n2\r\n00:01:00,000 --> 00:01:02,000\r\n{\\an8}Then &amp; now\r\n';
    expect(readTranscript(file)).toEqual({
      format: 'srt',
      problems: [],
      cues: [
        { start: 1_500_000, end: 3_000_000, text: 'Open the Insert tab' },
        { start: 60_000_000, end: 62_000_000, text: 'Then & now' },
      ],
    });
  });

  test('WebVTT: a head, notes, settings, times without hours', () => {
    const file = 'WEBVTT - title\n\nNOTE one\n\nintro\n00:01.000 --> 00:02.500 align:start\n<v Ann>Hello\n';
    expect(readTranscript(file)).toMatchObject({ format: 'vtt', cues: [{ start: 1e6, end: 2.5e6, text: 'Hello' }] });
  });

  test('cues without an empty line between them stay apart', () => {
    const file = '1\n00:00:01,000 --> 00:00:02,000\nOne\n2\n00:00:02,000 --> 00:00:03,000\nTwo\n';
    expect(readTranscript(file).cues.map(({ text }) => text)).toEqual(['One', 'Two']);
  });

  test('an arrow that is said is text: only a line with two times begins a cue', () => {
    const file =
      '1\n00:00:01,000 --> 00:00:02,000\nChoose File --> Export\nthen wait\n\n2\n00:00:03,000 --> 00:00:04,000\nSecond\n';
    expect(readTranscript(file)).toMatchObject({
      cues: [{ text: 'Choose File --> Export then wait' }, { text: 'Second' }],
      problems: [],
    });
  });

  test('times without milliseconds are times', () => {
    const file = '1\n00:00:01 --> 00:00:02\nNo milliseconds\n';
    expect(readTranscript(file).cues).toEqual([{ start: 1_000_000, end: 2_000_000, text: 'No milliseconds' }]);
  });

  test('entities are read once, by number too; a name that is none stays, whatever an object has by that name', () => {
    const vtt =
      'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>It&#39;s 5 &lt; 6 &amp; &quot;fine&quot; &constructor;</v>\n';
    expect(readTranscript(vtt).cues[0]?.text).toBe('It\'s 5 < 6 & "fine" &constructor;');
    const odd = '00:01 --> 00:02\n&toString; &#x1F600; &#0; &#xD800; &#1114112; &amp;lt;\n';
    expect(readTranscript(odd).cues[0]?.text).toBe('&toString; 😀 &#0; &#xD800; &#1114112; &lt;');
  });

  test('what only looks like a tag is said', () => {
    const srt = '1\n00:00:01,000 --> 00:00:02,000\nWrite a<b and b>c <FONT color="#fff">here</FONT>\n';
    expect(readTranscript(srt).cues[0]?.text).toBe('Write a<b and b>c here');
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000\n<c.yellow>Press</c> <00:01.500><Enter> <lang de>jetzt</lang>\n';
    expect(readTranscript(vtt).cues[0]?.text).toBe('Press <Enter> jetzt');
  });

  test('nothing is said in notes and styles; a line that a machine repeats at once is one', () => {
    const vtt =
      'WEBVTT\n\nNOTE\n00:09.000 --> 00:10.000\nnot said\n\n00:01.000 --> 00:02.000\nOne\n\n00:02.000 --> 00:03.000\nOne\n\n00:09.000 --> 00:10.000\nOne\n';
    expect(readTranscript(vtt).cues).toEqual([
      { start: 1_000_000, end: 3_000_000, text: 'One' },
      { start: 9_000_000, end: 10_000_000, text: 'One' },
    ]);
  });

  test('UTF-16 is told by its byte order mark; what is neither it nor UTF-8 is not guessed', () => {
    const srt = '\uFEFF1\r\n00:00:01,000 --> 00:00:02,000\r\nGrüße\r\n';
    const little = Buffer.from(srt, 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16(), Buffer.from(srt)]) {
      expect(readTranscript(transcriptText(bytes)!).cues).toMatchObject([{ start: 1e6, text: 'Grüße' }]);
    }
    const latin = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nGr\xfc\xdfe\n', 'latin1');
    expect(transcriptText(latin)).toBeNull();
    expect(writtenText(latin)).toContain('Gr\uFFFD');
  });

  test('a page shows the cues of an import, and plain text as its lines or paragraphs', () => {
    const said = fc.array(fc.constantFrom('a', '<b>', '-->', '&amp;', '7', '{\\an8}', 'Ä'), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 4 }), (cues) => {
        const file = cues
          .map((words, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at},500\n${words.join(' ')}\n\n`)
          .join('');
        const { cues: read } = readTranscript(file);
        if (read.length > 0) expect(spokenLines(file)).toEqual(read);
      }),
    );
    const texts = (file: string): string[] => spokenLines(file).map(({ text }) => text);
    expect(texts('One\nTwo\n')).toEqual(['One', 'Two']);
    expect(texts('One\nmore\n\n[0:07] Two\nmore')).toEqual(['One more', 'Two more']);
  });

  test('what cannot be read is told by line, and the rest is read', () => {
    const file = '00:00:05,000 --> 00:00:01,000\nback\n\n00:00:xx --> 3\nbad\n\n00:00:01,000 --> 00:00:02,000\ngood\n';
    const { cues, problems } = readTranscript(file);
    expect(cues).toHaveLength(1);
    expect(problems).toEqual([
      { line: 1, message: expect.stringContaining('ends before it begins') },
      { line: 4, message: expect.stringContaining('has no two times') },
    ]);
    expect(readTranscript('just words').problems).toEqual([{ line: 1, message: expect.any(String) }]);
  });
});

describe('NaturalGAIA trajectories', () => {
  // The text as printed in naturalgaia.txt, appendix E, with its two spellings of an image's mark.
  const trace = `=== Step1 ===
<think>
<image_17-44-23_1_1.jpg>

****Thought****
The user wants to find an album.
I need to open the app.

****Action Thought****
"Wikipedia" is at coordinates [664, 1023].

****Action****
Open the Wikipedia app to start searching for "Jay Chou".
</think>
<Observation>
<image17-44-23_1_2.jpg >
****Observation****
1. Open the Wikipedia app.
</Observation>
=== Step2 ===
<think>
<image17-44-23_1_2.jpg >
****Thought****
Search.
****Action****
Tap on the "Search Wikipedia" bar.
</think>
<Observation>
<image_17-44-23_1_3.jpg>
**Observation:**
The keyboard is there.
</Observation>`;
  const images = ['image_17-44-23_1_1.jpg', 'image_17-44-23_1_2.jpg', 'image_17-44-23_1_3.jpg'];
  const entry = {
    images,
    messages: [
      { role: 'user', content: 'Use Wikipedia to search for Jay Chou,\nand tell me' },
      { role: 'assistant', content: trace },
    ],
    solution: '<answer>Jay</answer>',
  };

  test('the printed sample: each step with its pictures, its thoughts, its action and what was observed', () => {
    expect(readTrajectory(entry)).toEqual({
      goal: 'Use Wikipedia to search for Jay Chou, and tell me',
      solution: 'Jay',
      images,
      problems: [],
      steps: [
        {
          number: 1,
          before: 0,
          after: 1,
          thought: 'The user wants to find an album.\nI need to open the app.',
          actionThought: '"Wikipedia" is at coordinates [664, 1023].',
          action: 'Open the Wikipedia app to start searching for "Jay Chou".',
          observation: '1. Open the Wikipedia app.',
        },
        {
          number: 2,
          before: 1,
          after: 2,
          thought: 'Search.',
          actionThought: null,
          action: 'Tap on the "Search Wikipedia" bar.',
          observation: 'The keyboard is there.',
        },
      ],
    });
  });

  test('bare image marks go through the list in order; one too many is told', () => {
    const bare = trace.replaceAll(/<image[^>]*>/g, '<image>');
    const { steps, problems } = readTrajectory({ ...entry, messages: [{ role: 'assistant', content: bare }] });
    expect(steps.map(({ before, after }) => [before, after])).toEqual([
      [0, 1],
      [2, null],
    ]);
    expect(problems).toContain('more images are shown than the 3 that are listed');
  });

  test('an image that is not listed, and a message without steps, are told', () => {
    const { problems } = readTrajectory({ ...entry, images: images.slice(0, 2) });
    expect(problems).toEqual([expect.stringContaining('is shown but not listed')]);
    expect(readTrajectory({ ...entry, messages: [{ role: 'user', content: 'x' }] })).toMatchObject({ steps: [] });
  });
});

describe('elements of AgentNet', () => {
  const scale = { x: 0.5, y: 0.5 };
  test('Windows: the root of the tree, its box scaled', () => {
    const tree = {
      Name: 'Insert',
      ControlType: 'TabItemControl',
      BoundingRectangle: { left: 100, top: 20, right: 160, bottom: 50 },
      Children: [],
    };
    expect(elementOf(tree, 7, scale)).toEqual({
      t: 7,
      name: 'Insert',
      role: 'TabItemControl',
      bounds: { x: 50, y: 10, width: 30, height: 15 },
    });
  });
  test('macOS: a root without a title takes the nearest named thing in it', () => {
    const tree = {
      AXRole: 'AXRow',
      AXFrame: { x: 72, y: 140, w: 274, h: 28 },
      AXChildren: [{ AXChildren: [{ AXTitle: 'Messages' }] }],
    };
    expect(elementOf(tree, 0, { x: 1, y: 1 })).toEqual({
      t: 0,
      name: 'Messages',
      role: 'AXRow',
      bounds: { x: 72, y: 140, width: 274, height: 28 },
    });
  });
  test('what is no tree is nothing, however deep it is', () => {
    for (const tree of [null, 7, [], '', {}, { AXFrame: "{'x': 1}" }]) expect(elementOf(tree, 0, scale)).toBeNull();
    let deep: unknown = { Name: 'far' };
    for (let i = 0; i < 5000; i++) deep = { Children: [deep] };
    expect(elementOf(deep, 0, scale)).toBeNull();
  });
});

describe('a clock that stands still in pauses', () => {
  test('there and back is where it was, outside of pauses (law)', () => {
    const spans = fc.array(fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1000 })), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(spans, fc.nat(20_000), (gaps, t) => {
        let at = 0;
        const pauses = gaps.map(([before, length]) => {
          const from = at + before;
          at = from + length;
          return { from, to: at };
        });
        const clock = pauseClock(pauses);
        const inside = pauses.find(({ from, to }) => t >= from && t < to);
        expect(clock.fromVideo(clock.toVideo(t))).toBe(inside ? inside.to : t);
      }),
    );
  });
  test('a pause that never ended goes to the end', () => {
    const mark = (action: string, t: number) => ({ action, t });
    expect(pausesOf([mark('pause', 5), mark('resume', 9), mark('resume', 10), mark('pause', 20)], 30)).toEqual([
      { from: 5, to: 9 },
      { from: 20, to: 30 },
    ]);
  });
});
