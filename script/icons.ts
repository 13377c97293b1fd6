import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChromium } from '../test/support/browse.ts';

/** Draws the icons of the web app from the one SVG: `node script/icons.ts`, after a change of it. */
const folder = join(import.meta.dirname, '..', 'src', 'web');
const rounded = readFileSync(join(folder, 'gate.svg'), 'utf8');
// Where the system cuts the shape: filled to the edge, with the gate in the middle four fifths.
const filled = rounded
  .replace(' rx="7"', '')
  .replace('<path ', '<path transform="translate(3.2 3.2) scale(.8)" ');
const icons = [
  ['icon-192', 192, rounded],
  ['icon-512', 512, rounded],
  ['icon-maskable', 512, filled],
  ['apple-touch-icon', 180, filled],
] as const;

const browser = await startChromium();
const page = await browser.newPage();
for (const [name, size, svg] of icons) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
  );
  writeFileSync(join(folder, 'icons', `${name}.png`), await page.screenshot({ omitBackground: true }));
}
await browser.close();
