import type { Browser } from 'playwright-core';

/** What a camera shows. */
interface Scene {
  readonly sky: readonly [string, string];
  readonly ground: string;
  readonly way?: string;
  /** Left edge and width of a house, in parts of the picture. */
  readonly house?: readonly [number, number];
  readonly trees: readonly number[];
  readonly car?: readonly [number, string];
}

const scenes: readonly Scene[] = [
  { sky: ['#7fb2dc', '#dcebf4'], ground: '#64864a', house: [0.62, 0.34], trees: [0.08, 0.2, 0.5] },
  {
    sky: ['#e9a36b', '#f7ddb0'],
    ground: '#77734f',
    way: '#8d8a86',
    house: [0.04, 0.3],
    trees: [0.9],
    car: [0.52, '#a63a34'],
  },
  { sky: ['#93a9b8', '#dfe5e8'], ground: '#6f7a63', way: '#a49d92', house: [0.3, 0.4], trees: [0.1, 0.92] },
  {
    sky: ['#232a45', '#4d5273'],
    ground: '#343a3f',
    way: '#4b4e55',
    house: [0.45, 0.5],
    trees: [0.12],
    car: [0.1, '#2f4f7a'],
  },
  { sky: ['#86c0cf', '#eef3dc'], ground: '#87a05b', trees: [0.12, 0.33, 0.6, 0.82] },
];

/** Runs in the browser. */
const draw = `async (scene) => {
  const canvas = document.createElement('canvas');
  const [w, h] = [canvas.width = 1280, canvas.height = 720];
  const c = canvas.getContext('2d');
  const fill = (style, ...points) => {
    c.fillStyle = style;
    c.beginPath();
    for (const [x, y] of points) c.lineTo(x * w, y * h);
    c.fill();
  };
  const box = (style, x, y, width, height) => fill(style, [x, y], [x + width, y], [x + width, y + height], [x, y + height]);
  const sky = c.createLinearGradient(0, 0, 0, h * 0.6);
  scene.sky.forEach((colour, i) => sky.addColorStop(i, colour));
  box(sky, 0, 0, 1, 0.6);
  box(scene.ground, 0, 0.58, 1, 0.42);
  if (scene.way) fill(scene.way, [0.4, 0.58], [0.54, 0.58], [0.9, 1], [0.12, 1]);
  for (const x of scene.trees) {
    box('#4b3a2c', x - 0.008, 0.46, 0.016, 0.16);
    for (const [dx, y, r] of [[0, 0.34, 0.16], [-0.035, 0.43, 0.12], [0.035, 0.43, 0.12]]) {
      c.fillStyle = 'rgb(52 84 52 / 92%)';
      c.beginPath();
      c.arc((x + dx) * w, y * h, r * h, 0, 7);
      c.fill();
    }
  }
  if (scene.house) {
    const [x, width] = scene.house;
    box('#d9cfc0', x, 0.33, width, 0.36);
    fill('#6d4a42', [x - 0.03, 0.34], [x + width / 2, 0.12], [x + width + 0.03, 0.34]);
    for (const part of [0.12, 0.66]) box('#f3dc9a', x + width * part, 0.41, width * 0.2, 0.11);
    box('#5b4a3d', x + width * 0.42, 0.48, width * 0.16, 0.21);
  }
  if (scene.car) {
    const [x, colour] = scene.car;
    box(colour, x, 0.68, 0.24, 0.1);
    fill(colour, [x + 0.04, 0.68], [x + 0.08, 0.6], [x + 0.17, 0.6], [x + 0.21, 0.68]);
    fill('#c9d8e2', [x + 0.06, 0.675], [x + 0.09, 0.62], [x + 0.16, 0.62], [x + 0.19, 0.675]);
    for (const wheel of [0.05, 0.19]) {
      c.fillStyle = '#1c1d20';
      c.beginPath();
      c.arc((x + wheel) * w, 0.78 * h, 0.045 * h, 0, 7);
      c.fill();
    }
  }
  const shade = c.createRadialGradient(w / 2, h / 2, h / 3, w / 2, h / 2, w * 0.75);
  shade.addColorStop(0, 'transparent');
  shade.addColorStop(1, 'rgb(0 0 0 / 45%)');
  box(shade, 0, 0, 1, 1);
  return canvas.toDataURL('image/jpeg', 0.85).split(',')[1];
}`;

/** @returns a picture of each camera, as JPEG; drawn, so that no one's street is shown */
export async function cameraPictures(
  browser: Browser,
  cameras: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const page = await browser.newPage();
  const drawn = new Map<string, Buffer>();
  for (const [i, camera] of cameras.entries()) {
    const scene = JSON.stringify(scenes[i % scenes.length]);
    drawn.set(camera, Buffer.from(await page.evaluate<string>(`(${draw})(${scene})`), 'base64'));
  }
  await page.close();
  return drawn;
}
