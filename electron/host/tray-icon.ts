import { join } from 'node:path';
import type { HostApi } from './api.ts';
import { type TrayActs, type TrayState, trayPicture, trayTemplate, trayWords } from './tray.ts';

/** The icon in the tray; it is made when it is shown first. */
export class TrayIcon {
  readonly #api: Pick<HostApi, 'Tray' | 'Menu'>;
  readonly #icons: string;
  readonly #platform: string;
  #tray: InstanceType<HostApi['Tray']> | null = null;
  #shown = '';

  /** `icons`: the folder of pictures. */
  constructor(api: Pick<HostApi, 'Tray' | 'Menu'>, icons: string, platform: string) {
    this.#api = api;
    this.#icons = icons;
    this.#platform = platform;
  }

  show(state: TrayState, acts: TrayActs): void {
    const template = trayTemplate(state, acts);
    const shown = JSON.stringify([template, trayPicture(state.now)]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const tray = this.#withPicture(this.#pictureOf(state), acts);
    tray.setToolTip(trayWords(state.now));
    tray.setContextMenu(this.#api.Menu.buildFromTemplate(template));
  }

  #withPicture(picture: string, acts: TrayActs): InstanceType<HostApi['Tray']> {
    if (this.#tray) {
      this.#tray.setImage(picture);
      return this.#tray;
    }
    this.#tray = new this.#api.Tray(picture);
    if (this.#platform !== 'darwin') this.#tray.on('click', () => acts.show());
    return this.#tray;
  }

  #pictureOf({ now }: TrayState): string {
    const template = this.#platform === 'darwin' ? 'Template' : '';
    const ending = this.#platform === 'win32' ? 'ico' : 'png';
    return join(this.#icons, 'tray', `${trayPicture(now)}${template}.${ending}`);
  }
}
