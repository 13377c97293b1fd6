import { encode } from 'uqr';
import { gatePath } from '../path-prefix.ts';
import { text } from '../text.ts';
import { ask, isFramed } from './ask.ts';
import { keepAwake } from './awake.ts';
import { fill, make } from './dom.ts';
import { codesOf, leftText, polledOf, type Codes } from './pairing.ts';
import { browserClock } from './timers.ts';

/** Milliseconds until a gate that is away is asked again. */
const again = 5_000;
/** Milliseconds for which the name of the display is shown. */
const greeting = 2_500;

const words = text.pairScreen;

/** Shows a code until a user approves this screen (RFC 8628), then leads to the wall. @param house name of the house */
export function showPairing(root: HTMLElement, house: string): void {
  const clock = browserClock;
  const main = make('main', { class: 'pair' }, make('p', { class: 'first' }, words.opening));
  fill(root, main);
  let cancel = () => {};
  let cancelTick = () => {};

  const begin = async () => {
    cancel();
    cancelTick();
    fill(main, make('p', { class: 'first' }, words.opening));
    const codes = codesOf(await ask('/api/displays/code', {}), clock.now());
    if (codes === 'too-many') return stopped(words.tooMany, words.tooManyHint);
    if (codes === 'off') return stopped(words.off, words.offHint, false);
    if (codes === 'away') {
      fill(main, message(words.away, words.awayHint));
      cancel = clock.after(again, () => void begin());
      return;
    }
    show(codes);
  };

  const show = (codes: Codes) => {
    const waiting = make('p', { class: 'hint' });
    const tick = () => {
      waiting.textContent = words.waiting(leftText(codes.expiresAt - clock.now()));
      cancelTick = clock.after(1_000, tick);
    };
    fill(
      main,
      make(
        'div',
        { class: 'both' },
        qrCode(codes.link),
        make(
          'div',
          { class: 'left' },
          make('h1', {}, words.show(house)),
          letters(codes.userCode),
          make(
            'ol',
            { class: 'how' },
            make('li', {}, `${words.scan} `, make('b', {}, codes.place)),
            make('li', {}, words.check),
            make('li', {}, words.choose),
          ),
          waiting,
        ),
      ),
    );
    tick();
    let { interval } = codes;
    const poll = async () => {
      const polled = polledOf(
        await ask('/api/displays/token', { device_code: codes.deviceCode, framed: isFramed() }),
        interval,
      );
      if (polled.kind === 'wait' && clock.now() < codes.expiresAt) {
        ({ interval } = polled);
        cancel = clock.after(interval * 1_000, () => void poll());
        return;
      }
      cancelTick();
      if (polled.kind === 'paired') return welcome(polled.name);
      if (polled.kind === 'refused') return stopped(words.refused, words.refusedHint);
      stopped(words.expired, words.expiredHint);
    };
    cancel = clock.after(interval * 1_000, () => void poll());
  };

  const welcome = (name: string) => {
    fill(main, message(words.paired(name), words.pairedHint));
    clock.after(greeting, () => location.replace(gatePath('/wall')));
  };
  const stopped = (title: string, hint: string, canTry = true) => {
    const button = make(
      'button',
      { type: 'button', class: 'button', onclick: () => void begin() },
      words.newCode,
    );
    fill(main, message(title, hint, ...(canTry ? [button] : [])));
    if (canTry) button.focus();
  };

  keepAwake();
  void begin();
}

/** Read aloud letter by letter. */
function letters(code: string): HTMLElement {
  const label = code.replace('-', ',').split('').join(' ').replace(' , ', ', ');
  const element = make('p', { class: 'code', role: 'img', 'aria-label': label });
  for (const letter of code.split(''))
    element.append(make('span', { 'aria-hidden': 'true', class: letter === '-' ? 'hyphen' : '' }, letter));
  return element;
}

const svg = 'http://www.w3.org/2000/svg';

function qrCode(link: string): SVGElement {
  const { size, data } = encode(link, { ecc: 'M', border: 4 });
  let dark = '';
  data.forEach((row, y) => row.forEach((isDark, x) => (dark += isDark ? `M${x} ${y}h1v1h-1z` : '')));
  const image = document.createElementNS(svg, 'svg');
  const attributes = {
    class: 'qr',
    role: 'img',
    'aria-label': words.qr,
    viewBox: `0 0 ${size} ${size}`,
    'shape-rendering': 'crispEdges',
  };
  for (const [name, value] of Object.entries(attributes)) image.setAttribute(name, value);
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', dark);
  image.append(path);
  return image;
}

function message(title: string, hint: string, ...more: readonly Node[]): HTMLElement {
  return make(
    'div',
    { class: 'message', role: 'status' },
    make('h1', {}, title),
    make('p', {}, hint),
    ...more,
  );
}
