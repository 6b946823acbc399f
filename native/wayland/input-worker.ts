import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { DeviceEvent, PointerSettings } from './device-event.ts';
import { openInputDevices } from './input-devices.ts';
import { openKeys } from './made-keys.ts';
import { type Area, areaOf, watchOutputs } from './outputs.ts';
import { openWayland } from './wire.ts';

/**
 * Reads the input devices and hands on what people do, and how far the displays reach whenever that changes, until [0] of
 * `control` is set.
 */
export type InputSetup = { folder: string; settings: PointerSettings; control: Int32Array<SharedArrayBuffer> };
export type InputReport = { type: 'events'; events: DeviceEvent[] } | { type: 'area'; area: Area };

const { folder, settings, control } = workerData as InputSetup; // the host hands in exactly this
const port = parentPort as MessagePort; // this file only ever runs as a worker
const WAIT_MS = 100;

/** Null where the compositor does not answer: that it is gone ends the recording, and is nothing to end it badly for. */
function openOutputs(): { area(): Area; close(): void } | null {
  try {
    const client = openWayland();
    const outputs = watchOutputs(client);
    return { area: () => areaOf(outputs.displays()), close: () => client.close() };
  } catch {
    return null;
  }
}

const keys = openKeys();
const devices = openInputDevices(folder, () => settings);
let outputs = openOutputs();
let told = '';
function tellArea(): void {
  try {
    const area = outputs?.area();
    if (area && JSON.stringify(area) !== told) port.postMessage({ type: 'area', area } satisfies InputReport);
    if (area) told = JSON.stringify(area);
  } catch {
    outputs?.close();
    outputs = null;
  }
}
function tellEvents(withinMs: number): void {
  const events = devices.read(withinMs);
  keys.tell(events);
  if (events.length > 0) port.postMessage({ type: 'events', events } satisfies InputReport);
}
while (Atomics.load(control, 0) === 0) {
  tellArea();
  tellEvents(WAIT_MS);
}
// What came while it was told to end, or while this thread could not run.
tellEvents(0);
devices.close();
keys.close();
outputs?.close();
port.close();
