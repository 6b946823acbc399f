import { EventType, uIOhook, WheelDirection } from 'uiohook-napi';
import { describe, expect, it, vi } from 'vitest';
import { startHook, toHookEvent } from './hook.ts';

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

describe('toHookEvent', () => {
  it('names buttons and modifiers', () => {
    const event = {
      type: EventType.EVENT_MOUSE_PRESSED,
      time: 5,
      ...none,
      ctrlKey: true,
      x: 1,
      y: 2,
      button: 2,
      clicks: 1,
    } as const;
    expect(toHookEvent(event)).toEqual({ type: 'down', time: 5, x: 1, y: 2, mods: 2, button: 'right' });
  });

  it('turns the wheel towards the user into a positive dy, to the right into a positive dx', () => {
    const wheel = {
      type: EventType.EVENT_MOUSE_WHEEL,
      time: 5,
      ...none,
      x: 1,
      y: 2,
      clicks: 1,
      amount: 3,
      rotation: 1,
    } as const;
    expect(toHookEvent({ ...wheel, direction: WheelDirection.VERTICAL })).toMatchObject({ dx: 0, dy: 1 });
    expect(toHookEvent({ ...wheel, direction: WheelDirection.HORIZONTAL, rotation: -1 })).toMatchObject({
      dx: -1,
      dy: 0,
    });
  });

  it("leaves out the hook's own clicks: counting them is A4's work", () => {
    expect(
      toHookEvent({ type: EventType.EVENT_MOUSE_CLICKED, time: 5, ...none, x: 1, y: 2, button: 1, clicks: 2 }),
    ).toBeNull();
  });

  it('says which key it does not know', () => {
    expect(toHookEvent({ type: EventType.EVENT_KEY_PRESSED, time: 5, ...none, keycode: 0 })).toMatchObject({
      code: null,
      hookCode: 0,
    });
    expect(toHookEvent({ type: EventType.EVENT_KEY_RELEASED, time: 5, ...none, keycode: 30 })).toMatchObject({
      type: 'keyup',
      code: 'KeyA',
    });
  });
});

describe('the end of listening', () => {
  it('never calls uiohook’s own stop, which waits for its thread without a limit', () => {
    const start = vi.spyOn(uIOhook, 'start').mockImplementation(() => undefined);
    const stop = vi.spyOn(uIOhook, 'stop').mockImplementation(() => undefined);
    const heard: unknown[] = [];
    const end = startHook((event) => heard.push(event));
    const key = { type: EventType.EVENT_KEY_PRESSED, time: 5, ...none, keycode: 30 };
    uIOhook.emit('input', key);
    end();
    uIOhook.emit('input', key);
    expect([start.mock.calls.length, stop.mock.calls.length, heard.length]).toEqual([1, 0, 1]);
    vi.restoreAllMocks();
  });
});
