import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the sample's cameras see: drawings, with styles that move them. */

/** Seconds after which the live pictures begin again; each duration below divides it. */
export const loopSeconds = 6;

/** Brighter and darker as a flame, the same at both ends. */
const flicker = `@keyframes flicker {
  0%, 100% { opacity: 1 } 12% { opacity: .86 } 22% { opacity: .98 } 37% { opacity: .8 } 52% { opacity: 1 } 68% { opacity: .9 } 84% { opacity: .97 }
}`;

const motions: Readonly<Record<string, string>> = {
  front_door: `${flicker}
    circle[fill^='url(#'] { animation: flicker 3s linear infinite }
    circle[fill^='url(#']:nth-of-type(even) { animation-duration: 2s }
    @keyframes sway { 0%, 100% { transform: none } 50% { transform: rotate(1.6deg) } }
    g[fill='#22382b'] { animation: sway 6s ease-in-out infinite; transform-box: fill-box; transform-origin: 50% 100% }`,
  driveway: `${flicker}
    @keyframes twinkle { 0%, 100% { opacity: 1 } 50% { opacity: .2 } }
    circle[r='1.200'] { animation: twinkle 3s ease-in-out infinite }
    circle[r='1.200']:nth-of-type(odd) { animation: twinkle 2s -1s ease-in-out infinite }
    circle[cx='424'] { animation: flicker 6s linear infinite }
    @keyframes home { 0%, 30%, 74%, 100% { opacity: 1 } 34%, 70% { opacity: .55 } }
    rect[x='112'], circle[cx='132'] { animation: home 6s linear infinite }
    @keyframes sway { 0%, 100% { transform: none } 50% { transform: rotate(1.2deg) } }
    g[fill='#141e1e'] path { animation: sway 6s ease-in-out infinite }`,
  back_yard: `${flicker}
    @keyframes flame {
      0%, 100% { transform: none } 18% { transform: scale(1.18, 1.34) skewX(-7deg) } 35% { transform: scale(.9, .92) skewX(5deg) }
      55% { transform: scale(1.1, 1.5) skewX(8deg) } 76% { transform: scale(1, .86) skewX(-5deg) }
    }
    path[fill='#ffc26a'] { animation: flame 2s ease-in-out infinite; transform-box: fill-box; transform-origin: 50% 100% }
    circle[fill='url(#k)'] { animation: flicker 1.5s linear infinite }
    circle[fill='url(#l)'] { animation: flicker 3s linear infinite }
    circle[fill='url(#l)']:nth-of-type(4n + 1) { animation-delay: -1s }
    @keyframes sway { 0%, 100% { transform: none } 50% { transform: rotate(1.4deg) } }
    g[fill='#1f2a25'] path { animation: sway 6s ease-in-out infinite }`,
  garage: `
    @keyframes glow { 0%, 100% { opacity: 1 } 50% { opacity: .82 } }
    circle[r='330'] { animation: glow 3s ease-in-out infinite }
    @keyframes fly {
      0%, 100% { transform: translate(-20px, 150px) } 20% { transform: translate(170px, 70px) } 34% { transform: translate(250px, 150px) }
      48% { transform: translate(390px, 60px) } 66% { transform: translate(500px, 170px) } 80% { transform: translate(660px, 110px) }
      81% { transform: translate(660px, -30px) } 99% { transform: translate(-20px, -30px) }
    }
    .moth { animation: fly 6s ease-in-out infinite }`,
  side_gate: `${flicker}
    circle[fill^='url(#'] { animation: flicker 3s linear infinite }
    @keyframes wag { 0%, 100% { transform: none } 50% { transform: rotate(-16deg) } }
    path[stroke='#0d1111'] { animation: wag 2s ease-in-out infinite; transform-box: fill-box; transform-origin: 100% 100% }
    @keyframes blink { 0%, 44%, 52%, 100% { opacity: 1 } 46%, 50% { opacity: 0 } }
    circle[fill='#f2d58a'] { animation: blink 3s linear infinite }`,
};

/** Drawn above a scene all the time. */
const additions: Readonly<Record<string, string>> = {
  garage: '<ellipse class="moth" rx="4" ry="2.4" fill="#fff" opacity=".85"/>',
};

const person = `<ellipse cy="2" rx="26" ry="5" fill="#000" opacity=".35"/><g class="bob">
  <circle cy="-88" r="9" fill="#caa083"/><path d="M-10-92a10 10 0 0 1 20 0z" fill="#2a211b"/>
  <path d="M-14-76q14-7 28 0l5 36-7 2-1 38h-8l-3-32-3 32h-8l-1-38-7-2z" fill="#1b2026"/>
  <path d="M-14-76q14-7 28 0l3 24h-34z" fill="#3f5b66"/></g>`;
const parcel = `<path d="M-20-24H20V0H-20z" fill="#a9794a"/><path d="M-20-24H20V-19H-20z" fill="#c29261"/>
  <path d="M-4-24H4V0H-4z" fill="#d8b078" opacity=".7"/>`;
const cat = `<ellipse rx="26" ry="4" opacity=".35"/><g class="bob">
  <path d="M-18 0c-4-20 4-30 18-30 6 0 12 3 14 8l6-2c-2-8-2-14 0-18l5 5h8l5-5c2 10 0 22-8 26-2 6-4 10-4 16h-6l-1-9-10 1-2 8h-7l-3-9-5 9z"/>
  <path d="M-17-8c-14-4-18-18-10-28" fill="none" stroke="#0d1111" stroke-width="5" stroke-linecap="round"/>
  <circle cx="29" cy="-33" r="1.6" fill="#f2d58a"/><circle cx="35" cy="-33" r="1.6" fill="#f2d58a"/></g>`;
const car = `<path d="M-98-30-340-76V30L-98-16z" fill="url(#lights)"/>
  <linearGradient id="lights" x1="1" x2="0"><stop stop-color="#ffe9b8" stop-opacity=".75"/><stop offset="1" stop-color="#ffe9b8" stop-opacity="0"/></linearGradient>
  <ellipse cy="4" rx="112" ry="11" opacity=".5"/>
  <path d="M104-6c4-20-2-32-20-36l-22-4c-14-20-26-28-56-28-34 0-48 8-62 28l-30 6c-14 4-18 16-16 34z" fill="#7d3a2f"/>
  <path d="M54-46c-10-14-20-21-46-21v21zM0-67c-28 0-38 6-48 21H0z" fill="#9fb6b8" opacity=".55"/>
  <circle cx="-62" cy="-4" r="17" fill="#0c0f10"/><circle cx="-62" cy="-4" r="8" fill="#59646a"/>
  <circle cx="62" cy="-4" r="17" fill="#0c0f10"/><circle cx="62" cy="-4" r="8" fill="#59646a"/>`;

const bob =
  '@keyframes bob { 50% { transform: translateY(-3px) } } .bob { animation: bob .5s ease-in-out infinite }';
/** @param steps keyframes of what comes and goes */
const walk = (steps: string, seconds: number) =>
  `${bob} @keyframes walk { ${steps} } .walk { animation: walk ${seconds}s linear both }`;

interface Clip {
  readonly camera: string;
  readonly seconds: number;
  /** When the picture of the event is taken, in seconds. */
  readonly best: number;
  /** Comes and goes above the scene. */
  readonly drawing: string;
  readonly style: string;
}

const noCar = "g[transform^='translate(330 300)'] { display: none }";

/** By the names that `src/events/sample.ts` calls them. */
export const clips: Readonly<Record<string, Clip>> = {
  parcel: {
    camera: 'front_door',
    seconds: 9,
    best: 4.4,
    drawing: `<g transform="translate(372 300) scale(1.1)"><g class="left">${parcel}</g></g>
      <g class="walk"><g transform="scale(1.55)">${person}<g class="held" transform="translate(22 -34) scale(.7)">${parcel}</g></g></g>`,
    style: `${walk(
      '0% { transform: translate(690px, 340px) } 38% { transform: translate(300px, 324px) } 62% { transform: translate(300px, 324px) } 100% { transform: translate(690px, 346px) }',
      9,
    )}
      @keyframes left { from { visibility: hidden } to { visibility: visible } } .left { animation: left 9s step-end both; animation-timing-function: steps(2, jump-none) }
      @keyframes held { from { visibility: visible } to { visibility: hidden } } .held { animation: held 9s both; animation-timing-function: steps(2, jump-none) }`,
  },
  visitor: {
    camera: 'front_door',
    seconds: 8,
    best: 4,
    drawing: `<g class="walk"><g transform="scale(1.5)">${person}</g></g>`,
    style: walk(
      '0% { transform: translate(-60px, 346px) } 40% { transform: translate(300px, 318px) } 72% { transform: translate(300px, 318px) } 100% { transform: translate(-60px, 346px) }',
      8,
    ),
  },
  arrival: {
    camera: 'driveway',
    seconds: 8,
    best: 5.5,
    drawing: `<g class="walk">${car}</g>`,
    style: `${noCar} @keyframes walk { from { transform: translate(1000px, 330px) scale(1.2) } to { transform: translate(310px, 300px) } }
      .walk { animation: walk 5.5s cubic-bezier(.2, .6, .3, 1) both }`,
  },
  stroll: {
    camera: 'driveway',
    seconds: 9,
    best: 4,
    drawing: `<g class="walk"><g transform="scale(1.1)">${person}</g></g>`,
    style: walk('from { transform: translate(680px, 344px) } to { transform: translate(150px, 272px) }', 9),
  },
  fireside: {
    camera: 'back_yard',
    seconds: 9,
    best: 6,
    drawing: `<g class="walk"><g transform="scale(1.15)">${person}</g></g>`,
    style: walk(
      '0% { transform: translate(500px, 258px) scale(.86) } 55%, 100% { transform: translate(360px, 312px) }',
      9,
    ),
  },
  prowl: {
    camera: 'back_yard',
    seconds: 8,
    best: 4,
    drawing: `<g class="walk"><g fill="#0d1111" transform="scale(1.1)">${cat}</g></g>`,
    style: walk('from { transform: translate(-50px, 336px) } to { transform: translate(700px, 330px) }', 8),
  },
  workshop: {
    camera: 'garage',
    seconds: 9,
    best: 5.5,
    drawing: `<g class="walk" filter="url(#grey)"><g transform="scale(1.9)">${person}</g></g>
      <filter id="grey"><feColorMatrix type="saturate" values="0"/><feComponentTransfer><feFuncR type="linear" slope="1" intercept=".16"/><feFuncG type="linear" slope="1" intercept=".16"/><feFuncB type="linear" slope="1" intercept=".16"/></feComponentTransfer></filter>`,
    style: walk(
      '0% { transform: translate(-60px, 348px) } 45%, 80% { transform: translate(500px, 318px) } 100% { transform: translate(690px, 340px) }',
      9,
    ),
  },
  cat: {
    camera: 'side_gate',
    seconds: 8,
    best: 4.5,
    drawing: `<g class="walk"><g fill="#0d1111" transform="scale(1.3)">${cat}</g></g>`,
    style: `g[transform^='translate(398 300)'] { display: none } ${walk(
      '0% { transform: translate(40px, 340px) } 60%, 100% { transform: translate(398px, 300px) }',
      8,
    )}`,
  },
  gate: {
    camera: 'side_gate',
    seconds: 8,
    best: 4,
    drawing: `<g class="walk"><g transform="scale(1.6)">${person}</g></g>`,
    style: walk(
      '0% { transform: translate(320px, 200px) scale(.42) } 100% { transform: translate(250px, 420px) scale(1.1) }',
      8,
    ),
  },
};

/** The cameras with a scene. */
export const cameras = Object.keys(motions);

/** @param clip what comes and goes above it; undefined: nothing does @returns an SVG document, 640 by 360 */
export function sceneOf(camera: string, clip?: Clip): string {
  const drawing = readFileSync(join(import.meta.dirname, 'scenes', `${camera}.svg`), 'utf8');
  const style = `<style>${motions[camera] ?? ''} ${clip?.style ?? ''}</style>`;
  // Below the last rectangle, which darkens the corners.
  const last = drawing.lastIndexOf('<rect');
  return `${drawing.slice(0, last)}${additions[camera] ?? ''}${clip?.drawing ?? ''}${style}${drawing.slice(last)}`;
}
