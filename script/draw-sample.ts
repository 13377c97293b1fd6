/**
 * Draws the pictures and clips of the bundled sample again: `node script/draw-sample.ts [CAMERA]...`. It takes Chromium and ffmpeg,
 * which to serve them does not.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startChromium } from '../test/support/browse.ts';
import { cameras, clips, loopSeconds, sceneOf } from './sample/scenes.ts';

const target = join(import.meta.dirname, '..', 'data', 'sample');
// As `src/events/sample.ts` plays them.
const framesPerSecond = { live: 4, clip: 12 };

const size = { width: 960, height: 540 };
const browser = await startChromium();
const page = await browser.newPage({ viewport: size });
mkdirSync(target, { recursive: true });

const drawn = process.argv.length > 2 ? process.argv.slice(2) : cameras;
for (const camera of drawn) {
  await show(page, sceneOf(camera));
  const count = loopSeconds * framesPerSecond.live;
  for (let frame = 0; frame < count; frame += 1)
    save(`${camera}-${frame}`, await pictureAt(page, frame / framesPerSecond.live), '960:-1');
}
for (const [name, clip] of Object.entries(clips)) {
  if (!drawn.includes(clip.camera)) continue;
  await show(page, sceneOf(clip.camera, clip));
  const best = await pictureAt(page, clip.best);
  save(name, best, '960:-1');
  save(`${name}-small`, best, '400:-1');
  const frames = mkdtempSync(join(tmpdir(), 'postern-clip-'));
  for (let frame = 0; frame < clip.seconds * framesPerSecond.clip; frame += 1)
    writeFileSync(
      join(frames, `${String(frame).padStart(4, '0')}.png`),
      await pictureAt(page, frame / framesPerSecond.clip),
    );
  ffmpeg(
    `-framerate ${framesPerSecond.clip} -i ${join(frames, '%04d.png')} -c:v libx264 -preset veryslow -tune animation -crf 27
     -pix_fmt yuv420p -movflags +faststart ${join(target, `${name}.mp4`)}`,
  );
  rmSync(frames, { recursive: true });
}
await browser.close();

async function show(on: Page, svg: string): Promise<void> {
  await on.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${svg}`);
  await on.evaluate('document.getAnimations().forEach((animation) => animation.pause())');
}

async function pictureAt(on: Page, seconds: number): Promise<Buffer> {
  await on.evaluate(
    `document.getAnimations().forEach((animation) => (animation.currentTime = ${seconds * 1000}))`,
  );
  return on.screenshot({ animations: 'allow' });
}

function save(name: string, png: Buffer, scale: string): void {
  const webp = '-c:v libwebp -quality 72 -compression_level 6 -preset drawing';
  ffmpeg(`-i - -vf scale=${scale} ${webp} ${join(target, `${name}.webp`)}`, png);
}

/** @param line its arguments, none of which has a space */
function ffmpeg(line: string, input?: Buffer): void {
  execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...line.split(/\s+/)], { input });
}
