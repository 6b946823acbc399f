/** OSWorld's names of programs, as the library calls them. */
export const OSWORLD_APPS: Readonly<Record<string, string>> = {
  chrome: 'Google Chrome',
  gimp: 'GIMP',
  libreoffice_calc: 'LibreOffice Calc',
  libreoffice_impress: 'LibreOffice Impress',
  libreoffice_writer: 'LibreOffice Writer',
  os: 'Desktop',
  thunderbird: 'Thunderbird',
  vlc: 'VLC',
  vs_code: 'VS Code',
  vscode: 'VS Code',
};
