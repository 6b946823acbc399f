/** Settings that keep away what programs show at their first start. */

const item = (path: string, name: string, value: string): string =>
  `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;
/** LibreOffice's `registrymodifications.xcu`. */
export const OFFICE_SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${item('Office.Common/Misc', 'FirstRun', 'false')}
${item('Office.Common/Misc', 'ShowTipOfTheDay', 'false')}
${item('Office.Common/Misc', 'ShowDonation', 'false')}
${item('Setup/Office', 'LastCompatibilityCheckID', '7.4')}
${item('Setup/Office', 'ooSetupInstCompleted', 'true')}
${item('Setup/Product', 'ooSetupLastVersion', '99.0')}
${item('Office.Common/Save/Document', 'AutoSave', 'false')}
${item('Office.Common/Save/Document', 'WarnAlienFormat', 'false')}
${item('Office.Impress/Misc/Start', 'EnableSdremote', 'false')}
</oor:items>
`;

/** Inkscape's `preferences.xml`. */
export const INKSCAPE_PREFERENCES = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<inkscape version="1" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape">
  <group id="options">
    <group id="boot" enabled="0" shown_version="1.2" mode="0"/>
    <group id="savewindowgeometry" value="0"/>
  </group>
</inkscape>
`;
