import { encode } from 'uqr';
import { gatePath, pathTo } from '../path-prefix.ts';
import { fill } from '../../language/fill.ts';
import { text, keepAwake, make, put, browserClock } from './page.ts';
import { ask, isFramed } from './ask.ts';
import { codesOf, leftText, polledOf, forgetCodes, keepCodes, keptCodes, type Codes } from './pairing.ts';

/** Milliseconds until the next question when Postern is away. */
const again = 5_000;
/** Milliseconds for which the name of the screen is shown. */
const greeting = 2_500;

const words = text.pairScreen;

/**
 * Asks whether this is the screen. If it is, shows a code until a user approves it (RFC 8628), then leads to the wall.
 * @param house name of the house
 */
export function showPairing(root: HTMLElement, house: string): void {
  const clock = browserClock;
  const main = make('main', { class: 'pair' });
  put(root, main);
  let cancel = () => {};
  let cancelTick = () => {};

  const question = () => {
    const here = choice('button', words.here, words.hereHint, {
      type: 'button',
      onclick: () => void begin(),
    });
    const choices = make('div', { class: 'choices' }, here);
    const asked = make('div', { class: 'ask' }, make('h1', {}, words.ask));
    // Browsers send no session cookie from a frame of another site, so no one is signed in.
    if (isFramed()) asked.append(choices);
    else {
      choices.append(choice('a', words.code, words.codeHint, { href: `${gatePath('/pair')}?code=` }));
      const signIn = make('a', { href: pathTo('/login') }, words.signIn);
      asked.append(
        make('p', { class: 'hint' }, words.askHint),
        choices,
        make('p', { class: 'hint' }, `${words.look} `, signIn),
      );
    }
    put(main, asked);
    here.focus();
  };

  const begin = async () => {
    cancel();
    cancelTick();
    put(main, make('p', { class: 'first' }, words.opening));
    const codes = codesOf(await ask('/api/displays/code', {}), clock.now());
    if (codes === 'too-many') return stopped(words.tooMany, words.tooManyHint);
    if (codes === 'off') return stopped(words.off, words.offHint, false);
    if (codes === 'away') {
      put(main, message(words.away, words.awayHint));
      cancel = clock.after(again, () => void begin());
      return;
    }
    keepCodes(codes);
    show(codes);
  };

  const show = (codes: Codes) => {
    const waiting = make('p', { class: 'hint' });
    const tick = () => {
      waiting.textContent = fill(words.waiting, { left: leftText(codes.expiresAt - clock.now()) });
      cancelTick = clock.after(1_000, tick);
    };
    put(
      main,
      make(
        'div',
        { class: 'both' },
        qrCode(codes.link),
        make(
          'div',
          { class: 'left' },
          make('h1', {}, fill(words.show, { house })),
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
      forgetCodes();
      if (polled.kind === 'paired') return welcome(polled.name);
      if (polled.kind === 'refused') return stopped(words.refused, words.refusedHint);
      // Another tab of this screen may have got the answer.
      const { status, body } = await ask('/api/wall', { framed: isFramed() });
      if (status === 200 && typeof body['name'] === 'string') return welcome(body['name']);
      stopped(words.expired, words.expiredHint);
    };
    cancel = clock.after(interval * 1_000, () => void poll());
  };

  const welcome = (name: string) => {
    put(main, message(fill(words.paired, { name }), words.pairedHint));
    clock.after(greeting, () => location.replace(gatePath('/wall')));
  };
  const stopped = (title: string, hint: string, canTry = true) => {
    const button = make(
      'button',
      { type: 'button', class: 'button', onclick: () => void begin() },
      words.newCode,
    );
    put(main, message(title, hint, ...(canTry ? [button] : [])));
    if (canTry) button.focus();
  };

  keepAwake();
  const kept = keptCodes(clock.now());
  if (kept !== undefined) show(kept);
  else if (/[?&]screen(?:[=&]|$)/.test(location.search)) void begin();
  else question();
}

/** A large button or link with a line below it. */
function choice(
  name: 'button' | 'a',
  title: string,
  hint: string,
  attributes: Parameters<typeof make>[1],
): HTMLElement {
  const shown = [make('b', {}, title), make('span', { class: 'hint' }, hint)];
  return make(name, { ...attributes, class: 'choice' }, ...shown);
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
