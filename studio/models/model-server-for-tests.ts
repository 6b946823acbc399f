import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { ProtocolName } from '../../schemas/protocols.ts';

/** A small endpoint that speaks all protocols for computer use, as scripted models do. */

/** An act in words of our own, px of the screen; the server writes it as its protocol does. */
export type ScriptedAct =
  | {
      do: 'click';
      x: number;
      y: number;
      button?: 'left' | 'middle' | 'right';
      count?: number;
      held?: readonly string[];
    }
  | { do: 'drag'; path: readonly (readonly [number, number])[]; held?: readonly string[] }
  | { do: 'type'; text: string }
  | { do: 'keys'; keys: readonly string[] }
  | { do: 'scroll'; x: number; y: number; dy: number }
  | { do: 'wait'; seconds: number };

export type ScriptedAnswer =
  | { kind: 'answer'; text?: string; acts?: readonly ScriptedAct[]; usage?: null }
  | { kind: 'status'; status: number; body?: string; headers?: Record<string, string> }
  | { kind: 'body'; body: string; type?: string }
  /** So much of a right answer, and the connection is cut. */
  | { kind: 'cut'; after: number; text: string }
  | { kind: 'silence' }
  | { kind: 'endless' }
  | { kind: 'redirect'; to: string };

export type ModelAsked = {
  protocol: ProtocolName;
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Record<string, unknown>;
  /** Every text in it, in order, and the last of them. */
  texts: string[];
  last: string;
  pictures: string[];
};

export type ModelServer = { url: string; asked: ModelAsked[]; close(): Promise<void> };

const TOKENS = { input: 1000, output: 50 };

/** `answer` is asked for each request, with its number from 0; `size`: of the screen, px. */
export async function startModelServer(
  answer: (asked: ModelAsked, n: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
  size = { width: 1000, height: 700 },
): Promise<ModelServer> {
  const asked: ModelAsked[] = [];
  const server = createServer((request, response) => void reply(request, response));
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const one = read(request, z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
    asked.push(one);
    write(one.protocol, await answer(one, asked.length - 1), response, size);
  }
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo; // A server that listens on a port has such an address.
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function protocolOf(path: string): ProtocolName {
  if (path.endsWith('/messages')) return 'anthropic';
  if (path.endsWith(':generateContent')) return 'gemini';
  return path.endsWith('/responses') ? 'responses' : 'openai';
}

function read(request: IncomingMessage, body: Record<string, unknown>): ModelAsked {
  const path = new URL(request.url ?? '/', 'http://here').pathname;
  const texts: string[] = [];
  const pictures: string[] = [];
  const walk = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      const isPicture = key === 'data' || value.startsWith('data:image');
      if (isPicture) pictures.push(value.replace(/^data:image\/png;base64,/, ''));
      else if (['text', 'content', 'system', 'instructions', 'result', 'output'].includes(key)) texts.push(value);
    } else if (Array.isArray(value)) for (const one of value) walk(one, key);
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) walk(one, name);
  };
  walk(body, '');
  return {
    protocol: protocolOf(path),
    path,
    headers: request.headers,
    body,
    texts,
    last: texts.at(-1) ?? '',
    pictures,
  };
}

function write(
  protocol: ProtocolName,
  answer: ScriptedAnswer,
  response: ServerResponse,
  size: { width: number; height: number },
): void {
  const json = (status: number, body: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
  if (answer.kind === 'status') json(answer.status, answer.body ?? '{"error": {"message": "no"}}', answer.headers);
  else if (answer.kind === 'body') json(200, answer.body, { 'content-type': answer.type ?? 'application/json' });
  else if (answer.kind === 'redirect') json(307, '', { location: answer.to });
  else if (answer.kind === 'endless') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = (): void => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  } else if (answer.kind === 'cut') {
    const whole = Buffer.from(JSON.stringify(bodyOf(protocol, { kind: 'answer', text: answer.text }, size)));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
    response.write(whole.subarray(0, Math.min(answer.after, whole.length - 1)), () => response.destroy());
  } else if (answer.kind === 'answer') json(200, JSON.stringify(bodyOf(protocol, answer, size)));
}

function bodyOf(
  protocol: ProtocolName,
  { text = '', acts = [], usage }: ScriptedAnswer & { kind: 'answer' },
  size: { width: number; height: number },
): unknown {
  const { input, output } = TOKENS;
  switch (protocol) {
    case 'openai': {
      const code = acts.length === 0 ? '' : `\n\`\`\`python\n${acts.map(inPython).join('\n')}\n\`\`\``;
      const content = `${text}${code}`;
      return {
        choices: [{ message: { role: 'assistant', content } }],
        ...(usage === null ? {} : { usage: { prompt_tokens: input, completion_tokens: output } }),
      };
    }
    case 'responses':
      return {
        output: [
          ...(text === '' ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]),
          ...(acts.length === 0 ? [] : [{ type: 'computer_call', call_id: 'call_1', actions: acts.map(inOpenAi) }]),
        ],
        ...(usage === null ? {} : { usage: { input_tokens: input, output_tokens: output } }),
      };
    case 'anthropic':
      return {
        role: 'assistant',
        content: [
          ...(text === '' ? [] : [{ type: 'text', text }]),
          ...acts.flatMap(inAnthropic).map((act, n) => ({ type: 'tool_use', id: `toolu_${n}`, ...act })),
        ],
        ...(usage === null ? {} : { usage: { input_tokens: input, output_tokens: output } }),
      };
    case 'gemini': {
      const calls = acts
        .flatMap((act) => inGemini(act, size))
        .map((call) => ({ functionCall: call, thoughtSignature: 'c2ln' }));
      const counted = { promptTokenCount: input, candidatesTokenCount: output };
      return {
        candidates: [{ content: { role: 'model', parts: [...(text === '' ? [] : [{ text }]), ...calls] } }],
        ...(usage === null ? {} : { usageMetadata: counted }),
      };
    }
  }
}

const python = (value: unknown): string => JSON.stringify(value);

const heldOf = (act: ScriptedAct): readonly string[] => ('held' in act && act.held) || [];

function inPython(act: ScriptedAct): string {
  const held = heldOf(act);
  const down = held.map((key) => `pyautogui.keyDown(${python(key)})`);
  const up = held.toReversed().map((key) => `pyautogui.keyUp(${python(key)})`);
  return [...down, pythonOf(act), ...up].join('\n');
}

function pythonOf(act: ScriptedAct): string {
  switch (act.do) {
    case 'click':
      return `pyautogui.click(${act.x}, ${act.y}, clicks=${act.count ?? 1}, button=${python(act.button ?? 'left')})`;
    case 'drag': {
      const [from, ...rest] = act.path;
      const moves = rest.slice(0, -1).map(([x, y]) => `pyautogui.moveTo(${x}, ${y})`);
      const [x, y] = rest.at(-1) ?? [0, 0];
      return [`pyautogui.mouseDown(${from?.join(', ')})`, ...moves, `pyautogui.mouseUp(${x}, ${y})`].join('\n');
    }
    case 'type':
      return `pyautogui.write(${python(act.text)})`;
    case 'keys':
      return `pyautogui.hotkey(${act.keys.map(python).join(', ')})`;
    case 'scroll':
      return `pyautogui.scroll(${-act.dy}, x=${act.x}, y=${act.y})`;
    case 'wait':
      return `pyautogui.sleep(${act.seconds})`;
  }
}

function inOpenAi(act: ScriptedAct): unknown {
  const held = heldOf(act);
  const keys = held.length > 0 && { keys: held };
  switch (act.do) {
    case 'click': {
      const { x, y } = act;
      const button = act.button === 'middle' ? 'wheel' : (act.button ?? 'left');
      return act.count === 2 ? { type: 'double_click', x, y, ...keys } : { type: 'click', x, y, button, ...keys };
    }
    case 'drag':
      return { type: 'drag', path: act.path.map(([x, y]) => ({ x, y })), ...keys };
    case 'type':
      return { type: 'type', text: act.text };
    case 'keys':
      return { type: 'keypress', keys: act.keys };
    case 'scroll':
      return { type: 'scroll', x: act.x, y: act.y, scroll_x: 0, scroll_y: act.dy * 40 };
    case 'wait':
      // It has no word for how long.
      return { type: 'wait' };
  }
}

function inAnthropic(act: ScriptedAct): { name: string; input: object }[] {
  const held = heldOf(act);
  const text = held.length > 0 && { text: held.join('+') };
  switch (act.do) {
    case 'click': {
      const many = ['left_click', 'double_click', 'triple_click'][(act.count ?? 1) - 1] ?? 'left_click';
      const name = act.button === undefined || act.button === 'left' ? many : `${act.button}_click`;
      return [{ name, input: { coordinate: [act.x, act.y], ...text } }];
    }
    case 'drag': {
      const [from, ...rest] = act.path;
      const to = rest.at(-1);
      if (rest.length === 1)
        return [{ name: 'left_click_drag', input: { start_coordinate: from, coordinate: to, ...text } }];
      // A way of several pieces has no word of its own.
      return [
        { name: 'mouse_move', input: { coordinate: from } },
        { name: 'left_mouse_down', input: {} },
        ...rest.map((coordinate) => ({ name: 'mouse_move', input: { coordinate } })),
        { name: 'left_mouse_up', input: {} },
      ];
    }
    case 'type':
      return [{ name: 'type', input: { text: act.text } }];
    case 'keys':
      return [{ name: 'key', input: { text: act.keys.join('+') } }];
    case 'scroll': {
      const direction = act.dy > 0 ? 'down' : 'up';
      const input = { coordinate: [act.x, act.y], scroll_direction: direction, scroll_amount: Math.abs(act.dy) };
      return [{ name: 'scroll', input }];
    }
    case 'wait':
      return [{ name: 'wait', input: { duration: act.seconds } }];
  }
}

type GeminiCall = { name: string; args: object };

function inGemini(act: ScriptedAct, size: { width: number; height: number }): GeminiCall[] {
  const held = heldOf(act);
  const down = held.map((key) => ({ name: 'key_down', args: { key } }));
  const up = held.toReversed().map((key) => ({ name: 'key_up', args: { key } }));
  return [...down, ...geminiOf(act, size), ...up];
}

function geminiOf(act: ScriptedAct, { width, height }: { width: number; height: number }): GeminiCall[] {
  const place = (x: number, y: number): [number, number] => [
    Math.round((x / width) * 1000),
    Math.round((y / height) * 1000),
  ];
  switch (act.do) {
    case 'click': {
      const [x, y] = place(act.x, act.y);
      const name = ['click', 'double_click', 'triple_click'][(act.count ?? 1) - 1] ?? 'click';
      return [{ name, args: { x, y, button: act.button ?? 'left' } }];
    }
    case 'drag': {
      const [from = [0, 0], ...rest] = act.path.map(([x, y]) => place(x, y));
      const [end_x, end_y] = rest.at(-1) ?? from;
      if (rest.length === 1)
        return [{ name: 'drag_and_drop', args: { start_x: from[0], start_y: from[1], end_x, end_y } }];
      return [
        { name: 'mouse_down', args: { x: from[0], y: from[1] } },
        ...rest.map(([x, y]) => ({ name: 'move', args: { x, y } })),
        { name: 'mouse_up', args: { x: end_x, y: end_y } },
      ];
    }
    case 'type':
      return [{ name: 'type', args: { text: act.text, press_enter: false } }];
    case 'keys':
      return [{ name: 'hotkey', args: { keys: act.keys.join('+') } }];
    case 'scroll': {
      const [x, y] = place(act.x, act.y);
      const direction = act.dy > 0 ? 'down' : 'up';
      return [{ name: 'scroll', args: { x, y, direction, magnitude: Math.abs(act.dy) * 100 } }];
    }
    case 'wait':
      return [{ name: 'wait', args: { seconds: act.seconds } }];
  }
}
